// One rank finds no memory, whenever it asks for more than a little: then all ranks say so, none waits for another, and
// the next call works.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include "../io/write_gzip.hpp"
#include "block_sparse.hpp"
#include "cairn/block_files.hpp"
#include "cairn/csr.hpp"
#include "cairn/files.hpp"
#include "cairn/redistribute.hpp"
#include "distributed.hpp"
#include "runtime/over_ranks.hpp"
#include "shared_directory.hpp"

namespace {

constexpr std::size_t little = 2048;  // objects, and what tells of block rows and columns, but not of blocks
constexpr int never = std::numeric_limits<int>::max();
int until_refused = never;
bool refused = false;

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes > little && until_refused != never && until_refused-- == 0) {
    until_refused = never, refused = true;
    throw std::bad_alloc();
  }
  void* const p = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!p) throw std::bad_alloc();
  return p;
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t a) {
  return allocate(bytes, static_cast<std::size_t>(a));
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace cairn {
namespace {

using testing::Whole;

class NoMemory : public ::testing::Test {
 protected:
  NoMemory() {
    const BlockSizes sizes(count, 4);
    some = testing::some_blocks<double>(sizes, sizes, 60, 1);
  }

  /// f as often as rank 1 asks for memory, each time without that, until it asks no more.
  template <class F>
  void expect_all_or_none(F f) {
    for (int refusals = 0;; ++refusals) {
      refused = false, until_refused = comm.rank() == 1 ? refusals : never;
      std::string said;
      try {
        f();
      } catch (const MemoryError& e) {
        said = e.what();
      }
      until_refused = never;
      EXPECT_NO_THROW(comm.agree_same("what is said", said)) << "after " << refusals;
      if (over_ranks(comm, MPI_MAX, refused ? 1 : 0) == 0) {
        EXPECT_EQ(said, "");
        EXPECT_GT(refusals, 0);
        return;
      }
    }
  }

  // Whether it is what `some` is; this asks for memory that is there.
  bool same(const BlockSparse<double>& x) const {
    const int left = std::exchange(until_refused, never);
    const bool is_same = testing::equal(x, some);
    until_refused = left;
    return is_same;
  }

  // Its blocks were stored one by one.
  BlockSparse<double> matrix() const {
    return testing::distributed(comm, some, BlockDistribution::dealt(count, count, comm.size()));
  }
  BlockDistribution elsewhere() const { return BlockDistribution::dealt(count, count, 1, comm.size()); }

  static constexpr Int count = 40;
  const testing::Another another;
  const Comm comm{another.raw};
  const testing::SharedDirectory directory;
  Whole<double> some;
};

TEST_F(NoMemory, BlocksAreStoredOrNot) {
  BlockSparse<double> x(comm, BlockSizes(3, 40), BlockSizes(3, 40));
  const std::vector<double> block(1600, 1.0);
  for (BlockIndex i = 0; i < 3; ++i) {
    if (!x.here(i, i)) continue;
    until_refused = 0;
    const std::pair<BlockIndex, BlockIndex> place(i, i);
    EXPECT_THROW(x.put(i, i, block.data()), std::bad_alloc);
    until_refused = 0;
    EXPECT_THROW(x.reserve({&place, 1}), std::bad_alloc);
    until_refused = never;
    EXPECT_EQ(x.local().blocks(), 0);
    EXPECT_EQ(x.find(i, i).data, nullptr);
  }
  EXPECT_EQ(x.norm(Norm::frobenius), 0);
  for (BlockIndex i = 0; i < 3; ++i)
    if (x.here(i, i)) x.put(i, i, block.data());
  EXPECT_EQ(x.norm(Norm::max), 1);
  EXPECT_EQ(x.blocks(), 3);
}

TEST_F(NoMemory, BlocksMove) {
  expect_all_or_none([&, x = matrix()] { EXPECT_TRUE(same(x.redistributed(elsewhere()))); });
  const BlockSparse<double> x = matrix();
  expect_all_or_none([&] {
    BlockSparse<double> y(comm, some.rows, some.cols, elsewhere());  // which has no block yet
    y.add(2, x);
    y.add(-2, x);
    EXPECT_EQ(y.norm(Norm::max), 0);
    EXPECT_EQ(y.blocks(), x.blocks());
  });
}

TEST_F(NoMemory, HalvesOfMatrices) {
  BlockSparse<double> square = matrix();
  square.add(1, square.transposed(Op::transpose));
  const double size = square.norm(Norm::frobenius);
  const BlockSparse<double> half = square.stored_as(Symmetry::symmetric);
  expect_all_or_none([&] {
    BlockSparse<double> whole = half.stored_as(Symmetry::general);
    EXPECT_NEAR(whole.norm(Norm::frobenius), size, 1e-12 * size);
    EXPECT_EQ(whole.to_dense().words(), half.to_dense().words());
    whole.add(-1, half);
    EXPECT_EQ(whole.norm(Norm::max), 0);
  });
}

TEST_F(NoMemory, BlocksToRowsAndBack) {
  const BlockSparse<double> x = matrix();
  expect_all_or_none([&] {
    const Int n = x.m(), p = comm.size();
    const auto rows = to_csr(x, {comm.rank() * n / p, (comm.rank() + 1) * n / p});
    EXPECT_TRUE(same(from_csr<double>(comm, rows.view(), some.rows, some.cols, elsewhere())));
  });
}

// Of few blocks, as what tells of a layout grows with their number.
TEST_F(NoMemory, BlocksToDenseAndBack) {
  const BlockSizes sizes(6, 30);
  const auto few = testing::some_blocks<double>(sizes, sizes, 60, 1);
  const auto x = testing::distributed(comm, few, BlockDistribution::dealt(6, 6, comm.size()));
  const double size = x.norm(Norm::frobenius);
  expect_all_or_none([&] {
    const DistMatrix<double> dense = x.to_dense();
    auto y = BlockSparse<double>::from_dense(comm, dense, sizes, sizes, BlockDistribution::dealt(6, 6, 1, comm.size()));
    EXPECT_NEAR(y.norm(Norm::frobenius), size, 1e-12 * size);
    y.add(-1, x);
    EXPECT_EQ(y.norm(Norm::max), 0);
  });
}

TEST_F(NoMemory, BlocksToFilesAndBack) {
  const BlockSparse<double> x = matrix();
  for (const char* const name : {"x.cbs", "x.mtx"})
    expect_all_or_none([&] {
      const std::string path = directory / name;
      if (path.ends_with("mtx"))
        write_matrix_market(x, path);
      else
        write_block_sparse(x, path);
      const auto y = read_block_sparse<double>(comm, path);
      EXPECT_TRUE(same(y));
    });
}

TEST_F(NoMemory, DenseMatricesToFilesAndBack) {
  const Layout layout = Layout::block_cyclic(90, 80, {1, 1, 1, comm.size()});
  const auto x = testing::filled<double>(layout, comm.rank(), 1);
  expect_all_or_none([&] {
    write_npy(comm, directory / "x.npy", x);
    const auto y = read_matrix<double>(comm, inspect_file(comm, directory / "x.npy"), layout);
    y.for_each([](Int i, Int j, double v) { ASSERT_EQ(v, testing::element<double>(i, j, 1)); });
  });
}

TEST_F(NoMemory, TextThatIsCompressed) {
  if (comm.rank() == 0) {
    std::string text = "%%MatrixMarket matrix array real general\n60 60\n";
    for (int i = 0; i < 3600; ++i) text += "1.5\n";
    io::write_gzip(directory / "x.mtx.gz", text);
  }
  MPI_Barrier(comm.raw());
  expect_all_or_none([&] {
    const FileInfo info = inspect_file(comm, directory / "x.mtx.gz");
    const auto x = read_matrix<double>(comm, info, Layout::col_blocks(60, 60, comm.size()));
    x.for_each([](Int, Int, double v) { ASSERT_EQ(v, 1.5); });
  });
}

TEST_F(NoMemory, DenseMatricesMoveAndAreMultiplied) {
  const Int p = comm.size();
  const auto A = testing::filled<double>(Layout::row_blocks(60, 60, p), comm.rank(), 1);
  const auto B = testing::filled<double>(Layout::col_blocks(60, 60, p), comm.rank(), 2);
  const auto C = testing::filled<double>(Layout::block_cyclic(60, 60, {7, 9, p, 1}), comm.rank(), 3);
  expect_all_or_none([&] {
    const testing::Another fresh;  // where nothing is kept
    redistribute(Comm(fresh.raw), A, B);
  });
  expect_all_or_none([&] {
    const testing::Another fresh;
    multiply(Comm(fresh.raw), A, B, C);
  });
}

}  // namespace
}  // namespace cairn
