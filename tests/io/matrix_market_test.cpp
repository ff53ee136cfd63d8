#include "io/matrix_market.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <sstream>

#include "failure.hpp"
#include "io/text.hpp"

namespace cairn::io {
namespace {

using Field = MatrixMarketField;
using Values = std::vector<std::complex<double>>;

MatrixMarketHeader header_of(const std::string& text) { return parse_matrix_market_header(text, "a.mtx"); }

/// The whole of a coordinate file, mirror images included.
std::vector<Entry> entries_of(const std::string& text, Nonfinite nonfinite = Nonfinite::reject) {
  const MatrixMarketHeader header = header_of(text);
  const auto body = std::string_view(text).substr(static_cast<std::size_t>(header.data_offset));
  std::vector<Entry> entries;
  check_entry_count(header, parse_coordinate_lines(body, header, header.data_line, entries, nonfinite));
  mirror(header.symmetry, entries);
  return entries;
}

std::vector<Entry> array_of(const std::string& text) {
  const MatrixMarketHeader header = header_of(text);
  const auto body = std::string_view(text).substr(static_cast<std::size_t>(header.data_offset));
  Values values;
  check_entry_count(header, parse_array_values(body, header, header.data_line, values));
  auto entries = array_entries(header, 0, values);
  mirror(header.symmetry, entries);
  return entries;
}

std::string failure(const std::string& text) {
  return failure_of([&] {
    const bool coordinate = header_of(text).coordinate;
    coordinate ? entries_of(text) : array_of(text);
  });
}

const std::string coordinate_real = "%%MatrixMarket matrix coordinate real general\n";

TEST(MatrixMarket, ReadsTheHeaderWhateverTheCaseAndComments) {
  const std::string text =
      "%%matrixMARKET Matrix Coordinate  COMPLEX\tSkew-Symmetric\r\n% one\n\n  %two\n  \n 3 3 2 \n";
  const MatrixMarketHeader header = header_of(text + "2 1 1 1\n");
  EXPECT_TRUE(header.coordinate);
  EXPECT_EQ(header.field, Field::complex);
  EXPECT_EQ(header.symmetry, Symmetry::antisymmetric);
  EXPECT_EQ(header.rows, 3);
  EXPECT_EQ(header.cols, 3);
  EXPECT_EQ(header.entries, 2);
  EXPECT_EQ(header.data_offset, static_cast<Int>(text.size()));
  EXPECT_EQ(header.data_line, 7);
}

TEST(MatrixMarket, KnowsWhenAPrefixHoldsTheHeader) {
  const std::string text = coordinate_real + "% comment\n\n3 4 12\n";
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_FALSE(has_matrix_market_header(text.substr(0, size)));
  EXPECT_TRUE(has_matrix_market_header(text));
  EXPECT_TRUE(has_matrix_market_header(text + "1 1"));
}

TEST(MatrixMarket, ReadsCoordinates) {
  const std::string text = coordinate_real + "3 2 3\n1 1 1.5\r\n\n% between\n 3\t2 +2D+01 \n2 1 -.5";
  EXPECT_EQ(entries_of(text), (std::vector<Entry>{{0, 0, 1.5}, {2, 1, 20.0}, {1, 0, -0.5}}));
}

TEST(MatrixMarket, KeepsDuplicatesForTheirSum) {
  EXPECT_EQ(entries_of(coordinate_real + "1 1 2\n1 1 1\n1 1 2\n"), (std::vector<Entry>{{0, 0, 1.0}, {0, 0, 2.0}}));
}

TEST(MatrixMarket, MirrorsByTheSymmetry) {
  const std::string start = "%%MatrixMarket matrix coordinate ";
  EXPECT_EQ(entries_of(start + "integer symmetric\n2 2 2\n1 1 3\n2 1 4\n"),
            (std::vector<Entry>{{0, 0, 3.0}, {1, 0, 4.0}, {0, 1, 4.0}}));
  EXPECT_EQ(entries_of(start + "complex hermitian\n2 2 2\n1 1 3 0\n2 1 4 5\n"),
            (std::vector<Entry>{{0, 0, 3.0}, {1, 0, {4, 5}}, {0, 1, {4, -5}}}));
  EXPECT_EQ(entries_of(start + "real skew-symmetric\n2 2 2\n1 1 0\n2 1 4\n"),
            (std::vector<Entry>{{0, 0, 0.0}, {1, 0, 4.0}, {0, 1, -4.0}}));
  EXPECT_EQ(entries_of(start + "pattern symmetric\n2 2 1\n2 1\n"), (std::vector<Entry>{{1, 0, 1.0}, {0, 1, 1.0}}));
}

TEST(MatrixMarket, ReadsArraysColumnByColumn) {
  EXPECT_EQ(array_of("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n"),
            (std::vector<Entry>{{0, 0, 1.0}, {1, 0, 2.0}, {0, 1, 3.0}, {1, 1, 4.0}}));
  EXPECT_EQ(array_of("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 7\n3 0\n"),
            (std::vector<Entry>{{0, 0, 1.0}, {1, 0, {2, 7}}, {1, 1, 3.0}, {0, 1, {2, -7}}}));
  EXPECT_EQ(array_of("%%MatrixMarket matrix array integer skew-symmetric\n2 2\n5\n"),
            (std::vector<Entry>{{1, 0, 5.0}, {0, 1, -5.0}}));
}

TEST(MatrixMarket, AcceptsEmptyMatrices) {
  EXPECT_TRUE(entries_of(coordinate_real + "0 5 0\n").empty());
  for (const char* symmetry : {"general", "symmetric", "skew-symmetric"})
    EXPECT_TRUE(array_of("%%MatrixMarket matrix array real " + std::string(symmetry) + "\n0 0\n").empty());
  EXPECT_TRUE(array_of("%%MatrixMarket matrix array real skew-symmetric\n1 1").empty());
}

TEST(MatrixMarket, PositionsOfArrayValuesAreThoseOfTheLoop) {
  for (Symmetry symmetry : {Symmetry::general, Symmetry::symmetric, Symmetry::hermitian, Symmetry::antisymmetric})
    for (Int n : {1, 2, 3, 8, 13}) {
      MatrixMarketHeader header;
      header.symmetry = symmetry;
      header.rows = n;
      header.cols = n;
      Int index = 0;
      Position next = symmetry == Symmetry::antisymmetric ? Position{1, 0} : Position{0, 0};
      for (Int j = 0; j < n; ++j) {
        const Int first = symmetry == Symmetry::general ? 0 : j;
        for (Int i = symmetry == Symmetry::antisymmetric ? j + 1 : first; i < n; ++i) {
          EXPECT_EQ(array_position(header, index++), (Position{i, j}));
          EXPECT_EQ(next, (Position{i, j}));
          next = next_array_position(header, next);
        }
      }
    }
}

TEST(MatrixMarket, PositionsOfTheLargestTriangleDoNotOverflow) {
  const MatrixMarketHeader header = header_of("%%MatrixMarket matrix array real symmetric\n4294967295 4294967295\n");
  EXPECT_EQ(header.entries, 4294967295 * (4294967296 / 2));
  EXPECT_EQ(array_position(header, header.entries - 1), (Position{4294967294, 4294967294}));
  EXPECT_EQ(array_position(header, header.entries - 2), (Position{4294967294, 4294967293}));
  EXPECT_EQ(array_position(header, 4294967295), (Position{1, 1}));
}

TEST(MatrixMarket, SlicesOfTheBodyGiveTheSameEntriesAsTheWhole) {
  std::string text = coordinate_real + "100 100 57\n";
  std::mt19937 random(7);
  for (int i = 0; i < 57; ++i) {
    text += std::to_string(random() % 100 + 1) + ' ' + std::to_string(random() % 100 + 1) + ' ' +
            std::to_string(random()) +
            (i % 7 == 0 ? "\n\n% comment\n"
             : i == 56  ? ""
                        : "\n");
  }
  const MatrixMarketHeader header = header_of(text);
  const auto body = std::string_view(text).substr(static_cast<std::size_t>(header.data_offset));
  for (Int parts : {1, 2, 3, 8, 100, 5000}) {
    std::vector<Entry> entries;
    Int found = 0, next = 0, line = header.data_line;
    for (Int i = 0; i < parts; ++i) {
      const Range slice = line_slice(body, parts, i);
      EXPECT_EQ(slice.lo, next);
      next = slice.hi;
      const auto lines = body.substr(static_cast<std::size_t>(slice.lo), static_cast<std::size_t>(slice.size()));
      found += parse_coordinate_lines(lines, header, line, entries);
      line += count_lines(lines);
    }
    EXPECT_EQ(next, static_cast<Int>(body.size()));
    EXPECT_EQ(found, 57);
    EXPECT_EQ(entries, entries_of(text));
  }
}

TEST(MatrixMarket, NamesWhatIsWrongInTheBanner) {
  EXPECT_EQ(failure(""), "a.mtx: the file is empty, expected a matrix");
  EXPECT_EQ(failure("\x93NUMPY"),
            "a.mtx, line 1: found '\\x93NUMPY', expected a Matrix Market file, beginning with "
            "'%%MatrixMarket'");
  EXPECT_EQ(failure("%%MatrixMarket vector\n"), "a.mtx, line 1: found 'vector', expected 'matrix'");
  EXPECT_EQ(failure("%%MatrixMarket matrix dense\n"), "a.mtx, line 1: found 'dense', expected 'coordinate' or 'array'");
  EXPECT_EQ(failure("%%MatrixMarket matrix array double\n"),
            "a.mtx, line 1: found 'double', expected 'real', 'integer', 'complex' or 'pattern'");
  EXPECT_EQ(failure("%%MatrixMarket matrix array real\n"),
            "a.mtx, line 1: found the end of the line, expected 'general', 'symmetric', 'hermitian' "
            "or 'skew-symmetric'");
  EXPECT_EQ(failure("%%MatrixMarket matrix array real general dense\n"),
            "a.mtx, line 1: found 'dense', expected nothing after the symmetry");
  EXPECT_EQ(failure("%%MatrixMarket matrix array pattern general\n"),
            "a.mtx, line 1: found 'array pattern', expected 'coordinate pattern', as an array has "
            "values");
  EXPECT_EQ(failure("%%MatrixMarket matrix array real hermitian\n"),
            "a.mtx, line 1: found 'hermitian' for numbers that are not complex, expected "
            "'symmetric'");
  EXPECT_EQ(failure("%%MatrixMarket matrix coordinate pattern skew-symmetric\n"),
            "a.mtx, line 1: found a pattern that is hermitian or skew-symmetric, expected 'general' "
            "or 'symmetric', as a pattern has no values");
}

TEST(MatrixMarket, NamesWhatIsWrongInTheSizes) {
  EXPECT_EQ(failure(coordinate_real + "% only\n"),
            "a.mtx, line 3: found the end of the file, expected a line of sizes");
  EXPECT_EQ(failure(coordinate_real + "%\n3 4\n"),
            "a.mtx, line 3: found the end of the line, expected three sizes: rows, columns, entries");
  EXPECT_EQ(failure(coordinate_real + "3 -4 1\n"),
            "a.mtx, line 2: found '-4', expected a size from 0 to 9223372036854775807");
  EXPECT_EQ(failure(coordinate_real + "3 4 99999999999999999999\n"),
            "a.mtx, line 2: found '99999999999999999999', expected a size from 0 to "
            "9223372036854775807");
  EXPECT_EQ(failure("%%MatrixMarket matrix array real general\n3 4 12\n"),
            "a.mtx, line 2: found '12' after the sizes, expected two sizes: rows, columns");
  EXPECT_EQ(failure("%%MatrixMarket matrix array real symmetric\n3 4\n"),
            "a.mtx, line 2: found 3 x 4, expected a square matrix, as the banner says that it is "
            "symmetric");
  for (const char* symmetry : {"general", "symmetric", "skew-symmetric"})
    for (const char* size : {"9223372036854775807", "9223372036854775806", "4294967297"})
      EXPECT_EQ(failure("%%MatrixMarket matrix array real " + std::string(symmetry) + "\n" + size + " " + size + "\n"),
                "a.mtx, line 2: found " + std::string(size) + " x " + size + ", expected fewer than 2^63 values");
}

TEST(MatrixMarket, NamesWhatIsWrongInAnEntry) {
  const std::string start = coordinate_real + "3 2 2\n1 1 1\n";
  EXPECT_EQ(failure(start + "4 1 1\n"), "a.mtx, line 4: found '4', expected a row from 1 to 3");
  EXPECT_EQ(failure(start + "\n1 0 1\n"), "a.mtx, line 5: found '0', expected a column from 1 to 2");
  EXPECT_EQ(failure(start + "1.5 1 1\n"), "a.mtx, line 4: found '1.5', expected a row from 1 to 3");
  EXPECT_EQ(failure(start + "1\n"), "a.mtx, line 4: found the end of the line, expected a column from 1 to 2");
  EXPECT_EQ(failure(start + "1 2\n"), "a.mtx, line 4: found the end of the line, expected a number as the value");
  EXPECT_EQ(failure(start + "1 2 3,5\n"), "a.mtx, line 4: found '3,5', expected a number as the value");
  EXPECT_EQ(failure(start + "1 2 3 4\n"), "a.mtx, line 4: found '4' after the entry, expected the end of the line");
  EXPECT_EQ(failure(start + "1 2 1e999\n"),
            "a.mtx, line 4: found '1e999', expected a number of at most 1.797693e308 in size as the value");
  EXPECT_EQ(failure("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.0\n"),
            "a.mtx, line 3: found '1.0', expected an integer as the value");
  EXPECT_EQ(failure("%%MatrixMarket matrix array complex general\n1 1\n1\n"),
            "a.mtx, line 3: found the end of the line, expected a number as the imaginary part");
  EXPECT_EQ(failure(coordinate_real + "0 2 1\n1 1 1\n"),
            "a.mtx, line 3: found '1', expected no entries, as there are no rows");
}

TEST(MatrixMarket, NamesWhatBreaksTheSymmetry) {
  const std::string start = "%%MatrixMarket matrix coordinate ";
  EXPECT_EQ(failure(start + "real symmetric\n3 3 1\n1 2 5\n"),
            "a.mtx, line 3: found an entry in row 1, column 2 that breaks the symmetry, expected only "
            "the lower triangle, as the banner says symmetric");
  EXPECT_EQ(failure(start + "real skew-symmetric\n3 3 1\n2 2 5\n"),
            "a.mtx, line 3: found an entry in row 2, column 2 that breaks the symmetry, expected zeros "
            "on the diagonal, as the banner says skew-symmetric");
  EXPECT_EQ(failure(start + "complex hermitian\n3 3 1\n2 2 5 1\n"),
            "a.mtx, line 3: found an entry in row 2, column 2 that breaks the symmetry, expected real "
            "numbers on the diagonal, as the banner says hermitian");
  EXPECT_EQ(failure("%%MatrixMarket matrix array complex hermitian\n1 1\n5 -1\n"),
            "a.mtx: found 5-1i in row 1, column 1, expected real numbers on the diagonal, as the "
            "banner says hermitian");
}

TEST(MatrixMarket, CountsEntries) {
  EXPECT_EQ(failure(coordinate_real + "3 2 2\n1 1 1\n"), "a.mtx: found 1 entries, expected 2, as line 2 says");
  EXPECT_EQ(failure(coordinate_real + "3 2 1\n1 1 1\n1 2 1\n"),
            "a.mtx, line 4: found one more entry, expected 1 entries, as line 2 says");
  EXPECT_EQ(failure("%%MatrixMarket matrix array real general\n2 1\n1\n2\n3\n"),
            "a.mtx, line 5: found one more entry, expected 2 entries, as line 2 says");
  const MatrixMarketHeader header = header_of("%%MatrixMarket matrix array real general\n2 1\n");
  EXPECT_EQ(failure_of([&] { array_entries(header, 1, Values(2)); }),
            "a.mtx: found 3 entries, expected 2, as line 2 says");
}

TEST(MatrixMarket, RefusesNaNAndInfinityUnlessAllowed) {
  for (const char* bad : {"NaN", "nan", "Inf", "-inf", "+Infinity"})
    EXPECT_EQ(failure(coordinate_real + "1 1 1\n1 1 " + bad + "\n"),
              "a.mtx, line 3: found '" + std::string(bad) + "', expected a finite number as the value");
  const auto entries = entries_of(coordinate_real + "1 1 2\n1 1 -inf\n1 1 NaN\n", Nonfinite::allow);
  EXPECT_EQ(entries[0].value.real(), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(entries[1].value.real()));
}

TEST(MatrixMarket, ComparesItsSizeWithTheClaimBeforeAnythingIsAllocated) {
  const std::map<std::string, std::string> shortest{{"coordinate pattern general\n1 1 2", "1 1\n1 1"},
                                                    {"coordinate real general\n1 1 2", "1 1 0\n1 1 0"},
                                                    {"coordinate complex general\n1 1 2", "1 1 0 0\n1 1 0 0"},
                                                    {"array real general\n2 1", "0\n0"},
                                                    {"array complex general\n2 1", "0 0\n0 0"}};
  for (const auto& [start, body] : shortest) {
    const std::string text = "%%MatrixMarket matrix " + start + "\n" + body;
    const Int size = static_cast<Int>(text.size());
    check_matrix_market_size(header_of(text), size);
    EXPECT_THROW(check_matrix_market_size(header_of(text), size - 1), FileError);
  }
  const auto header = header_of(coordinate_real + "9 9 1000000000000000000\n1 1 1\n");
  EXPECT_EQ(
      failure_of([&] { check_matrix_market_size(header, header.data_offset + 6); }),
      "a.mtx: found 6 bytes of entries, expected 1000000000000000000 entries of at least 6 bytes, as line 2 says");
}

TEST(Text, ParsesNumbersAsCAndFortranWriteThem) {
  const std::map<std::string, double> numbers{{"1", 1},
                                              {"+1.5", 1.5},
                                              {"-2.", -2},
                                              {".5", .5},
                                              {"1.e3", 1000},
                                              {"1D3", 1000},
                                              {"-1.5d-2", -.015},
                                              {"1e+2", 100},
                                              {"5e-324", 5e-324},
                                              {"1e-400", 0},
                                              {"0.00001e-320", 0},
                                              {"1e-99999999999999999999", 0},
                                              {"0e99999999999999999999", 0}};
  for (const auto& [text, expected] : numbers) {
    double value = -7;
    EXPECT_EQ(parse_real(text, value), NumberStatus::ok) << text;
    EXPECT_EQ(value, expected) << text;
  }
  double value = 0;
  for (const char* text : {"", "+", "-", "++1", "+-1", "1e", "1d", "1x", "0x1p3", "1,5", "1_0", "e5"})
    EXPECT_EQ(parse_real(text, value), NumberStatus::malformed) << text;
  for (const char* text : {"1e309", "-1e309", "1D+400", "1e99999999999999999999", "1000000e303"})
    EXPECT_EQ(parse_real(text, value), NumberStatus::too_large) << text;
}

TEST(Text, ParsesIntegersThatFit) {
  EXPECT_EQ(parse_integer("+9223372036854775807"), 9223372036854775807);
  EXPECT_EQ(parse_integer("-3"), -3);
  for (const char* text : {"", "+", "9223372036854775808", "1.0", " 1", "1 ", "+-1", "0x1"})
    EXPECT_FALSE(parse_integer(text)) << text;
}

TEST(Text, ShowsBytesSafely) {
  EXPECT_EQ(in_quotes(std::string_view("a\x00\x1b\xff", 4)), "'a\\x00\\x1b\\xff'");
  EXPECT_EQ(in_quotes(std::string(41, 'x')), "'" + std::string(40, 'x') + "...'");
}

}  // namespace
}  // namespace cairn::io
