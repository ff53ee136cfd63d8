#include "io/npy.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "failure.hpp"
#include "io/finite.hpp"

namespace cairn::io {
namespace {

/// A version 1.0 file whose header holds `dictionary`.
std::string npy(const std::string& dictionary) {
  return std::string("\x93NUMPY\x01", 7) + '\0' + static_cast<char>(dictionary.size() % 256) +
         static_cast<char>(dictionary.size() / 256) + dictionary;
}

std::string npy(const std::string& descr, const std::string& shape) {
  return npy("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }\n");
}

std::string failure(const std::string& bytes) {
  return failure_of([&] { parse_npy_header(bytes, "a.npy"); });
}

constexpr ScalarType all_types[] = {ScalarType::float32, ScalarType::float64, ScalarType::complex64,
                                    ScalarType::complex128};

TEST(Npy, ReadsBackWhatItWrites) {
  for (ScalarType type : all_types)
    for (Order order : {Order::row, Order::col})
      for (Int rows : {0, 1, 7, 123456789})
        for (Int cols : {0, 1, 12, 98765432}) {
          const std::string bytes = format_npy_header(type, order, rows, cols);
          EXPECT_EQ(bytes.size() % 64, 0U);
          EXPECT_EQ(bytes.back(), '\n');
          const NpyHeader header = parse_npy_header(bytes, "a.npy");
          EXPECT_EQ(header.type, type);
          EXPECT_EQ(header.order, order);
          EXPECT_EQ(header.rows, rows);
          EXPECT_EQ(header.cols, cols);
          EXPECT_EQ(header.data_offset, static_cast<Int>(bytes.size()));
          EXPECT_FALSE(header.one_dimensional);
        }
}

TEST(Npy, WritesTheBytesOfNumPy) {  // numpy.save of numpy.zeros((3, 4), 'c16', order='F')
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<c16', 'fortran_order': True, 'shape': (3, 4), }";
  expected.resize(127, ' ');
  EXPECT_EQ(format_npy_header(ScalarType::complex128, Order::col, 3, 4), expected + '\n');
}

TEST(Npy, WritesTheBytesOfNumPyForAVector) {  // numpy.save of numpy.zeros(5, 'f8')
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }";
  expected.resize(127, ' ');
  EXPECT_EQ(format_npy_header(ScalarType::float64, Order::col, 5, 1, true), expected + '\n');
}

TEST(Npy, RefusesToWriteNegativeSizesAndVectorsOfSeveralColumns) {
  EXPECT_THROW(format_npy_header(ScalarType::float64, Order::row, -1, 4), ArgumentError);
  EXPECT_THROW(format_npy_header(ScalarType::float64, Order::row, 4, 2, true), ArgumentError);
}

TEST(Npy, ReadsEveryVersion) {
  const std::string text = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n";
  for (char version : {'\x02', '\x03'}) {
    const std::string bytes =
        std::string("\x93NUMPY", 6) + version + '\0' + static_cast<char>(text.size()) + std::string(3, '\0') + text;
    const NpyHeader header = parse_npy_header(bytes + "elements", "a.npy");
    EXPECT_EQ(header.order, Order::col);
    EXPECT_EQ(header.cols, 3);
    EXPECT_EQ(header.data_offset, static_cast<Int>(12 + text.size()));
  }
}

TEST(Npy, ReadsKeysInAnyOrderWithAnySpaces) {
  const NpyHeader header =
      parse_npy_header(npy("{ \"shape\" :(2L , 3L),'fortran_order':False , 'descr':\"=f8\"}   \n"), "a.npy");
  EXPECT_EQ(header.type, ScalarType::float64);
  EXPECT_EQ(header.rows, 2);
  EXPECT_EQ(header.cols, 3);
}

TEST(Npy, TakesNativeAndUnstatedByteOrderAsLittleEndian) {
  for (const char* descr : {"'<c8'", "'=c8'", "'|c8'", "'c8'"})
    EXPECT_EQ(parse_npy_header(npy(descr, "(1, 1)"), "a.npy").type, ScalarType::complex64);
}

TEST(Npy, TakesAVectorAsOneColumn) {
  const NpyHeader header = parse_npy_header(npy("'<f8'", "(5,)"), "a.npy");
  EXPECT_TRUE(header.one_dimensional);
  EXPECT_EQ(header.rows, 5);
  EXPECT_EQ(header.cols, 1);
  EXPECT_EQ(npy_data_bytes(header), 40);
}

TEST(Npy, RefusesOtherNumbersOfDimensions) {
  EXPECT_EQ(failure(npy("'<f8'", "()")), "a.npy: the array has 0 dimensions, expected a matrix (2) or a vector (1)");
  EXPECT_EQ(failure(npy("'<f8'", "(2, 3, 4)")),
            "a.npy: the array has 3 dimensions, expected a matrix (2) or a vector (1)");
}

TEST(Npy, RefusesOtherTypes) {
  EXPECT_EQ(failure(npy("'>f8'", "(2, 3)")),
            "a.npy: the elements are of type '>f8', which is big endian, expected little-endian "
            "float32, float64, complex64 or complex128 ('<f4', '<f8', '<c8' or '<c16')");
  for (const char* descr : {"'<i8'", "'|O'", "'<f2'", "'<f16'", "''", "'<'", "'<=f8'", "'|b1'", "'<U3'"})
    EXPECT_NE(failure(npy(descr, "(2, 3)")).find("expected little-endian float32"), std::string::npos);
  EXPECT_EQ(failure(npy("[('x', '<f8')]", "(2,)")),
            "a.npy: found '[('x', '<f8')], ' in the header, expected a plain type such as '<f8' for "
            "'descr', not a structured one");
}

TEST(Npy, NamesWhatIsMalformed) {
  EXPECT_EQ(failure(""), "a.npy: the file is empty, expected a .npy file, beginning with '\\x93NUMPY'");
  EXPECT_EQ(failure("%%MatrixMarket"), "a.npy: found '%%Matr', expected a .npy file, beginning with '\\x93NUMPY'");
  EXPECT_EQ(failure(std::string("\x93NUMPY\x04\x00\x01\x00\x00\x00", 12)),
            "a.npy: found version 4.0 of the .npy format, expected 1.0, 2.0 or 3.0");
  EXPECT_EQ(failure("\x93NUMPY\x01"), "a.npy: truncated after 7 bytes, expected a header");
  EXPECT_EQ(failure(npy("'<f8'", "(2, 3)").substr(0, 30)),
            "a.npy: truncated after 30 bytes, expected a header of 70 bytes");
  EXPECT_EQ(failure(npy("'<f8'", "(2, -3)")),
            "a.npy: found '-3), }\\x0a' in the header, expected a size from 0 to "
            "9223372036854775807 in 'shape'");
  EXPECT_EQ(failure(npy("{'descr': '<f8', 'shape': (2, 3)}")),
            "a.npy: a key is missing in the header, expected each of the keys 'descr', "
            "'fortran_order' and 'shape' once");
  for (const char* dictionary :
       {"", "{", "{'descr'", "{'descr': '<f8", "{'descr': '<f8'}x", "{'x': 1}", "{'shape': (5)}", "{'shape': (5,,)}",
        "{'shape': (5", "{'fortran_order': 1}", "{'descr': '<f8' 'shape': (1,)}", "{'descr': '<f8', 'descr': '<f8'}",
        "{'shape': (99999999999999999999, 1)}", "[]"})
    EXPECT_NE(failure(npy(dictionary)).find("expected"), std::string::npos) << dictionary;
}

TEST(Npy, RefusesAHeaderLongerThanTheProbe) {
  EXPECT_EQ(failure(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)),
            "a.npy: the header has 4294967307 bytes, expected at most 65600 for a matrix");
  // The longest header of version 1.0 is within the probe.
  std::string text = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }";
  text.resize(65535, ' ');
  EXPECT_EQ(parse_npy_header(npy(text), "a.npy").data_offset, 65545);
}

TEST(Npy, RefusesSizesThatOverflow) {
  EXPECT_EQ(failure(npy("'<f8'", "(4294967296, 4294967296)")),
            "a.npy: the header says 4294967296 x 4294967296, expected sizes whose product in bytes is "
            "below 2^63");
  EXPECT_NE(failure(npy("'<f8'", "(1152921504606846976, 1)")), "");
  EXPECT_NE(failure(npy("'<f8'", "(1152921504606846975, 1)")), "");  // fits only without the header
  EXPECT_EQ(parse_npy_header(npy("'<f8'", "(9223372036854775807, 0)"), "a.npy").cols, 0);
}

TEST(Npy, RefusesAFileThatIsTooShortAndAcceptsALongerOne) {
  const NpyHeader header = parse_npy_header(npy("'<f8'", "(2, 3)"), "a.npy");
  EXPECT_EQ(failure_of([&] { check_npy_size(header, header.data_offset + 47, "a.npy"); }),
            "a.npy: truncated: found 47 bytes of elements, expected 48 for 2 x 3 float64");
  EXPECT_EQ(failure_of([&] { check_npy_size(header, 3, "a.npy"); }),
            "a.npy: truncated: found 0 bytes of elements, expected 48 for 2 x 3 float64");
  check_npy_size(header, header.data_offset + 48, "a.npy");
  check_npy_size(header, header.data_offset + 49, "a.npy");
}

template <class T>
void finds_first_nonfinite() {
  using Real = decltype(std::abs(T{}));
  constexpr Real inf = std::numeric_limits<Real>::infinity();
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  constexpr Real largest = std::numeric_limits<Real>::max();
  for (Int count : {1, 2, 1000, 1024, 5000}) {
    std::vector<T> data(static_cast<std::size_t>(count), T(-largest));
    EXPECT_EQ(first_nonfinite(data.data(), scalar_type_of<T>, count), -1);
    for (Real bad : {inf, -inf, nan, -nan}) {
      data.back() = bad;
      EXPECT_EQ(first_nonfinite(data.data(), scalar_type_of<T>, count), count - 1);
      EXPECT_EQ(first_nonfinite(data.data(), scalar_type_of<T>, count - 1), -1);
      data[static_cast<std::size_t>(count / 2)] = bad;
      EXPECT_EQ(first_nonfinite(data.data(), scalar_type_of<T>, count), count / 2);
      data[static_cast<std::size_t>(count / 2)] = T(0);
    }
  }
}

TEST(Finite, FindsTheFirstNaNOrInfinityOfEveryType) {
  finds_first_nonfinite<float>();
  finds_first_nonfinite<double>();
  finds_first_nonfinite<std::complex<float>>();
  finds_first_nonfinite<std::complex<double>>();
  EXPECT_EQ(first_nonfinite(nullptr, ScalarType::float64, 0), -1);
}

TEST(Finite, LooksAtImaginaryParts) {
  const std::complex<double> data[] = {{1, 2}, {3, std::numeric_limits<double>::infinity()}};
  EXPECT_EQ(first_nonfinite(data, ScalarType::complex128, 2), 1);
}

}  // namespace
}  // namespace cairn::io
