// Damaged files: every reader either accepts what is left, and then what it returns is consistent,
// or throws FileError with a message of one line. Same mutations on every run. Meant to be run
// under the sanitizers as well.
#include <gtest/gtest.h>

#include <limits>

#include "cairn/error.hpp"
#include "io/gzip.hpp"
#include "io/matrix_market.hpp"
#include "io/npy.hpp"
#include "mutator.hpp"
#include "temporary_directory.hpp"
#include "write_gzip.hpp"

namespace cairn::io {
namespace {

const std::vector<std::string> npy_files{
    format_npy_header(ScalarType::float64, Order::row, 3, 4) + std::string(96, 'x'),
    format_npy_header(ScalarType::complex64, Order::col, 1000000, 1),
    format_npy_header(ScalarType::float32, Order::row, 0, 4),
    std::string("\x93NUMPY\x02\x00\x3b\x00\x00\x00", 12) +
        "{'descr': '<c16', 'fortran_order': True, 'shape': (12,), }\n\n"};

TEST(Fuzz, NpyHeadersAreConsistentOrRefused) {
  Mutator mutator(1);
  int accepted = 0;
  for (int i = 0; i < 40000; ++i) {
    const std::string text = mutator.damaged(npy_files[mutator.below(npy_files.size())], npy_files);
    try {
      const NpyHeader header = parse_npy_header(text, "a.npy");
      ++accepted;
      EXPECT_GE(header.rows, 0);
      EXPECT_GE(header.cols, 0);
      EXPECT_LE(header.data_offset, static_cast<Int>(text.size()));
      EXPECT_LE(npy_data_bytes(header), std::numeric_limits<Int>::max() - header.data_offset);
      check_npy_size(header, static_cast<Int>(text.size()), "a.npy");
      EXPECT_LE(header.data_offset + npy_data_bytes(header), static_cast<Int>(text.size()));
    } catch (const FileError& error) {
      expect_clear(error, "a.npy");
    }
  }
  EXPECT_GT(accepted, 1000);  // the mutations are not so harsh that nothing is tested
}

const std::vector<std::string> matrix_market_files{
    "%%MatrixMarket matrix coordinate real general\n% comment\n5 4 3\n1 1 1.5\n5 4 -2e3\n2 3 "
    "1D+2\n",
    "%%MatrixMarket matrix coordinate complex hermitian\n3 3 3\n1 1 1 0\n2 1 3.5 -1\n3 3 7 0\n",
    "%%MatrixMarket matrix coordinate pattern symmetric\r\n\r\n4 4 2\r\n3 1\r\n4 4\r\n",
    "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 10\n3 2 -4\n",
    "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4.5\n-5e-1\n6",
    "%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 1\n3 0\n",
    "%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n"};

/// Reads the entries in `parts` slices, as ranks would.
std::vector<Entry> read_in_slices(std::string_view text, Int parts) {
  const MatrixMarketHeader header = parse_matrix_market_header(text, "a.mtx");
  EXPECT_LE(header.data_offset, static_cast<Int>(text.size()));
  const std::string_view body = text.substr(static_cast<std::size_t>(header.data_offset));
  std::vector<Entry> entries;
  std::vector<std::complex<double>> values;
  Int found = 0, line = header.data_line;
  for (Int i = 0; i < parts; ++i) {
    const Range range = line_slice(body, parts, i);
    const std::string_view slice =
        body.substr(static_cast<std::size_t>(range.lo), static_cast<std::size_t>(range.size()));
    found += header.coordinate ? parse_coordinate_lines(slice, header, line, entries)
                               : parse_array_values(slice, header, line, values);
    line += count_lines(slice);
  }
  // No more memory than the text itself accounts for, whatever the header claims.
  EXPECT_LE(entries.capacity() + values.capacity(), text.size());
  check_entry_count(header, found);
  check_matrix_market_size(header, static_cast<Int>(text.size()));
  if (!header.coordinate) entries = array_entries(header, 0, values);
  mirror(header.symmetry, entries);
  for (const Entry& e : entries) {
    EXPECT_TRUE(e.row >= 0 && e.row < header.rows && e.col >= 0 && e.col < header.cols);
    EXPECT_TRUE(std::isfinite(e.value.real()) && std::isfinite(e.value.imag()));
  }
  return entries;
}

TEST(Fuzz, MatrixMarketFilesAreConsistentOrRefusedHoweverSliced) {
  Mutator mutator(2);
  int accepted = 0;
  for (int i = 0; i < 40000; ++i) {
    const auto& file = matrix_market_files[mutator.below(matrix_market_files.size())];
    const std::string text = mutator.damaged(file, matrix_market_files);
    has_matrix_market_header(text);
    std::vector<Entry> whole;
    try {
      whole = read_in_slices(text, 1);
    } catch (const FileError& error) {
      expect_clear(error, "a.mtx");
      EXPECT_THROW(read_in_slices(text, 3), FileError);
      continue;
    }
    ++accepted;
    EXPECT_EQ(read_in_slices(text, 3), whole);
  }
  EXPECT_GT(accepted, 1000);
}

TEST(Fuzz, GzipFilesAreReadOrRefused) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.gz";
  std::string all;
  for (const std::string& text : matrix_market_files) all += text;
  write_gzip(path, all);
  const std::vector<std::string> files{bytes_of(path)};
  Mutator mutator(3);
  for (int i = 0; i < 2000; ++i) {
    write_bytes(path, mutator.damaged(files[0], files));
    try {
      constexpr std::size_t most = 1032;  // times its size does a text have that was compressed by deflate
      EXPECT_LE(read_file(path).size(), most * bytes_of(path).size());
    } catch (const FileError& error) {
      expect_clear(error, path);
    }
  }
}

}  // namespace
}  // namespace cairn::io
