#include "io/npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <optional>
#include <vector>

#include "cairn/error.hpp"
#include "io/text.hpp"

namespace cairn::io {

static_assert(std::endian::native == std::endian::little, "elements are copied as they are");

namespace {

constexpr std::string_view magic = "\x93NUMPY";

/// A cursor over the dictionary of the header: the few Python literals that NumPy writes there.
class Literal {
 public:
  Literal(std::string_view text, std::string_view file_name) : text_(text), file_name_(file_name) {}

  [[noreturn]] void fail(std::string_view expected) const {
    if (at_ == text_.size())
      throw FileError(fmt::format("{}: the header ends early, expected {}", file_name_, expected));
    throw FileError(
        fmt::format("{}: found {} in the header, expected {}", file_name_, in_quotes(text_.substr(at_, 16)), expected));
  }

  /// Skips white space, then `word` if it comes next.
  bool accept(std::string_view word) {
    at_ = std::min(text_.find_first_not_of(" \t\r\n\f", at_), text_.size());
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  void expect(std::string_view word, std::string_view expected) {
    if (!accept(word)) fail(expected);
  }

  void expect_end() {
    accept("");
    if (at_ != text_.size()) fail("nothing but spaces after '}'");
  }

  std::string_view string(std::string_view expected) {
    const std::string_view quote = accept("'") ? "'" : "\"";
    if (quote == "\"") expect(quote, expected);
    const std::size_t end = text_.find(quote, at_);
    if (end == text_.npos) fail("the end of a string");
    const std::string_view found = text_.substr(at_, end - at_);
    at_ = end + 1;
    return found;
  }

  bool boolean(std::string_view expected) {
    if (accept("True")) return true;
    expect("False", expected);
    return false;
  }

  /// A tuple of sizes: "()", "(3,)" or "(3, 4)"; Python 2 wrote "(3L, 4L)".
  std::vector<Int> sizes() {
    constexpr std::string_view expected = "a tuple of sizes for 'shape', such as (3, 4)";
    std::vector<Int> found;
    expect("(", expected);
    while (!accept(")")) {
      const std::size_t end = text_.find_first_not_of("0123456789", at_);
      const auto size = parse_integer(text_.substr(at_, end == text_.npos ? end : end - at_));
      if (!size) fail("a size from 0 to 9223372036854775807 in 'shape'");
      at_ = std::min(end, text_.size());
      found.push_back(*size);
      accept("L");
      if (accept(",")) continue;
      expect(")", expected);
      if (found.size() == 1) fail("a comma after the only size in 'shape', as in (3,)");
      break;
    }
    return found;
  }

 private:
  std::string_view text_, file_name_;
  std::size_t at_ = 0;
};

ScalarType scalar_type(std::string_view descr, std::string_view file_name) {
  const bool big_endian = descr.substr(0, 1) == ">";
  std::string_view kind = descr;
  if (kind.find_first_of("<=|") == 0) kind.remove_prefix(1);
  if (kind == "f4") return ScalarType::float32;
  if (kind == "f8") return ScalarType::float64;
  if (kind == "c8") return ScalarType::complex64;
  if (kind == "c16") return ScalarType::complex128;
  throw FileError(
      fmt::format("{}: the elements are of type {}{}, expected little-endian float32, float64, "
                  "complex64 or complex128 ('<f4', '<f8', '<c8' or '<c16')",
                  file_name, in_quotes(descr), big_endian ? ", which is big endian" : ""));
}

void set_sizes(NpyHeader& header, const std::vector<Int>& shape, std::string_view file_name) {
  if (shape.size() != 1 && shape.size() != 2)
    throw FileError(
        fmt::format("{}: the array has {} dimensions, expected a matrix (2) or a vector (1)", file_name, shape.size()));
  header.rows = shape[0];
  header.one_dimensional = shape.size() == 1;
  header.cols = header.one_dimensional ? 1 : shape[1];
  const auto elements = product(header.rows, header.cols);
  const auto bytes = elements ? product(*elements, size_of(header.type)) : elements;
  if (!bytes || *bytes > std::numeric_limits<Int>::max() - header.data_offset)
    throw FileError(fmt::format("{}: the header says {} x {}, expected sizes whose product in bytes is below 2^63",
                                file_name, header.rows, header.cols));
}

/// The three keys, each once, in any order.
NpyHeader parse_dictionary(std::string_view text, Int data_offset, std::string_view file_name) {
  std::optional<bool> fortran_order;
  std::optional<std::string_view> descr;
  std::optional<std::vector<Int>> shape;
  constexpr std::string_view keys = "each of the keys 'descr', 'fortran_order' and 'shape' once";
  Literal literal(text, file_name);
  literal.expect("{", "a dictionary, beginning with '{'");
  while (!literal.accept("}")) {
    const std::string_view key = literal.string(keys);
    literal.expect(":", "':' after a key");
    if (key == "descr" && !descr) {
      descr = literal.string("a plain type such as '<f8' for 'descr', not a structured one");
    } else if (key == "fortran_order" && !fortran_order) {
      fortran_order = literal.boolean("True or False for 'fortran_order'");
    } else if (key == "shape" && !shape) {
      shape = literal.sizes();
    } else {
      throw FileError(fmt::format("{}: found the key {} in the header, expected {}", file_name, in_quotes(key), keys));
    }
    if (literal.accept(",")) continue;
    literal.expect("}", "',' or '}' after a value");
    break;
  }
  literal.expect_end();
  if (!descr || !fortran_order || !shape)
    throw FileError(fmt::format("{}: a key is missing in the header, expected {}", file_name, keys));

  NpyHeader header;
  header.type = scalar_type(*descr, file_name);
  header.order = *fortran_order ? Order::col : Order::row;
  header.data_offset = data_offset;
  set_sizes(header, *shape, file_name);
  return header;
}

Int little_endian(std::string_view bytes) {
  Int value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value * 256 + static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view bytes, std::string_view file_name) {
  if (bytes.substr(0, magic.size()) != magic)
    throw FileError(
        fmt::format("{}: {}, expected a .npy file, beginning with '\\x93NUMPY'", file_name,
                    bytes.empty() ? "the file is empty" : "found " + in_quotes(bytes.substr(0, magic.size()))));
  const std::string_view version = bytes.substr(magic.size(), 2);
  const int major = version.size() < 2 ? 0 : static_cast<unsigned char>(version[0]);
  const int minor = version.size() < 2 ? 0 : static_cast<unsigned char>(version[1]);
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t prefix = magic.size() + 2 + length_bytes;
  if (bytes.size() < prefix)
    throw FileError(fmt::format("{}: truncated after {} bytes, expected a header", file_name, bytes.size()));
  if (major < 1 || major > 3 || minor != 0)
    throw FileError(
        fmt::format("{}: found version {}.{} of the .npy format, expected 1.0, 2.0 or 3.0", file_name, major, minor));

  const Int length = little_endian(bytes.substr(prefix - length_bytes, length_bytes));
  const Int data_offset = static_cast<Int>(prefix) + length;
  if (data_offset > npy_header_probe)
    throw FileError(fmt::format("{}: the header has {} bytes, expected at most {} for a matrix", file_name, data_offset,
                                npy_header_probe));
  if (static_cast<Int>(bytes.size()) < data_offset)
    throw FileError(fmt::format("{}: truncated after {} bytes, expected a header of {} bytes", file_name, bytes.size(),
                                data_offset));
  return parse_dictionary(bytes.substr(prefix, static_cast<std::size_t>(length)), data_offset, file_name);
}

Int npy_data_bytes(const NpyHeader& header) { return header.rows * header.cols * size_of(header.type); }

void check_npy_size(const NpyHeader& header, Int file_bytes, std::string_view file_name) {
  const Int expected = npy_data_bytes(header), found = std::max<Int>(0, file_bytes - header.data_offset);
  if (found < expected)
    throw FileError(fmt::format("{}: truncated: found {} bytes of elements, expected {} for {} x {} {}", file_name,
                                found, expected, header.rows, header.cols, name_of(header.type)));
}

std::string format_npy_header(ScalarType type, Order order, Int rows, Int cols, bool one_dimensional) {
  if (one_dimensional && cols != 1)
    throw ArgumentError(fmt::format("format_npy_header: found {} columns, expected 1 of a vector", cols));
  if (rows < 0 || cols < 0)
    throw ArgumentError(fmt::format("format_npy_header: found {} x {}, expected sizes of at least 0", rows, cols));
  constexpr std::string_view descr[] = {"<f4", "<f8", "<c8", "<c16"};
  const std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({},{}), }}", descr[static_cast<std::size_t>(type)],
                  order == Order::col && !one_dimensional ? "True" : "False", rows,
                  one_dimensional ? "" : fmt::format(" {}", cols));
  // NumPy ends the header with a newline at a multiple of 64, so that the elements can be mapped.
  const std::size_t prefix = magic.size() + 4;
  const std::size_t total = (prefix + dictionary.size() + 1 + 63) / 64 * 64;
  const std::size_t length = total - prefix;
  std::string header(magic);
  header += {'\x01', '\x00', static_cast<char>(length % 256), static_cast<char>(length / 256)};
  header += dictionary;
  header.resize(total - 1, ' ');
  return header + '\n';
}

}  // namespace cairn::io
