// Matrices of known elements, in every kind of layout, for tests of files.
#pragma once
#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "cairn/matrix.hpp"

namespace cairn::testing {

template <class T>
T value_at(Int i, Int j) {
  const double re = static_cast<double>(i * 1000 + j), im = static_cast<double>(i - 2 * j);
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(re);
  else
    return T(static_cast<typename T::value_type>(re), static_cast<typename T::value_type>(im));
}

/// Layouts of every kind for m × n on `ranks` ranks.
inline std::vector<Layout> file_layouts(Int m, Int n, Int ranks) {
  std::vector<Layout> all;
  for (Order order : {Order::col, Order::row}) {
    all.push_back(Layout::on_one_rank(m, n, order));
    all.push_back(Layout::row_blocks(m, n, ranks, order));
    all.push_back(Layout::col_blocks(m, n, ranks, order));
    const Int pr = ranks % 2 == 0 ? 2 : 1;
    Layout cyclic = Layout::block_cyclic(m, n, {.mb = 3, .nb = 2, .pr = pr, .pc = ranks / pr, .rsrc = pr - 1});
    cyclic.order = order;
    all.push_back(cyclic);
    // Columns dealt out, and every coordinate of the axis r holds a copy.
    Layout copies = Layout::on_one_rank(m, n, order);
    copies.grid = Grid({{"r", pr}, {"c", ranks / pr}});
    copies.cols.cuts = {Cut::even(copies.grid, 1)};
    all.push_back(copies);
    Layout::Blocks blocks{{0, m / 3, m / 3, m}, {0, n / 2, n}, {}, order == Order::row};
    for (Int b = 0; b < 6; ++b) blocks.owner.push_back((5 * b + 2) % ranks);
    all.push_back(Layout::arbitrary(m, n, ranks, blocks, order));
  }
  return all;
}

/// f(comm) on a communicator of the first `ranks` ranks, for some numbers of ranks.
inline void on_some_ranks(const std::function<void(const Comm&)>& f) {
  const Comm world = Comm::world();
  for (int ranks : {1, 2, 6, 16}) {
    if (ranks > world.size()) continue;
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, world.rank() < ranks ? 0 : MPI_UNDEFINED, 0, &part);
    if (part != MPI_COMM_NULL) {
      f(Comm(part));
      MPI_Comm_free(&part);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

template <class T>
void expect_values(const DistMatrix<T>& x, const std::string& what) {
  Int wrong = 0, seen = 0;
  x.for_each([&](Int i, Int j, T v) {
    ++seen;
    wrong += v != value_at<T>(i, j);
  });
  EXPECT_EQ(wrong, 0) << what;
  EXPECT_EQ(seen, x.layout().words(x.rank())) << what;
}

/// The message of the error, of the expected class, that every rank must get, and the same.
template <class Expected>
std::string agreed_failure(const std::function<void()>& work) {
  std::string text = "(no error)";
  try {
    work();
    ADD_FAILURE() << "no error";
  } catch (const Expected& e) {
    text = e.what();
  }
  std::string first = text;
  first.resize(1024);
  MPI_Bcast(first.data(), 1024, MPI_CHAR, 0, MPI_COMM_WORLD);
  EXPECT_EQ(text, first.substr(0, first.find('\0')));
  return text;
}

}  // namespace cairn::testing
