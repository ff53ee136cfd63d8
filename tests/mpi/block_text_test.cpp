// Block-sparse matrices as Matrix Market's text: what fails, and what it cannot say.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "block_sparse.hpp"
#include "cairn/block_files.hpp"
#include "distributed.hpp"
#include "shared_directory.hpp"
#include "symmetric_blocks.hpp"

namespace cairn {
namespace {

using testing::distributed;
using testing::expect_refused_alike;
using testing::SharedDirectory;
using testing::Whole;

/// No file gets larger meanwhile.
class SmallFiles {
 public:
  explicit SmallFiles(rlim_t bytes) : signalled_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signalled_);
  }
  SmallFiles(const SmallFiles&) = delete;
  SmallFiles& operator=(const SmallFiles&) = delete;

 private:
  rlimit before_{};
  void (*signalled_)(int);
};

// The sizes of its blocks belong to it.
TEST(BlockText, AFailedWriteOfTextLeavesAllThreeOldFiles) {
  const SharedDirectory dir;
  const Comm comm = Comm::world();
  const Whole<double> x = testing::some_blocks<double>(testing::some_sizes(13, 17), testing::some_sizes(9, 18), 40, 17);
  write_matrix_market(distributed(comm, x, BlockDistribution::dealt(13, 9, comm.size())), dir / "a.mtx");
  const BlockSizes sizes(40, 30);
  BlockSparse<double> large(comm, sizes, sizes);
  large.add_to_diagonal(1.123456789);
  {
    const SmallFiles limit(8192);
    expect_refused_alike<FileError>(
        comm, [&] { write_matrix_market(large, dir / "a.mtx"); }, "a.mtx");
  }
  EXPECT_EQ(dir.files(), 3);
  EXPECT_TRUE(testing::equal(read_block_sparse<double>(comm, dir / "a.mtx"), x));
  write_matrix_market(large, dir / "a.mtx");
  EXPECT_EQ(read_block_sparse<double>(comm, dir / "a.mtx").trace(), large.trace());
}

TEST(BlockText, NothingDenseLimitsTheSizesOfABlockSparseMatrix) {
  const SharedDirectory dir;
  const Comm comm = Comm::world();
  const std::string path =
      dir.with("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2147483648 2147483648 1\n2147483648 1 7\n");
  const BlockSizes halves(2, 1 << 30);
  const auto where = BlockDistribution::dealt(2, 2, comm.size());
  const FileInfo file = inspect_file(comm, path, "A");
  expect_refused_alike(
      comm, [&] { read_block_sparse<double>(comm, file, {1}, {1}, where); }, "expected the 2147483648 of A");
  expect_refused_alike<FileError>(
      comm, [&] { read_matrix<double>(comm, file, Layout::row_blocks(file.rows, file.cols, comm.size())); },
      "below 2^63 for a dense matrix");
  const auto empty = dir.with("e.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2147483648 2147483648 0\n");
  const BlockSparse<double> A = read_block_sparse<double>(comm, empty, halves, halves, where, {.keep_symmetry = true});
  EXPECT_EQ(A.m(), Int{1} << 31);
  EXPECT_EQ(A.blocks(), 0);
}

// Others read no element on the diagonal of a matrix that is said to be skew-symmetric.
TEST(BlockText, AntisymmetricTextHasNoDiagonal) {
  const SharedDirectory dir;
  const Comm comm = Comm::world();
  Whole<double> x{{1, 2, 3}, {1, 2, 3}, {}};
  for (BlockIndex i : {0, 1, 2}) x.at(i, i);
  x.at(0, 1) = {1, 2}, x.at(1, 0) = {-1, -2};
  const std::string path = dir / "a.mtx";
  const BlockSparse<double> A =
      distributed(comm, x, BlockDistribution::dealt(3, 3, comm.size()), Symmetry::antisymmetric);
  write_matrix_market(A, path);
  std::ifstream text(path);
  std::string line;
  std::getline(text, line), std::getline(text, line);
  int entries = 0;
  for (Int i = 0, j = 0; std::getline(text, line); ++entries) {
    std::istringstream(line) >> i >> j;
    EXPECT_GT(i, j) << line;
  }
  EXPECT_EQ(entries, 4);
  x.blocks.erase({0, 0});  // has no place in such a file
  EXPECT_TRUE(testing::equal(read_block_sparse<double>(comm, path), x));
}

}  // namespace
}  // namespace cairn
