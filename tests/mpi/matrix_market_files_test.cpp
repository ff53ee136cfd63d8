// Matrices from Matrix Market files, plain and compressed.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <string>

#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "cairn/files.hpp"
#include "file_matrices.hpp"
#include "shared_directory.hpp"

namespace cairn {

namespace {

using testing::agreed_failure, testing::file_layouts, testing::on_some_ranks, testing::SharedDirectory;

/// Entry (i, j) of a dense copy.
template <class T>
void expect_elements(const DistMatrix<T>& x, const std::function<T(Int, Int)>& f, const std::string& what) {
  Int wrong = 0;
  x.for_each([&](Int i, Int j, T v) { wrong += v != f(i, j); });
  EXPECT_EQ(wrong, 0) << what;
}

TEST(MatrixMarket, EntriesReachTheirOwnersWhateverTheSlices) {
  const SharedDirectory dir;
  constexpr Int m = 31, n = 17;
  const auto f = [](Int i, Int j) { return (i * 7 + j * 3) % 5 == 0 ? static_cast<double>(i - 2 * j) + 0.25 : 0.0; };
  std::string body;
  int entries = 0;
  for (Int i = m; i-- > 0;)  // in no particular order, with lines of different lengths
    for (Int j = 0; j < n; ++j)
      if (f(i, j) != 0) {
        ++entries;
        body += std::to_string(i + 1) + std::string(static_cast<std::size_t>(1 + (i + j) % 9), ' ') +
                std::to_string(j + 1) + " " + std::to_string(f(i, j)) + "\n";
      }
  const auto path = dir.with("a.mtx", "%%MatrixMarket matrix coordinate real general\n% a comment\n31 17 " +
                                          std::to_string(entries) + "\n" + body);
  on_some_ranks([&](const Comm& comm) {
    for (const Layout& layout : file_layouts(m, n, comm.size()))
      for (Int chunk : {Int{1} << 62, Int{comm.size() == 2 ? 5 : 100}})
        expect_elements<double>(read_matrix<double>(comm, path, layout, {.chunk_bytes = chunk}), f,
                                "chunk " + std::to_string(chunk));
  });
}

TEST(MatrixMarket, DuplicatesAreSummedAndTrianglesCompleted) {
  const SharedDirectory dir;
  const Comm world = Comm::world();
  const Layout layout = Layout::block_cyclic(3, 3, {.mb = 1, .nb = 1, .pr = 1, .pc = world.size()});
  using Z = std::complex<double>;
  const auto symmetric =
      dir.with("s.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n3 1 2\n3 1 0.5\n3 3 4");
  expect_elements<double>(
      read_matrix<double>(world, symmetric, layout),
      [](Int i, Int j) {
        return i == 0 && j == 0 ? 1.0 : i == 2 && j == 2 ? 4.0 : i + j == 2 && i != j ? 2.5 : 0.0;
      },
      "symmetric");
  const auto hermitian =
      dir.with("h.mtx", "%%MatrixMarket matrix array complex hermitian\n3 3\n1 0\n2 1\n3 2\n4 0\n5 3\n6 0\n");
  const std::array<Z, 9> h{Z(1), Z(2, -1), Z(3, -2), Z(2, 1), Z(4), Z(5, -3), Z(3, 2), Z(5, 3), Z(6)};
  expect_elements<Z>(
      read_matrix<Z>(world, hermitian, layout), [&](Int i, Int j) { return h[static_cast<std::size_t>(3 * i + j)]; },
      "hermitian");
  const auto skew = dir.with("k.mtx", "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 1\n2 1 7\n");
  expect_elements<float>(
      read_matrix<float>(world, skew, layout),
      [](Int i, Int j) { return i == 1 && j == 0   ? 7.0F
                                : i == 0 && j == 1 ? -7.0F
                                                   : 0.0F; }, "skew");
  EXPECT_EQ(inspect_file(world, hermitian, "h").note, "Matrix Market, array complex hermitian");
  EXPECT_EQ(inspect_file(world, skew, "k").note, "Matrix Market, coordinate integer skew-symmetric");
  const auto pattern = dir.with("p.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n2 3\n");
  expect_elements<Z>(
      read_matrix<Z>(world, pattern, layout), [](Int i, Int j) { return i == 1 && j == 2 ? Z(1) : Z(0); }, "pattern");
}

TEST(MatrixMarket, ACompressedFileReadsAsThePlainOne) {
  const Comm world = Comm::world();
  const std::string path = std::string(CAIRN_SOURCE_DIR) + "/data/water128_szv_S.mtx.gz";
  const FileInfo info = inspect_file(world, path, "S");
  EXPECT_TRUE(info.compressed);
  EXPECT_EQ(info.rows, 768);
  EXPECT_EQ(info.entries, 112799);
  EXPECT_EQ(info.note, "Matrix Market, coordinate real symmetric, gzip");
  const auto x = read_matrix<double>(world, info, Layout::row_blocks(768, 768, world.size()), {.chunk_bytes = 20000});
  const auto t = read_matrix<double>(world, info, Layout::col_blocks(768, 768, world.size()));
  double square = 0;
  x.for_each([&](Int, Int, double v) { square += v * v; });
  MPI_Allreduce(MPI_IN_PLACE, &square, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_NEAR(std::sqrt(square), 32.15143983566702, 1e-10);  // data/water128_szv.json
  // Symmetric: what is read by columns is what was read by rows.
  Int wrong = 0;
  const Int first = x.layout().rows_at(world.rank()).pieces().front().lo;
  t.for_each([&](Int i, Int j, double v) { wrong += v != x.local()(j - first, i); });
  EXPECT_EQ(wrong, 0);
  // Where another rank is the first, which has not looked at the file.
  MPI_Comm turned = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world.rank(), &turned);
  {
    const Comm reversed(turned);
    const auto y = read_matrix<double>(reversed, info, Layout::row_blocks(768, 768, reversed.size()));
    double sum = 0;
    y.for_each([&](Int, Int, double v) { sum += v * v; });
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_NEAR(std::sqrt(sum), 32.15143983566702, 1e-10);
  }
  MPI_Comm_free(&turned);
}

TEST(MatrixMarket, ErrorsNameTheLineOfTheFileOnEveryRank) {
  const SharedDirectory dir;
  const Comm world = Comm::world();
  std::string text = "%%MatrixMarket matrix coordinate real general\n200 200 200\n";
  for (int i = 1; i <= 200; ++i) text += std::to_string(i) + " 7 " + (i == 150 ? "nan" : "1.5") + "\n";
  const auto path = dir.with("a.mtx", text);
  const auto failure = [&](const std::string& p, bool allow = false) {
    return agreed_failure<FileError>([&] {
      read_matrix<double>(world, inspect_file(world, p, "A"), Layout::row_blocks(200, 200, world.size()),
                          {.allow_nonfinite = allow});
    });
  };
  EXPECT_EQ(failure(path), "A (" + path + "), line 152: found 'nan', expected a finite number as the value");
  const auto few = dir.with("few.mtx", text.substr(0, text.find("181 7")));
  EXPECT_NE(failure(few, true).find("found 180 entries, expected 200"), std::string::npos);
  const auto more = dir.with("more.mtx", text + "1 1 1\n");
  EXPECT_NE(failure(more, true).find("found 201 entries, expected 200"), std::string::npos);
  const auto word = dir.with("word.mtx", text + "x\n");
  EXPECT_NE(failure(word, true).find("line 203: found 'x'"), std::string::npos);
  const auto binary =
      dir.with("binary.mtx", "%%MatrixMarket matrix coordinate real general\n200 200 200\n" + std::string(5000, '\1'));
  EXPECT_NE(failure(binary, true).find("line 3: found"), std::string::npos);
  const Layout wider = Layout::row_blocks(200, 200, world.size() + 1);
  EXPECT_NE(agreed_failure<ArgumentError>([&] { read_matrix<double>(world, word, wider); }).find("a layout on"),
            std::string::npos);
  const auto large = dir.with("large.mtx", "%%MatrixMarket matrix coordinate real general\n200 200 1\n3 4 1e200\n");
  EXPECT_NE(agreed_failure<FileError>([&] {
              read_matrix<float>(world, large, Layout::row_blocks(200, 200, world.size()));
            }).find("row 3, column 4 is too large for float32"),
            std::string::npos);
}

// Each part of a complex number counts, not its absolute value; and the sum of duplicates.
TEST(MatrixMarket, NumbersThatBecomeTooLargeAreRefused) {
  const SharedDirectory dir;
  const Comm world = Comm::world();
  using C = std::complex<float>;
  const Layout one = Layout::on_one_rank(1, 1);
  const auto file = [&](const char* name, const std::string& field, const std::string& entries, int count) {
    return dir.with(
        name, "%%MatrixMarket matrix coordinate " + field + " general\n1 1 " + std::to_string(count) + "\n" + entries);
  };
  const auto fits = file("fits.mtx", "complex", "1 1 3e38 3e38\n", 1);
  expect_elements<C>(
      read_matrix<C>(world, fits, one), [](Int, Int) { return C(3e38F, 3e38F); }, "fits");
  const auto refused = [&](const std::string& path, auto zero, const std::string& part) {
    using T = decltype(zero);
    EXPECT_NE(agreed_failure<FileError>([&] { read_matrix<T>(world, path, one); }).find(part), std::string::npos);
    EXPECT_NO_THROW(read_matrix<T>(world, path, one, {.allow_nonfinite = true}));
  };
  refused(file("wide.mtx", "complex", "1 1 1.5e308 1.5e308\n", 1), C(), "row 1, column 1 is too large for complex64");
  refused(file("sum.mtx", "real", "1 1 1.5e308\n1 1 1.5e308\n", 2), 0.0, "the sum is too large for float64");
  refused(file("small.mtx", "real", "1 1 2e38\n1 1 2e38\n", 2), 0.0F, "the sum is too large for float32");
}

}  // namespace
}  // namespace cairn
