// NumPy's .npy format, versions 1.0, 2.0 and 3.0 (NumPy Enhancement Proposal 1): a Python
// dictionary in a padded header, then the elements as they lie in memory. Matrices only, in the
// four types that Cairn multiplies, little endian.
#pragma once
#include <string>
#include <string_view>

#include "cairn/types.hpp"

namespace cairn::io {

/// What the header of a .npy file says.
struct NpyHeader {
  ScalarType type = ScalarType::float64;
  Order order = Order::row;      ///< row: "C order"; col: `fortran_order` is True
  Int rows = 0, cols = 0;        ///< rows·cols·size_of(type) + data_offset fits into Int
  Int data_offset = 0;           ///< bytes before the first element
  bool one_dimensional = false;  ///< the file held a vector of `rows` elements: cols is 1
};

/// So many bytes from the start of a file (or the whole file, if shorter) hold any header accepted
/// here: that of version 1.0 cannot be longer, and no matrix needs more in the later versions.
inline constexpr Int npy_header_probe = 64 * 1024 + 64;

/// Reads the header. `bytes` is the start of the file, at least npy_header_probe bytes or all of
/// it; messages begin with `file_name`. Throws FileError if this is no .npy file or a damaged one,
/// if it has not one or two dimensions, or if its elements are of another type or big endian.
NpyHeader parse_npy_header(std::string_view bytes, std::string_view file_name);

/// Bytes of the elements, without the header.
Int npy_data_bytes(const NpyHeader& header);

/// Throws FileError if a file of `file_bytes` bytes is too short for its header. Bytes after the
/// last element are allowed, as NumPy allows them.
void check_npy_size(const NpyHeader& header, Int file_bytes, std::string_view file_name);

/// The header, version 1.0, of a rows×cols matrix, or of its only column as an array with one
/// dimension: the bytes that NumPy writes, a multiple of 64. Throws ArgumentError if a size is
/// negative, or if such an array has not one column.
std::string format_npy_header(ScalarType type, Order order, Int rows, Int cols, bool one_dimensional = false);

}  // namespace cairn::io
