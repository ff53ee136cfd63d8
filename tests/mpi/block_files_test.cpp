// Block-sparse matrices from and to files.
#include "cairn/block_files.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "../io/mutator.hpp"
#include "../io/sealed.hpp"
#include "block_sparse.hpp"
#include "distributed.hpp"
#include "io/block_file.hpp"
#include "shared_directory.hpp"
#include "symmetric_blocks.hpp"

namespace cairn {
namespace {

using testing::distributed;
using testing::expect_refused_alike;
using testing::SharedDirectory;
using testing::Whole;

/// f(comm) on 1 to 4 ranks.
template <class F>
void on_few_ranks(F f) {
  for (const std::vector<Int>& sizes : std::vector<std::vector<Int>>{{4}, {3, 1}, {2}}) {
    const testing::Group group(sizes);
    if (group.member()) f(Comm(group.raw()));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// A file's name that only the ranks of a communicator use.
std::string name_for(const Comm& comm, const char* name) { return std::to_string(comm.size()) + name; }

/// A matrix with blocks of zero size, empty block rows and a block of zeros.
template <class T>
Whole<T> rectangle(std::uint64_t seed) {
  Whole<T> x = testing::some_blocks<T>(testing::some_sizes(13, seed), testing::some_sizes(9, seed + 1), 40, seed);
  for (T& v : x.blocks.begin()->second) v = T(0);
  return x;
}

template <class T>
Whole<T> symmetric(Symmetry symmetry, std::uint64_t seed) {
  return testing::some_symmetric_blocks<T>(symmetry, testing::some_sizes(11, seed), 30, seed);
}

/// What a text says of a matrix with that symmetry: blocks of one row on the diagonal of an antisymmetric one have no
/// place there.
template <class T>
Whole<T> in_text(Symmetry symmetry, Whole<T> x) {
  if (symmetry == Symmetry::antisymmetric)
    std::erase_if(x.blocks, [](const auto& b) { return b.first.first == b.first.second && b.second.size() == 1; });
  return x;
}

/// Distributions of the blocks over the ranks: dealt, all on one rank, and a row of ranks.
std::vector<BlockDistribution> distributions(const Comm& comm, std::size_t rows, std::size_t cols) {
  const Int m = static_cast<Int>(rows), n = static_cast<Int>(cols);
  return {BlockDistribution::dealt(m, n, comm.size()), BlockDistribution::dealt(m, n, 1, 1),
          BlockDistribution::dealt(m, n, 1, comm.size())};
}

template <class T>
class BlockFilesOfType : public ::testing::Test {};
using AllTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(BlockFilesOfType, AllTypes);

TYPED_TEST(BlockFilesOfType, ComeBackOnAnyRanksAndDistributions) {
  using T = TypeParam;
  const SharedDirectory dir;
  const Whole<T> x = rectangle<T>(3);
  on_few_ranks([&](const Comm& comm) {
    for (Int chunk : {Int{1} << 20, Int{200}})
      for (const BlockDistribution& from : distributions(comm, 13, 9)) {
        const BlockSparse<T> A = distributed(comm, x, from);
        const std::string binary = dir / name_for(comm, "a.cbs"), text = dir / name_for(comm, "a.mtx");
        write_block_sparse(A, binary, {.chunk_bytes = chunk});
        write_matrix_market(A, text, {.chunk_bytes = chunk});
        for (const std::string& path : {binary, text}) {
          const FileInfo file = inspect_file(comm, path, "A");
          EXPECT_EQ(file.rows, A.m());
          EXPECT_EQ(file.cols, A.n());
          for (const BlockDistribution& to : distributions(comm, 13, 9))
            EXPECT_TRUE(testing::equal(read_block_sparse<T>(comm, file, x.rows, x.cols, to, {.chunk_bytes = chunk}), x))
                << path << " on " << comm.size() << " ranks";
          EXPECT_TRUE(testing::equal(read_block_sparse<T>(comm, path), x));
        }
      }
  });
  // Written on four ranks, read on one and on three.
  on_few_ranks([&](const Comm& comm) {
    EXPECT_TRUE(testing::equal(read_block_sparse<T>(comm, dir / "4a.cbs"), x));
    EXPECT_TRUE(testing::equal(read_block_sparse<T>(comm, dir / "4a.mtx"), x));
  });
}

TYPED_TEST(BlockFilesOfType, KeepEveryBitOfNumbers) {
  using T = TypeParam;
  const SharedDirectory dir;
  const Comm comm = Comm::world();
  Whole<T> x{{4, 3}, {5}, {}};
  std::uint64_t seed = 0;
  for (BlockIndex i : {0, 1})
    for (T& v : x.at(i, 0)) {
      v = testing::small<T>(++seed) / T(7);
      if (seed % 5 == 0) v *= static_cast<decltype(std::abs(v))>(1e-30);
    }
  const BlockSparse<T> A = distributed(comm, x, BlockDistribution::dealt(2, 1, comm.size()));
  write_block_sparse(A, dir / "a.cbs");
  write_matrix_market(A, dir / "a.mtx");
  EXPECT_TRUE(testing::equal(read_block_sparse<T>(comm, dir / "a.cbs"), x));
  EXPECT_TRUE(testing::equal(read_block_sparse<T>(comm, dir / "a.mtx"), x));
}

TYPED_TEST(BlockFilesOfType, TrianglesAreCompleted) {
  using T = TypeParam;
  const SharedDirectory dir;
  on_few_ranks([&](const Comm& comm) {
    for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian, Symmetry::antisymmetric}) {
      const Whole<T> x = symmetric<T>(symmetry, 5);
      const BlockSparse<T> A = distributed(comm, x, BlockDistribution::dealt(11, 11, comm.size()));
      const std::string half = dir / name_for(comm, "half.mtx"), whole = dir / name_for(comm, "whole.mtx");
      write_matrix_market(A, half, {.symmetry = symmetry, .chunk_bytes = 300});
      write_matrix_market(A, whole);
      EXPECT_LT(inspect_file(comm, half).entries, inspect_file(comm, whole).entries);
      const BlockSparse<T> B = read_block_sparse<T>(comm, half);
      EXPECT_TRUE(testing::equal(B, in_text(symmetry, x))) << static_cast<int>(symmetry);
      BlockSparse<T> other = A;
      other.for_each([](BlockIndex i, BlockIndex j, MatrixView<T> block) {
        if (i < j) block(0, 0) += T(1);
      });
      expect_refused_alike(
          comm, [&] { write_matrix_market(other, half, {.symmetry = symmetry}); }, "is not the mirror image");
      EXPECT_TRUE(testing::equal(read_block_sparse<T>(comm, half), in_text(symmetry, x)));
    }
  });
}

// A matrix that stores half of its blocks is written and read so, or with all of them.
TYPED_TEST(BlockFilesOfType, HalvesComeBackAsHalves) {
  using T = TypeParam;
  const SharedDirectory dir;
  on_few_ranks([&](const Comm& comm) {
    for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian, Symmetry::antisymmetric}) {
      const Whole<T> x = symmetric<T>(symmetry, 5);
      const std::string binary = dir / name_for(comm, "s.cbs"), text = dir / name_for(comm, "s.mtx"),
                        whole = dir / name_for(comm, "w.mtx");
      const BlockDistribution flat = BlockDistribution::dealt(11, 11, 1, comm.size());
      const BlockSparse<T> A = testing::distributed(comm, x, flat, symmetry);
      write_block_sparse(A, binary, {.chunk_bytes = 300});
      write_matrix_market(A, text, {.chunk_bytes = 300});
      write_matrix_market(distributed(comm, x, flat), whole, {.symmetry = symmetry});
      EXPECT_LE(inspect_file(comm, text).entries, inspect_file(comm, whole).entries);
      for (const std::string& path : {binary, text, whole}) {
        EXPECT_EQ(inspect_file(comm, path).symmetry, A.symmetry());
        const BlockSparse<T> B = read_block_sparse<T>(comm, path, {.chunk_bytes = 300, .keep_symmetry = true});
        EXPECT_EQ(B.symmetry(), A.symmetry());
        EXPECT_TRUE(testing::equal(B, testing::upper(path == binary ? x : in_text(symmetry, x)))) << path;
      }
      EXPECT_EQ(read_block_sparse<T>(comm, binary).symmetry(), A.symmetry());
      EXPECT_TRUE(testing::equal(read_block_sparse<T>(comm, text), in_text(symmetry, x)));
      const Symmetry other = symmetry == Symmetry::antisymmetric ? Symmetry::symmetric : Symmetry::antisymmetric;
      expect_refused_alike(
          comm, [&] { write_matrix_market(A, text, {.symmetry = other}); }, "as is to be written");
    }
  });
}

TEST(BlockFiles, EmptyMatricesComeBack) {
  const SharedDirectory dir;
  on_few_ranks([&](const Comm& comm) {
    for (const auto& [rows, cols] : std::vector<std::pair<BlockSizes, BlockSizes>>{
             {{}, {}}, {{3, 0}, {}}, {{0, 0, 0}, {2}}, {{4, 4}, {1, 2, 3}}}) {
      const Whole<double> x{rows, cols, {}};
      const BlockSparse<double> A(comm, rows, cols);
      const std::string binary = dir / name_for(comm, "e.cbs"), text = dir / name_for(comm, "e.mtx");
      write_block_sparse(A, binary);
      write_matrix_market(A, text);
      EXPECT_EQ(inspect_file(comm, binary).entries, 0);
      EXPECT_TRUE(testing::equal(read_block_sparse<double>(comm, binary), x));
      const BlockSparse<double> B = read_block_sparse<double>(comm, text);
      EXPECT_TRUE(testing::equal(B, x));
      EXPECT_EQ(B.rows(), rows);
      EXPECT_EQ(B.cols(), cols);
    }
  });
}

TEST(BlockFiles, MatrixMarketOfOthersIsRead) {
  const SharedDirectory dir;
  using Z = std::complex<double>;
  const BlockSizes sizes{2, 0, 1};
  const auto duplicates =
      dir.with("s.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n3 1 2\n3 1 0.5\n3 3 0\n");
  Whole<double> s{sizes, sizes, {}};
  s.at(0, 0) = {1, 0, 0, 0}, s.at(2, 0) = {2.5, 0}, s.at(0, 2) = {2.5, 0}, s.at(2, 2) = {0};
  const auto pattern = dir.with("p.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n2 3\n");
  Whole<float> p{sizes, sizes, {}};
  p.at(0, 2) = {0, 1};
  const auto integers = dir.with("k.mtx", "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 1\n2 1 7\n");
  Whole<double> k{sizes, sizes, {}};
  k.at(0, 0) = {0, 7, -7, 0};
  // What an array says is zero is not stored.
  const auto array =
      dir.with("h.mtx", "%%MatrixMarket matrix array complex hermitian\n3 3\n1 0\n2 1\n0 0\n4 0\n0 0\n0 0\n");
  Whole<Z> h{sizes, sizes, {}};
  h.at(0, 0) = {Z(1), Z(2, 1), Z(2, -1), Z(4)};
  on_few_ranks([&](const Comm& comm) {
    for (Int chunk : {Int{1} << 20, Int{5}}) {
      const auto where = BlockDistribution::dealt(3, 3, comm.size());
      const ReadOptions options{.chunk_bytes = chunk};
      EXPECT_TRUE(testing::equal(read_block_sparse<double>(comm, duplicates, sizes, sizes, where, options), s));
      EXPECT_TRUE(testing::equal(read_block_sparse<float>(comm, pattern, sizes, sizes, where, options), p));
      EXPECT_TRUE(testing::equal(read_block_sparse<double>(comm, integers, sizes, sizes, where, options), k));
      EXPECT_TRUE(testing::equal(read_block_sparse<Z>(comm, array, sizes, sizes, where, options), h));
    }
  });
}

TEST(BlockFiles, WaterIsReadByMolecules) {
  const std::string path = std::string(CAIRN_SOURCE_DIR) + "/data/water128_szv_S.mtx.gz";
  on_few_ranks([&](const Comm& comm) {
    const FileInfo file = inspect_file(comm, path, "S");
    const BlockSizes molecules = parse_block_sizes("6", file.rows);
    const BlockSparse<double> S = read_block_sparse<double>(
        comm, file, molecules, molecules, BlockDistribution::dealt(128, 128, comm.size()), {.chunk_bytes = 50000});
    EXPECT_NEAR(S.norm(Norm::frobenius), 32.15143983566702, 1e-10);  // data/water128_szv.json
    BlockSparse<double> difference = S.transposed();
    difference.add(-1.0, S);
    EXPECT_EQ(difference.norm(Norm::max), 0);
  });
}

TEST(BlockFiles, NumbersBecomeWiderAndNeverNarrower) {
  const SharedDirectory dir;
  const Comm comm = Comm::world();
  const Whole<float> x = rectangle<float>(8);
  write_block_sparse(distributed(comm, x, BlockDistribution::dealt(13, 9, comm.size())), dir / "f.cbs");
  Whole<std::complex<double>> wide{x.rows, x.cols, {}};
  for (const auto& [place, block] : x.blocks)
    for (std::size_t w = 0; w < block.size(); ++w) wide.at(place.first, place.second)[w] = block[w];
  EXPECT_TRUE(testing::equal(read_block_sparse<std::complex<double>>(comm, dir / "f.cbs"), wide));
  write_block_sparse(distributed(comm, wide, BlockDistribution::dealt(13, 9, comm.size())), dir / "z.cbs");
  expect_refused_alike(
      comm, [&] { read_block_sparse<double>(comm, dir / "z.cbs"); }, "expected a complex type");
  expect_refused_alike(
      comm, [&] { read_block_sparse<std::complex<float>>(comm, dir / "z.cbs"); },
      "expected a type of double precision");
}

TEST(BlockFiles, WhatIsNotFiniteIsNamedOrCarriedOn) {
  const SharedDirectory dir;
  const Comm comm = Comm::world();
  Whole<double> x = rectangle<double>(9);
  const auto place = std::next(x.blocks.begin(), 5)->first;
  x.blocks[place].back() = std::numeric_limits<double>::infinity();
  const BlockSparse<double> A = distributed(comm, x, BlockDistribution::dealt(13, 9, comm.size()));
  write_block_sparse(A, dir / "a.cbs");
  write_matrix_market(A, dir / "a.mtx");
  expect_refused_alike<FileError>(
      comm, [&] { read_block_sparse<double>(comm, dir / "a.cbs"); },
      "found NaN or infinity in block (" + std::to_string(place.first) + ", " + std::to_string(place.second) + ")");
  expect_refused_alike<FileError>(
      comm, [&] { read_block_sparse<double>(comm, dir / "a.mtx"); }, "finite number");
  for (const char* name : {"a.cbs", "a.mtx"})
    EXPECT_TRUE(testing::equal(read_block_sparse<double>(comm, dir / name, {.allow_nonfinite = true}), x));
}

TEST(BlockFiles, SizesThatDoNotFitAreRefused) {
  const SharedDirectory dir;
  const Comm comm = Comm::world();
  const Whole<double> x = rectangle<double>(11);
  const BlockDistribution where = BlockDistribution::dealt(13, 9, comm.size());
  write_block_sparse(distributed(comm, x, where), dir / "a.cbs");
  write_matrix_market(distributed(comm, x, where), dir / "a.mtx");
  const FileInfo binary = inspect_file(comm, dir / "a.cbs", "A"), text = inspect_file(comm, dir / "a.mtx", "A");
  BlockSizes wrong = x.rows, swapped = x.rows;
  ++wrong.back();
  std::swap(swapped[0], *std::find_if(swapped.begin(), swapped.end(), [&](BlockIndex s) { return s != swapped[0]; }));
  for (const FileInfo& file : {binary, text})
    expect_refused_alike(
        comm, [&] { read_block_sparse<double>(comm, file, wrong, x.cols, where); },
        "expected the " + std::to_string(binary.rows) + " of A (");
  expect_refused_alike(
      comm, [&] { read_block_sparse<double>(comm, binary, swapped, x.cols, where); },
      "rows are in other blocks than those of the file");
  expect_refused_alike(
      comm,
      [&] { read_block_sparse<double>(comm, text, x.rows, x.cols, BlockDistribution::dealt(12, 9, comm.size())); },
      "where: 12 rows of blocks, expected 13");
  expect_refused_alike<FileError>(
      comm, [&] { read_matrix<double>(comm, binary, Layout::row_blocks(binary.rows, binary.cols, comm.size())); },
      "a block-sparse file, expected a dense matrix");
  if (comm.rank() == 0) std::filesystem::remove(dir / "a.mtx.cols");
  MPI_Barrier(comm.raw());
  expect_refused_alike<FileError>(
      comm, [&] { read_block_sparse<double>(comm, text); }, "a.mtx.cols: cannot be opened");
  dir.with("a.mtx.cols", "1000x3");
  expect_refused_alike<FileError>(
      comm, [&] { read_block_sparse<double>(comm, text); }, "a.mtx.cols: sizes of blocks add up to more than ");
}

// --- Files that are cut short, damaged, or of another kind

TEST(BlockFiles, EveryDamagedByteIsNoticed) {
  const SharedDirectory dir;
  const Comm comm = Comm::world();
  const Whole<float> x = rectangle<float>(13);
  write_block_sparse(distributed(comm, x, BlockDistribution::dealt(13, 9, comm.size())), dir / "a.cbs");
  std::string bytes;
  if (comm.rank() == 0) bytes = io::bytes_of(dir / "a.cbs");
  Int size = static_cast<Int>(bytes.size());
  MPI_Bcast(&size, 1, MPI_INT64_T, 0, comm.raw());
  const auto refused = [&](const std::string& damaged, const std::string& part) {
    dir.with("b.cbs", damaged);
    expect_refused_alike<FileError>(
        comm, [&] { read_block_sparse<float>(comm, dir / "b.cbs", {.allow_nonfinite = true}); }, part);
  };
  for (Int at = 0; at < size; at += at < 80 ? 1 : 29) {
    std::string damaged = bytes;
    if (comm.rank() == 0) damaged[static_cast<std::size_t>(at)] ^= 4;
    refused(damaged, dir / "b.cbs");
  }
  for (Int length : {Int{1}, Int{8}, Int{40}, Int{64}, Int{100}, size - 1}) {
    refused(bytes.substr(0, static_cast<std::size_t>(length)), length < 8 ? "begins with" : "truncated");
  }
  refused(bytes + "x", "damaged");
  refused("", "the file is empty");
}

/// Reads what is left of files that were damaged: what ranks say is the same, and what they read is a matrix.
void fuzz(const Comm& comm, const SharedDirectory& dir, const std::vector<std::string>& files, unsigned seed,
          const std::function<BlockSparse<float>(const std::string&)>& read) {
  io::Mutator mutator(seed);  // the same on all ranks
  int accepted = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string bytes = mutator.damaged(files[mutator.below(files.size())], files);
    const std::string path = dir.with("fuzz", io::sealed(bytes));
    std::string said = "accepted";
    try {
      const BlockSparse<float> A = read(path);
      ++accepted;
      EXPECT_TRUE(std::isfinite(A.norm(Norm::max)));
      EXPECT_EQ(A.transposed().transposed().blocks(), A.blocks());
    } catch (const FileError& error) {
      said = error.what();
      io::expect_clear(error, path);
    } catch (const ArgumentError& error) {  // other sizes in the file
      said = error.what();
    }
    EXPECT_NO_THROW(comm.agree_same("outcome", said)) << said;
  }
  EXPECT_GT(accepted, 10);
}

TEST(BlockFiles, DamagedOnesWithTheRightChecksumsAreReadOrRefused) {
  const SharedDirectory dir;
  const Comm comm = Comm::world();
  const Whole<float> x = rectangle<float>(19);
  write_block_sparse(distributed(comm, x, BlockDistribution::dealt(13, 9, comm.size())), dir / "a.cbs");
  fuzz(comm, dir, {io::bytes_of(dir / "a.cbs")}, 5,
       [&](const std::string& path) { return read_block_sparse<float>(comm, path); });
  write_block_sparse(testing::distributed(comm, symmetric<float>(Symmetry::antisymmetric, 5),
                                          BlockDistribution::dealt(11, 11, comm.size()), Symmetry::antisymmetric),
                     dir / "s.cbs");
  fuzz(comm, dir, {io::bytes_of(dir / "s.cbs")}, 7,
       [&](const std::string& path) { return read_block_sparse<float>(comm, path); });
}

TEST(BlockFiles, DamagedTextIsReadOrRefused) {
  const SharedDirectory dir;
  const Comm comm = Comm::world();
  const std::vector<std::string> files{
      "%%MatrixMarket matrix coordinate real general\n% comment\n5 4 3\n1 1 1.5\n5 4 -2e3\n2 3 1D+2\n",
      "%%MatrixMarket matrix coordinate pattern symmetric\r\n\r\n5 5 2\r\n3 1\r\n4 4\r\n",
      "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4.5\n-5e-1\n6"};
  fuzz(comm, dir, files, 6, [&](const std::string& path) {
    const FileInfo file = inspect_file(comm, path);
    const auto ones = [](Int size) { return BlockSizes(static_cast<std::size_t>(std::min<Int>(size, 1000)), 1); };
    const BlockDistribution where = BlockDistribution::dealt(static_cast<Int>(ones(file.rows).size()),
                                                             static_cast<Int>(ones(file.cols).size()), comm.size());
    return read_block_sparse<float>(comm, file, ones(file.rows), ones(file.cols), where, {.chunk_bytes = 20});
  });
}

TEST(BlockFiles, AFailedWriteLeavesTheOldFile) {
  const SharedDirectory dir;
  const Comm comm = Comm::world();
  const Whole<double> x = rectangle<double>(17);
  const BlockSparse<double> A = distributed(comm, x, BlockDistribution::dealt(13, 9, comm.size()));
  expect_refused_alike<FileError>(
      comm, [&] { write_block_sparse(A, dir / "no/a.cbs"); }, "no file can be made");
  expect_refused_alike<FileError>(
      comm, [&] { write_matrix_market(A, dir / "no/a.mtx", {.argument = "-o"}); },
      "-o (" + (dir / "no/a.mtx.rows") + ")");
  EXPECT_EQ(dir.files(), 0);
  write_block_sparse(A, dir / "a.cbs");
  write_block_sparse(A, dir / "a.cbs");
  EXPECT_EQ(dir.files(), 1);
  write_matrix_market(A, dir / "a.mtx");
  EXPECT_EQ(dir.files(), 4);
}

TEST(BlockFiles, WhatRanksGiveDifferentlyIsRefused) {
  const SharedDirectory dir;
  const Comm comm = Comm::world();
  const Whole<double> x = rectangle<double>(17);
  const BlockSparse<double> A = distributed(comm, x, BlockDistribution::dealt(13, 9, comm.size()));
  const Int chunk = comm.rank() == 0 ? 64 : Int{1} << 20;
  const std::string mine = std::to_string(std::min(1, comm.rank()));
  const auto refused = [&](auto f, const char* part) { expect_refused_alike(comm, f, part); };
  for (const std::string& kind : {std::string(".cbs"), std::string(".mtx")}) {
    const auto write = [&](const std::string& path, const BlockWriteOptions& options) {
      kind == ".cbs" ? write_block_sparse(A, path, options) : write_matrix_market(A, path, options);
    };
    refused([&] { write(dir / ("a" + kind), {.chunk_bytes = chunk}); }, "file to write: ");
    refused([&] { write(dir / (mine + kind), {}); }, "file to write: ");
    for (const char* number : {"0", "1"}) write(dir / (number + kind), {});
    refused([&] { read_block_sparse<double>(comm, dir / ("0" + kind), {.chunk_bytes = chunk}); }, "file to read: ");
    refused([&] { read_block_sparse<double>(comm, dir / ("0" + kind), {.keep_symmetry = comm.rank() == 0}); },
            "file to read: ");
    refused([&] { inspect_file(comm, dir / (mine + kind)); }, "file to read: ");
  }
}

}  // namespace
}  // namespace cairn
