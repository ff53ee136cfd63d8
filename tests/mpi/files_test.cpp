// Matrices from and to files, on every number of ranks up to the world's, in every kind of layout.
#include "cairn/files.hpp"

#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>

#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "distributed.hpp"
#include "file_matrices.hpp"
#include "io/npy.hpp"
#include "shared_directory.hpp"
#include "sweep.hpp"

namespace cairn {

namespace {

using testing::agreed_failure, testing::expect_values, testing::file_layouts, testing::on_some_ranks,
    testing::SharedDirectory, testing::value_at;

template <class T>
std::string npy_of(Int m, Int n, Order order, const std::function<T(Int, Int)>& f = value_at<T>) {
  std::string bytes = io::format_npy_header(scalar_type_of<T>, order, m, n);
  for (Int e = 0; e < m * n; ++e) {
    const T x = order == Order::row ? f(e / n, e % n) : f(e % m, e / m);
    bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
  return bytes;
}

template <class T>
class NpyOfType : public ::testing::Test {};
using AllTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(NpyOfType, AllTypes);

TYPED_TEST(NpyOfType, IsReadIntoEveryLayoutFromBothOrders) {
  const SharedDirectory dir;
  constexpr Int m = 23, n = 14;
  const auto c = dir.with("c.npy", npy_of<TypeParam>(m, n, Order::row));
  const auto f = dir.with("f.npy", npy_of<TypeParam>(m, n, Order::col));
  on_some_ranks([&](const Comm& comm) {
    for (const std::string& path : {c, f}) {
      int number = 0;
      for (const Layout& layout : file_layouts(m, n, comm.size())) {
        ++number;
        for (Int chunk : {Int{1} << 20, Int{160}}) {
          if (!testing::everything() && (number % 2 == 0) == ((path == c) == (chunk == 160))) continue;
          const auto x = read_matrix<TypeParam>(comm, path, layout, {.chunk_bytes = chunk});
          expect_values(x, path + " layout " + std::to_string(number) + " chunk " + std::to_string(chunk));
        }
      }
    }
  });
}

TYPED_TEST(NpyOfType, IsWrittenAsNumPyWouldFromEveryLayout) {
  const SharedDirectory dir;
  constexpr Int m = 23, n = 14;
  on_some_ranks([&](const Comm& comm) {
    for (Order order : {Order::row, Order::col})
      for (const Layout& layout : file_layouts(m, n, comm.size()))
        for (Int chunk : {Int{1} << 20, Int{160}}) {
          const auto x = DistMatrix<TypeParam>::own(layout, comm.rank());
          x.for_each([](Int i, Int j, TypeParam& v) { v = value_at<TypeParam>(i, j); });
          write_npy(comm, dir / "x.npy", x, {.order = order, .chunk_bytes = chunk});
          if (comm.rank() == 0) {
            EXPECT_EQ(io::bytes_of(dir / "x.npy"), npy_of<TypeParam>(m, n, order));
          }
          MPI_Barrier(comm.raw());
        }
  });
  EXPECT_EQ(dir.files(), 1);
}

TEST(Npy, EmptyMatricesAndVectorsAreRead) {
  const SharedDirectory dir;
  const auto empty = dir.with("empty.npy", npy_of<double>(0, 5, Order::row));
  const auto tall = dir.with("tall.npy", npy_of<double>(5, 0, Order::col));
  std::string vector = npy_of<double>(7, 1, Order::row);
  vector.replace(vector.find("(7, 1)"), 6, "(7,)  ");
  const auto seven = dir.with("seven.npy", vector);
  on_some_ranks([&](const Comm& comm) {
    EXPECT_EQ(read_matrix<double>(comm, empty, Layout::row_blocks(0, 5, comm.size())).words(), 0);
    EXPECT_EQ(read_matrix<double>(comm, tall, Layout::row_blocks(5, 0, comm.size())).words(), 0);
    expect_values(read_matrix<double>(comm, seven, Layout::row_blocks(7, 1, comm.size())), "vector");
  });
  const Comm world = Comm::world();
  write_npy(world, dir / "out.npy", DistMatrix<float>::own(Layout::row_blocks(0, 3, world.size()), world.rank()));
  if (world.rank() == 0) {
    EXPECT_EQ(io::bytes_of(dir / "out.npy"), npy_of<float>(0, 3, Order::row));
  }
}

// Of such places Open MPI's collective reads lose the last.
TEST(Npy, RanksMayReadTheSameElementsInPart) {
  const SharedDirectory dir;
  const auto file = dir.with("A.npy", npy_of<double>(1, 5, Order::row));
  const Grid grid({{"i", 2}});
  Layout shared;
  shared.grid = grid;
  shared.rows.extent = {0, 1};
  shared.cols = {{0, 5}, {Cut::classes(grid, 0, 2, Holders({{0}, {0, 1}}))}};
  for (Int ranks : {2, 3, 4}) {
    const testing::Group group({ranks});
    if (!group.member()) continue;
    const Comm comm(group.raw());
    expect_values(read_matrix<double>(comm, file, shared), "shared");
  }
}

TEST(Npy, RealBecomesComplexAndSingleBecomesDouble) {
  const SharedDirectory dir;
  const Comm world = Comm::world();
  const auto f4 = dir.with("f4.npy", npy_of<float>(9, 8, Order::row));
  const auto f8 = dir.with("f8.npy", npy_of<double>(9, 8, Order::row));
  const auto c8 = dir.with("c8.npy", npy_of<std::complex<float>>(9, 8, Order::col));
  const Layout layout = Layout::col_blocks(9, 8, world.size(), Order::row);
  expect_values(read_matrix<double>(world, f4, layout), "double from float");
  expect_values(read_matrix<std::complex<double>>(world, c8, layout), "complex128 from complex64");
  read_matrix<std::complex<float>>(world, f4, layout).for_each([](Int i, Int j, std::complex<float> v) {
    EXPECT_EQ(v, std::complex<float>(value_at<float>(i, j)));
  });
  read_matrix<std::complex<double>>(world, f8, layout).for_each([](Int i, Int j, std::complex<double> v) {
    EXPECT_EQ(v, std::complex<double>(value_at<double>(i, j)));
  });
}

TEST(Npy, NarrowingIsRefused) {
  const SharedDirectory dir;
  const Comm world = Comm::world();
  const auto f8 = dir.with("f8.npy", npy_of<double>(4, 4, Order::row));
  const auto c8 = dir.with("c8.npy", npy_of<std::complex<float>>(4, 4, Order::row));
  const Layout layout = Layout::row_blocks(4, 4, world.size());
  EXPECT_EQ(
      agreed_failure<ArgumentError>([&] { read_matrix<float>(world, inspect_file(world, f8, "A"), layout); }),
      "A (" + f8 + "): float64 numbers cannot be read as float32 without loss, expected a type of double precision");
  EXPECT_NE(
      agreed_failure<ArgumentError>([&] { read_matrix<double>(world, c8, layout); }).find("expected a complex type"),
      std::string::npos);
  EXPECT_NE(
      agreed_failure<ArgumentError>([&] { read_matrix<std::complex<float>>(world, f8, layout); }).find("precision"),
      std::string::npos);
}

TEST(Npy, NumbersThatAreNotFiniteAreRefusedByPosition) {
  const SharedDirectory dir;
  const Comm world = Comm::world();
  for (Order order : {Order::row, Order::col}) {
    const auto path = dir.with("nan.npy", npy_of<double>(20, 30, order, [](Int i, Int j) {
                                 if (i == 17 && j == 5) return std::numeric_limits<double>::quiet_NaN();
                                 return i == 19 && j == 29 ? std::numeric_limits<double>::infinity() : 1.0;
                               }));
    for (const Layout& layout : file_layouts(20, 30, world.size()))
      EXPECT_EQ(
          agreed_failure<FileError>([&] { read_matrix<double>(world, inspect_file(world, path, "B"), layout); }),
          "B (" + path + "): found NaN or infinity in row 17, column 5 (counted from 0), expected finite numbers");
    const auto x = read_matrix<double>(world, path, Layout::on_one_rank(20, 30), {.allow_nonfinite = true});
    if (world.rank() == 0) {
      EXPECT_TRUE(std::isnan(x.local()(17, 5)));
    }
  }
}

TEST(Npy, MissingTruncatedAndForeignFilesGiveTheSameErrorOnEveryRank) {
  const SharedDirectory dir;
  const Comm world = Comm::world();
  const auto failure = [&](const std::string& path) {
    return agreed_failure<FileError>([&] { inspect_file(world, path, "A"); });
  };
  EXPECT_EQ(failure(dir / "none.npy"), "A (" + (dir / "none.npy") + "): cannot be opened: No such file or directory");
  EXPECT_NE(failure(dir / ".").find("is a directory"), std::string::npos);
  EXPECT_NE(failure("/dev/null").find("no regular file"), std::string::npos);
  EXPECT_NE(failure(dir.with("empty", "")).find("the file is empty"), std::string::npos);
  EXPECT_NE(failure(dir.with("text", "hello")).find("begins with 'hello', expected a .npy file"), std::string::npos);
  const std::string whole = npy_of<double>(10, 10, Order::row);
  EXPECT_NE(failure(dir.with("short.npy", whole.substr(0, whole.size() - 1))).find("truncated: found 799 bytes"),
            std::string::npos);
  EXPECT_NE(failure(dir.with("head.npy", whole.substr(0, 20))).find("truncated"), std::string::npos);
}

TEST(Npy, AnElementFarBeyond32BitsIsFound) {
  const SharedDirectory dir;
  const Comm world = Comm::world();
  ASSERT_GE(world.size(), 2);
  constexpr Int m = 70001, n = 70003;  // 4.9e9 elements, 19.6 GB of which next to nothing is on the disk
  const auto path = dir.with("huge.npy", io::format_npy_header(ScalarType::float32, Order::row, m, n));
  if (world.rank() == 0) {
    const Int start = static_cast<Int>(std::filesystem::file_size(path));
    std::filesystem::resize_file(path, static_cast<std::uintmax_t>(start + m * n * 4));
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const float x = 42;
    file.seekp(start + ((m - 2) * n + n - 3) * 4);
    file.write(reinterpret_cast<const char*>(&x), 4);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  // The corners belong to ranks 0 and 1, and the rest to nobody.
  Layout corners = Layout::row_blocks(m, n, 2);
  const auto ends = [](Int rim, Int size) {
    return Cut{Cut::Kind::bounds, 3, 2 * Affine::along(0), 0, 0, {0, rim, size - rim, size}};
  };
  corners.rows.cuts = {ends(3, m)}, corners.cols.cuts = {ends(4, n)};
  const auto x = read_matrix<float>(world, path, corners);
  x.for_each([](Int i, Int j, float v) { EXPECT_EQ(v, i == m - 2 && j == n - 3 ? 42.0F : 0.0F); });
  EXPECT_EQ(x.words(), world.rank() == 0 ? 12 : world.rank() == 1 ? 12 : 0);
}

TEST(WriteNpy, WhatWasThereStaysUntilTheNewFileIsWhole) {
  const SharedDirectory dir;
  const Comm world = Comm::world();
  const auto path = dir.with("out.npy", "precious");
  // A buffer that is too short on the last rank only.
  const Layout layout = Layout::row_blocks(64, 8, world.size());
  std::vector<double> buffer(512);
  const bool last = world.rank() == world.size() - 1;
  const auto x = DistMatrix<double>::borrow(layout, world.rank(), buffer.data(), last ? 1 : 512);
  EXPECT_NE(agreed_failure<ArgumentError>([&] {
              write_npy(world, path, x, {.argument = "C"});
            }).find("a buffer of 1 elements"),
            std::string::npos);
  const auto none = DistMatrix<double>::borrow(layout, world.rank(), last ? nullptr : buffer.data(), 512);
  EXPECT_NE(agreed_failure<ArgumentError>([&] { write_npy(world, path, none); }).find("null"), std::string::npos);
  const auto wide = DistMatrix<double>::own(layout, world.rank());
  EXPECT_NE(agreed_failure<ArgumentError>([&] {
              write_npy(world, path, wide, {.vector = true});
            }).find("8 columns, expected one of a vector"),
            std::string::npos);
  if (world.rank() == 0) {
    EXPECT_EQ(io::bytes_of(path), "precious");
  }
  EXPECT_EQ(dir.files(), 1);
}

TEST(WriteNpy, PathsAndOptionsThatDifferAreRefusedOnEveryRank) {
  const SharedDirectory dir;
  const Comm world = Comm::world();
  const bool here = world.rank() == 1;
  const Layout rows = Layout::row_blocks(20, 1, world.size());
  const auto refused = [&](const std::string& path, const WriteOptions& options, const Layout& layout) {
    const auto x = DistMatrix<double>::own(layout, world.rank());
    EXPECT_NE(agreed_failure<ArgumentError>([&] { write_npy(world, path, x, options); }).find("expected the same"),
              std::string::npos);
  };
  refused(dir / "x.npy", {.order = here ? Order::col : Order::row}, rows);
  refused(dir / "x.npy", {.vector = here}, rows);
  refused(dir / (here ? "y.npy" : "x.npy"), {}, rows);
  refused(dir / "x.npy", {}, here ? Layout::on_one_rank(20, 1) : rows);
  EXPECT_NE(agreed_failure<ArgumentError>([&] {
              require_writable(world, dir / (here ? "y.npy" : "x.npy"), 100);
            }).find("expected the same"),
            std::string::npos);
  const auto of_rank_0 = DistMatrix<double>::own(Layout::row_blocks(world.size(), 3, world.size()), 0);
  EXPECT_NE(agreed_failure<ArgumentError>([&] { write_npy(world, dir / "x.npy", of_rank_0); }).find("made for rank 0"),
            std::string::npos);
  EXPECT_EQ(dir.files(), 0);
}

TEST(ReadMatrix, PathsAndOptionsThatDifferAreRefusedOnEveryRank) {
  const SharedDirectory dir;
  const Comm world = Comm::world();
  const bool here = world.rank() == 1;
  const Layout layout = Layout::row_blocks(20, 3, world.size());
  const auto nan = [](Int, Int) { return std::numeric_limits<double>::quiet_NaN(); };
  const auto npy = dir.with("x.npy", npy_of<double>(20, 3, Order::row, nan)),
             other = dir.with("y.npy", npy_of<double>(20, 3, Order::row)),
             text = dir.with("x.mtx", "%%MatrixMarket matrix coordinate real general\n20 3 2\n1 2 nan\n20 1 3\n");
  const FileInfo one = inspect_file(world, npy), two = inspect_file(world, other);
  const auto refused = [&](const std::function<void()>& work) {
    EXPECT_NE(agreed_failure<ArgumentError>(work).find("expected the same"), std::string::npos);
  };
  refused([&] { inspect_file(world, here ? npy : other); });
  refused([&] { read_matrix<double>(world, here ? one : two, layout); });
  refused([&] { read_matrix<double>(world, two, here ? Layout::on_one_rank(20, 3) : layout); });
  for (const auto& path : {npy, text}) {
    refused([&] { read_matrix<double>(world, path, layout, {.allow_nonfinite = here}); });
    refused([&] { read_matrix<double>(world, path, layout, {.allow_nonfinite = true, .chunk_bytes = here ? 8 : 99}); });
  }
}

TEST(WriteNpy, NoDirectoryAndNoRoomAreNoticedOnEveryRank) {
  const SharedDirectory dir;
  const Comm world = Comm::world();
  const auto path = dir / "none/out.npy";
  EXPECT_EQ(agreed_failure<FileError>([&] {
              require_writable(world, path, 100, "-o");
            }).find("-o (" + path + "): cannot be written"),
            0U);
  const auto x = DistMatrix<float>::own(Layout::row_blocks(4, 4, world.size()), world.rank());
  EXPECT_EQ(agreed_failure<FileError>([&] {
              write_npy(world, path, x, {.argument = "-o"});
            }).find("-o (" + path + "): cannot be written"),
            0U);
  require_writable(world, dir / "new.npy", 1000);
  EXPECT_EQ(dir.files(), 0);
  constexpr Int too_much = Int{1} << 60;
  const auto failure = agreed_failure<FileError>([&] { require_writable(world, dir / "new.npy", too_much, "-o"); });
  EXPECT_NE(failure.find("no room for 1152921504606846976 bytes"), std::string::npos) << failure;
  EXPECT_EQ(dir.files(), 0);
}

}  // namespace
}  // namespace cairn
