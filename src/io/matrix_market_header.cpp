// Banner, sizes and what follows from them.
#include <fmt/format.h>

#include <array>
#include <limits>

#include "cairn/error.hpp"
#include "io/matrix_market.hpp"
#include "io/text.hpp"

namespace cairn::io {

void fail_at(std::string_view file_name, Int line, std::string_view found, std::string_view expected) {
  throw FileError(fmt::format("{}, line {}: found {}, expected {}", file_name, line, found, expected));
}

bool is_comment_or_blank(std::string_view line) {
  const std::string_view token = next_token(line);
  return token.empty() || token[0] == '%';
}

namespace {

using Field = MatrixMarketField;

/// A line of the file and where it is.
struct Line {
  std::string_view text;  ///< without the line end
  Int number = 1;
  std::size_t next = 0;   ///< offset of the next line
  bool complete = false;  ///< ended by a line end, not by the end of the text
};

Line line_at(std::string_view text, std::size_t begin, Int number) {
  const std::size_t end = text.find('\n', begin);
  if (end == text.npos) return {text.substr(begin), number, text.size(), false};
  return {text.substr(begin, end - begin), number, end + 1, true};
}

/// The first line after the banner that is neither comment nor blank; the end of the text if none.
Line size_line(std::string_view text) {
  Line line = line_at(text, 0, 1);
  do {
    line = line_at(text, line.next, line.number + 1);
  } while (line.complete && is_comment_or_blank(line.text));
  return line;
}

/// `a` is lower case.
bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return x == lower(y); });
}

/// The index in `words` of the next token of the banner.
template <std::size_t n>
std::size_t banner_word(std::string_view& banner, const std::array<std::string_view, n>& words,
                        std::string_view expected, std::string_view file_name) {
  const std::string_view token = next_token(banner);
  for (std::size_t i = 0; i < n; ++i)
    if (same_word(words[i], token)) return i;
  fail_at(file_name, 1, token.empty() ? "the end of the line" : in_quotes(token), expected);
}

void parse_banner(std::string_view banner, MatrixMarketHeader& header) {
  constexpr std::array<std::string_view, 1> start{"%%matrixmarket"}, object{"matrix"};
  constexpr std::array<std::string_view, 2> formats{"coordinate", "array"};
  const std::string& file = header.file_name;
  banner_word(banner, start, "a Matrix Market file, beginning with '%%MatrixMarket'", file);
  banner_word(banner, object, "'matrix'", file);
  header.coordinate = banner_word(banner, formats, "'coordinate' or 'array'", file) == 0;
  header.field =
      static_cast<Field>(banner_word(banner, field_words, "'real', 'integer', 'complex' or 'pattern'", file));
  header.symmetry = static_cast<Symmetry>(
      banner_word(banner, symmetry_words, "'general', 'symmetric', 'hermitian' or 'skew-symmetric'", file));
  if (const auto rest = next_token(banner); !rest.empty())
    fail_at(file, 1, in_quotes(rest), "nothing after the symmetry");

  const bool pattern = header.field == Field::pattern;
  if (pattern && !header.coordinate)
    fail_at(file, 1, "'array pattern'", "'coordinate pattern', as an array has values");
  if (pattern && header.symmetry != Symmetry::general && header.symmetry != Symmetry::symmetric)
    fail_at(file, 1, "a pattern that is hermitian or skew-symmetric",
            "'general' or 'symmetric', as a pattern has no values");
  if (header.symmetry == Symmetry::hermitian && header.field != Field::complex)
    fail_at(file, 1, "'hermitian' for numbers that are not complex", "'symmetric'");
}

/// Values stored in an array file, or nothing if they do not fit into Int.
std::optional<Int> array_entry_count(const MatrixMarketHeader& header) {
  if (header.symmetry == Symmetry::general) return product(header.rows, header.cols);
  const Int n = header.rows;
  if (n == 0) return 0;
  if (n == std::numeric_limits<Int>::max()) return {};
  const Int other = header.symmetry == Symmetry::antisymmetric ? n - 1 : n + 1;
  return n % 2 == 0 ? product(n / 2, other) : product(n, other / 2);
}

void parse_sizes(const Line& line, MatrixMarketHeader& header) {
  const std::string_view expected =
      header.coordinate ? "three sizes: rows, columns, entries" : "two sizes: rows, columns";
  const std::string& file = header.file_name;
  std::string_view rest = line.text;
  const auto next_size = [&] {
    const std::string_view token = next_token(rest);
    if (token.empty()) fail_at(file, line.number, "the end of the line", expected);
    const auto size = parse_integer(token);
    if (!size || *size < 0) fail_at(file, line.number, in_quotes(token), "a size from 0 to 9223372036854775807");
    return *size;
  };
  header.rows = next_size();
  header.cols = next_size();
  if (header.coordinate) header.entries = next_size();
  if (const auto more = next_token(rest); !more.empty())
    fail_at(file, line.number, in_quotes(more) + " after the sizes", expected);

  const std::string sizes = fmt::format("{} x {}", header.rows, header.cols);
  if (header.symmetry != Symmetry::general && header.rows != header.cols)
    fail_at(file, line.number, sizes, "a square matrix, as the banner says that it is symmetric");
  if (header.coordinate) return;
  const auto entries = array_entry_count(header);
  if (!entries) fail_at(file, line.number, sizes, "fewer than 2^63 values");
  header.entries = *entries;
}

}  // namespace

bool has_matrix_market_header(std::string_view prefix) { return size_line(prefix).complete; }

MatrixMarketHeader parse_matrix_market_header(std::string_view text, std::string_view file_name) {
  MatrixMarketHeader header;
  header.file_name = file_name;
  if (text.empty()) throw FileError(fmt::format("{}: the file is empty, expected a matrix", file_name));
  parse_banner(line_at(text, 0, 1).text, header);
  const Line line = size_line(text);
  if (is_comment_or_blank(line.text)) fail_at(file_name, line.number, "the end of the file", "a line of sizes");
  parse_sizes(line, header);
  header.data_offset = static_cast<Int>(line.next);
  header.data_line = line.number + 1;
  return header;
}

void check_matrix_market_size(const MatrixMarketHeader& header, Int file_bytes) {
  Int shortest = header.coordinate ? 4 : 0;           // "1 1\n"
  if (header.field != Field::pattern) shortest += 2;  // " 0" or "0\n"
  if (header.field == Field::complex) shortest += 2;  // " 0"
  const Int body = std::max<Int>(0, file_bytes - header.data_offset);
  if (header.entries > (body + 1) / shortest)  // the last line end may be missing
    throw FileError(
        fmt::format("{}: found {} bytes of entries, expected {} entries of at least {} bytes, as line {} says",
                    header.file_name, body, header.entries, shortest, header.data_line - 1));
}

void check_entry_count(const MatrixMarketHeader& header, Int found) {
  if (found != header.entries)
    throw FileError(fmt::format("{}: found {} entries, expected {}, as line {} says", header.file_name, found,
                                header.entries, header.data_line - 1));
}

}  // namespace cairn::io
