// Matrices of small integers in any layout, and an exact check of a product, for tests over MPI.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include <stdexcept>

#include "base/scalars.hpp"
#include "cairn/cairn.hpp"
#include "how_much.hpp"
#include "layouts.hpp"
#include "problem.hpp"
#include "refusal.hpp"

namespace cairn::testing {

/// Communicators that split the world's ranks into groups of the given sizes, run at the same time; the caller's group,
/// or MPI_COMM_NULL for ranks left over. Throws on all ranks where the world has fewer: they would wait for ever.
class Group {
 public:
  explicit Group(const std::vector<Int>& sizes) {
    int rank = 0, ranks = 0, color = MPI_UNDEFINED;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    Int end = 0;
    for (std::size_t g = 0; g < sizes.size(); ++g) {
      if (rank >= end && rank < end + sizes[g]) color = static_cast<int>(g);
      end += sizes[g];
    }
    if (end > ranks) throw std::runtime_error(fmt::format("{} ranks: this test needs at least {}", ranks, end));
    MPI_Comm_split(MPI_COMM_WORLD, color, rank, &comm_);
  }
  ~Group() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  bool member() const { return comm_ != MPI_COMM_NULL; }
  MPI_Comm raw() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// All rank counts of the contract test, packed into groups of at most 16 ranks; some of them under a second MPI. A
/// test that is started on fewer ranks has all of them in one group.
inline std::vector<std::vector<Int>> groups() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 16) return {{ranks}};
  if (second_mpi()) return {{16}, {8, 7, 1}};
  return {{16}, {13, 3}, {12, 4}, {8, 7, 1}, {6, 5, 2}};
}

/// Whether groups() has so many ranks under a second MPI.
inline bool second_mpi_has(Int ranks) { return ranks == 16 || ranks == 8 || ranks == 7 || ranks == 1; }

/// f(comm) on each of them; those of a row run at the same time.
template <class F>
void in_groups(F f) {
  for (const auto& sizes : groups()) {
    const Group group(sizes);
    if (group.member()) f(Comm(group.raw()));
  }
}

/// f throws E on every rank of the communicator, everywhere with the same words, and they contain `part`.
template <class E = ArgumentError, class F>
void expect_refused_alike(const Comm& comm, F f, const std::string& part) {
  std::string said;
  try {
    said = refusal<E>(f);
  } catch (const std::exception& e) {
    said = std::string("(another type) ") + e.what();
  }
  EXPECT_NE(said.find(part), said.npos) << said;
  EXPECT_NO_THROW(comm.agree_same("message", said)) << said;
}

/// A communicator of all ranks with nothing kept for it yet: no self-test, no memory.
struct Another {
  Another() { MPI_Comm_dup(MPI_COMM_WORLD, &raw); }
  ~Another() { MPI_Comm_free(&raw); }
  Another(const Another&) = delete;
  Another& operator=(const Another&) = delete;
  MPI_Comm raw = MPI_COMM_NULL;
};

template <class T>
T element(Int i, Int j, int seed) {
  const auto re = static_cast<double>((i * 7 + j * 13 + seed) % 11 - 5);
  const auto im = static_cast<double>((i * 3 + j * 5 + seed) % 7 - 3);
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(re);
  else
    return T(static_cast<typename T::value_type>(re), static_cast<typename T::value_type>(im));
}

/// element() of op: what op(X)(i, j) is.
template <class T>
T op_element(Op op, Int i, Int j, int seed) {
  if (op == Op::none) return element<T>(i, j, seed);
  const T x = element<T>(j, i, seed);
  return op == Op::adjoint ? conjugated(x) : x;
}

/// The matrix with the numbers that element() has for a seed.
template <class T>
void fill(const DistMatrix<T>& X, int seed) {
  X.for_each([seed](Int i, Int j, T& x) { x = element<T>(i, j, seed); });
}

template <class T>
DistMatrix<T> filled(const Layout& layout, int rank, int seed) {
  auto X = DistMatrix<T>::own(layout, rank);
  fill(X, seed);
  return X;
}

/// This rank's part of C is alpha·op(A)·op(B) + beta·C exactly, where A is filled with `seed`, B with the next one, and
/// C was filled with 3.
template <class T>
void expect_product(const DistMatrix<T>& C, const GemmProblem& p, T alpha = 1, T beta = 0, int seed = 1) {
  C.for_each([&](Int i, Int j, T c) {
    T dot = 0;
    for (Int l = 0; l < p.k; ++l) dot += op_element<T>(p.op_a, i, l, seed) * op_element<T>(p.op_b, l, j, seed + 1);
    ASSERT_EQ(c, alpha * dot + beta * element<T>(i, j, 3)) << "C(" << i << ", " << j << ")";
  });
}

/// A run moved what the count says.
inline void expect_counted(const RunReport& report, const Count& count) {
  EXPECT_EQ(report.received, count.wire_words);
  EXPECT_EQ(report.messages, count.messages);
  EXPECT_EQ(report.from_other_nodes, count.node_words);
}

}  // namespace cairn::testing
