// The body of a Matrix Market file.
#include "io/matrix_market.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "io/text.hpp"

namespace cairn::io {

namespace {

using Field = MatrixMarketField;

/// Reads the tokens of one line.
class LineReader {
 public:
  LineReader(const MatrixMarketHeader& header, Nonfinite nonfinite) : header_(header), nonfinite_(nonfinite) {}

  void start(std::string_view line, Int number) {
    rest_ = line;
    number_ = number;
  }

  [[noreturn]] void fail(std::string_view found, std::string_view expected) const {
    fail_at(header_.file_name, number_, found, expected);
  }

  /// A row or column from 1 to `size`, made to count from 0.
  Int index(std::string_view what, Int size) {
    const std::string_view token = next_token(rest_);
    const auto found = parse_integer(token);
    if (!found || *found < 1 || *found > size)
      fail(show(token), size == 0 ? fmt::format("no entries, as there are no {}s", what)
                                  : fmt::format("a {} from 1 to {}", what, size));
    return *found - 1;
  }

  std::complex<double> value() {
    if (header_.field == Field::pattern) return 1.0;
    const double re = number(header_.field == Field::complex ? "real part" : "value");
    return {re, header_.field == Field::complex ? number("imaginary part") : 0.0};
  }

  void finish() {
    if (const auto more = next_token(rest_); !more.empty())
      fail(show(more) + " after the entry", "the end of the line");
  }

 private:
  static std::string show(std::string_view token) { return token.empty() ? "the end of the line" : in_quotes(token); }

  double number(std::string_view what) {
    const std::string_view token = next_token(rest_);
    double found = 0;
    const NumberStatus status = parse_real(token, found);
    const bool integer = header_.field == Field::integer;
    const bool has_only_digits = token.find_first_not_of("+-0123456789") == token.npos;
    if (status == NumberStatus::malformed || (integer && !has_only_digits))
      fail(show(token), fmt::format("{} as the {}", integer ? "an integer" : "a number", what));
    if (status == NumberStatus::too_large)
      fail(show(token), fmt::format("a number of at most 1.797693e308 in size as the {}", what));
    if (nonfinite_ == Nonfinite::reject && !std::isfinite(found))
      fail(show(token), fmt::format("a finite number as the {}", what));
    return found;
  }

  const MatrixMarketHeader& header_;
  Nonfinite nonfinite_;
  std::string_view rest_;
  Int number_ = 0;
};

/// Calls read(reader) at the start of every line that is neither blank nor a comment; returns how
/// many there were.
template <class Read>
Int for_each_entry_line(std::string_view text, const MatrixMarketHeader& header, Int first_line, Nonfinite nonfinite,
                        const Read& read) {
  LineReader reader(header, nonfinite);
  Int found = 0;
  for (Int number = first_line; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (is_comment_or_blank(line)) continue;
    reader.start(line, number);
    if (found == header.entries)
      reader.fail("one more entry", fmt::format("{} entries, as line {} says", header.entries, header.data_line - 1));
    read(reader);
    reader.finish();
    ++found;
  }
  return found;
}

/// What a symmetry forbids, or an empty string.
std::string_view broken_symmetry(Symmetry symmetry, const Entry& e) {
  if (symmetry == Symmetry::general || e.row > e.col) return {};
  if (e.row < e.col) return "only the lower triangle";
  if (symmetry == Symmetry::antisymmetric && e.value != 0.0) return "zeros on the diagonal";
  if (symmetry == Symmetry::hermitian && e.value.imag() != 0.0) return "real numbers on the diagonal";
  return {};
}

/// E.g. "the banner says hermitian".
std::string reason(Symmetry symmetry) {
  return fmt::format("as the banner says {}", symmetry_words[static_cast<std::size_t>(symmetry)]);
}

}  // namespace

Range line_slice(std::string_view body, Int parts, Int i) {
  const Range bytes = piece({0, static_cast<Int>(body.size())}, parts, i);
  const auto line_start = [body](Int at) {  // the first start of a line at or after `at`
    if (at == 0) return at;
    const std::size_t end = body.find('\n', static_cast<std::size_t>(at - 1));
    return static_cast<Int>(end == body.npos ? body.size() : end + 1);
  };
  return {line_start(bytes.lo), line_start(bytes.hi)};
}

Int count_lines(std::string_view text) { return std::count(text.begin(), text.end(), '\n'); }

Int parse_coordinate_lines(std::string_view text, const MatrixMarketHeader& header, Int first_line,
                           std::vector<Entry>& out, Nonfinite nonfinite) {
  return for_each_entry_line(text, header, first_line, nonfinite, [&](LineReader& line) {
    Entry e;
    e.row = line.index("row", header.rows);
    e.col = line.index("column", header.cols);
    e.value = line.value();
    if (const auto rule = broken_symmetry(header.symmetry, e); !rule.empty())
      line.fail(fmt::format("an entry in row {}, column {} that breaks the symmetry", e.row + 1, e.col + 1),
                fmt::format("{}, {}", rule, reason(header.symmetry)));
    out.push_back(e);
  });
}

Int parse_array_values(std::string_view text, const MatrixMarketHeader& header, Int first_line,
                       std::vector<std::complex<double>>& out, Nonfinite nonfinite) {
  return for_each_entry_line(text, header, first_line, nonfinite,
                             [&](LineReader& line) { out.push_back(line.value()); });
}

namespace {

/// Values before column `col` in a lower triangle of size n: col·n − col(col−1)/2. One of the two
/// factors is even; halving it first keeps the product within Int.
Int before_column(Int n, Int col) {
  const Int other = 2 * n - col + 1;
  return col % 2 == 0 ? col / 2 * other : col * (other / 2);
}

Position lower_triangle_position(Int n, Int index) {
  Int lo = 0, hi = n;  // the column is in [lo, hi)
  while (hi - lo > 1) {
    const Int middle = lo + (hi - lo) / 2;
    (before_column(n, middle) <= index ? lo : hi) = middle;
  }
  return {lo + (index - before_column(n, lo)), lo};  // in this order, nothing overflows
}

}  // namespace

Position array_position(const MatrixMarketHeader& header, Int index) {
  switch (header.symmetry) {
    case Symmetry::general: return {index % header.rows, index / header.rows};
    case Symmetry::symmetric:
    case Symmetry::hermitian: return lower_triangle_position(header.rows, index);
    case Symmetry::antisymmetric: break;
  }
  const Position p = lower_triangle_position(header.rows - 1, index);
  return {p.row + 1, p.col};
}

Position next_array_position(const MatrixMarketHeader& header, Position p) {
  if (p.row + 1 < header.rows) return {p.row + 1, p.col};
  const Int col = p.col + 1;
  if (header.symmetry == Symmetry::general) return {0, col};
  return {header.symmetry == Symmetry::antisymmetric ? col + 1 : col, col};
}

std::vector<Entry> array_entries(const MatrixMarketHeader& header, Int first_index,
                                 const std::vector<std::complex<double>>& values) {
  const Int count = static_cast<Int>(values.size());
  if (count > header.entries - first_index) check_entry_count(header, first_index + count);
  std::vector<Entry> entries;
  if (values.empty()) return entries;
  entries.reserve(values.size());
  Position p = array_position(header, first_index);
  for (const std::complex<double>& value : values) {
    entries.push_back({p.row, p.col, value});
    if (const auto rule = broken_symmetry(header.symmetry, entries.back()); !rule.empty())
      throw FileError(fmt::format("{}: found {}{:+}i in row {}, column {}, expected {}, {}", header.file_name,
                                  value.real(), value.imag(), p.row + 1, p.col + 1, rule, reason(header.symmetry)));
    p = next_array_position(header, p);
  }
  return entries;
}

Entry mirrored(Symmetry symmetry, const Entry& entry) {
  return {entry.col, entry.row, cairn::mirrored(symmetry, entry.value)};
}

void mirror(Symmetry symmetry, std::vector<Entry>& entries) {
  if (symmetry == Symmetry::general) return;
  const auto below = std::count_if(entries.begin(), entries.end(), [](const Entry& e) { return e.row != e.col; });
  const std::size_t stored = entries.size();
  entries.reserve(stored + static_cast<std::size_t>(below));
  for (std::size_t i = 0; i < stored; ++i)
    if (entries[i].row != entries[i].col) entries.push_back(mirrored(symmetry, entries[i]));
}

}  // namespace cairn::io
