// The Matrix Market exchange format (NIST, https://math.nist.gov/MatrixMarket/formats.html): a
// banner, comments, a line of sizes, then one entry a line. The body can be cut at line ends and
// its slices parsed by several ranks:
//
//   header = parse_matrix_market_header(text, "a.mtx");
//   body   = text.substr(header.data_offset);          slice = line_slice(body, ranks, rank);
//   first  = header.data_line + count_lines(body before the slice);   // for messages
//   found  = parse_coordinate_lines(slice, header, first, entries);
//   check_entry_count(header, sum of `found` over ranks);
//   mirror(header.symmetry, entries);
//
// Beyond the letter of the format, blank lines and '%' comments may stand between entries, numbers
// may have a '+' sign or Fortran's exponent letter D, and lines may end in CR LF.
#pragma once
#include <array>
#include <complex>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/types.hpp"

namespace cairn::io {

enum class MatrixMarketField : std::uint8_t { real, integer, complex, pattern };
/// What the format calls them, and a Symmetry.
inline constexpr std::array<std::string_view, 4> field_words{"real", "integer", "complex", "pattern"};
inline constexpr std::array<std::string_view, 4> symmetry_words{"general", "symmetric", "skew-symmetric", "hermitian"};

/// Throws FileError: "a.mtx, line 3: found …, expected …".
[[noreturn]] void fail_at(std::string_view file_name, Int line, std::string_view found, std::string_view expected);
bool is_comment_or_blank(std::string_view line);

struct MatrixMarketHeader {
  std::string file_name;   ///< begins every message; may say more than the path ("A, from a.mtx")
  bool coordinate = true;  ///< a list of entries; otherwise "array": every value, column by column
  MatrixMarketField field = MatrixMarketField::real;
  Symmetry symmetry = Symmetry::general;
  Int rows = 0, cols = 0;  ///< coordinate: rows·cols need not fit into Int
  /// Lines of the body. Coordinate: as the file claims, so not to be trusted with an allocation.
  /// Array: rows·cols, or the elements of one triangle, which fits into Int.
  Int entries = 0;
  Int data_offset = 0;  ///< where the body begins, in bytes
  Int data_line = 1;    ///< line number there; the first line of the file is 1
  bool operator==(const MatrixMarketHeader&) const = default;
};

/// One element, indices from 0.
struct Entry {
  Int row = 0, col = 0;
  std::complex<double> value;
  bool operator==(const Entry&) const = default;
};

/// Whether a reader accepts NaN and infinity.
enum class Nonfinite : std::uint8_t { reject, allow };

/// Whether `prefix`, the start of a file, contains all of the header, so that it can be parsed.
bool has_matrix_market_header(std::string_view prefix);

/// Reads banner, comments and sizes. `text` is the whole file or a prefix of it that
/// has_matrix_market_header. Throws FileError with file, line, what was found and what was
/// expected.
MatrixMarketHeader parse_matrix_market_header(std::string_view text, std::string_view file_name);

/// Throws FileError if a file of `file_bytes` bytes (uncompressed) cannot hold as many entries as
/// its header claims. To be called before anything is allocated by the header's word.
void check_matrix_market_size(const MatrixMarketHeader& header, Int file_bytes);

/// The lines of `body` that begin in piece `i` of `parts` equal pieces of its bytes. Together, the
/// slices of all i are the body; some may be empty. Bounds are offsets in `body`.
Range line_slice(std::string_view body, Int parts, Int i);

/// Line ends in `text`.
Int count_lines(std::string_view text);

/// Appends the entries in `text`, whole lines of the body of a coordinate file whose first line has
/// number `first_line`, and returns how many there were. The lower triangle only if the file is
/// symmetric (see mirror); a pattern has values 1; integers beyond 2^53 are rounded to nearest. An
/// element may come several times: its value is the sum, which is left to the caller, as the others
/// may be in another slice. Throws FileError at the first line that breaks the format or the
/// header.
Int parse_coordinate_lines(std::string_view text, const MatrixMarketHeader& header, Int first_line,
                           std::vector<Entry>& out, Nonfinite nonfinite = Nonfinite::reject);

/// The same for an array file: appends the values, whose positions follow from the number of values
/// before this slice (see array_position).
Int parse_array_values(std::string_view text, const MatrixMarketHeader& header, Int first_line,
                       std::vector<std::complex<double>>& out, Nonfinite nonfinite = Nonfinite::reject);

/// Throws FileError unless `found`, summed over all slices, is the number of entries of the header.
void check_entry_count(const MatrixMarketHeader& header, Int found);

struct Position {
  Int row = 0, col = 0;
  bool operator==(const Position&) const = default;
};

/// Where value number `index` (from 0, below header.entries) of an array file belongs: column by
/// column, of the lower triangle if the matrix is symmetric or Hermitian, of what is below the
/// diagonal if it is skew-symmetric.
Position array_position(const MatrixMarketHeader& header, Int index);

/// Position of the value after the one at `p`, cheaper than array_position.
Position next_array_position(const MatrixMarketHeader& header, Position p);

/// Values number first_index, first_index + 1, ... of an array file as entries, without mirror
/// images. Throws FileError if there are too many, or if the diagonal of a Hermitian matrix is not
/// real.
std::vector<Entry> array_entries(const MatrixMarketHeader& header, Int first_index,
                                 const std::vector<std::complex<double>>& values);

/// The entry that `entry`, below the diagonal, implies above it. Not for general matrices.
Entry mirrored(Symmetry symmetry, const Entry& entry);

/// Appends the mirror images of all entries off the diagonal; nothing if the matrix is general.
void mirror(Symmetry symmetry, std::vector<Entry>& entries);

}  // namespace cairn::io
