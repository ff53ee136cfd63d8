// Sizes of blocks as text: what stands in a file beside a matrix, and what is given to a command.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/types.hpp"

namespace cairn::io {

/// The sizes in a text, separated by commas, white space or both; "128x6" is 128 times 6, and '%' begins a comment that
/// ends with its line. Throws FileError, which begins with `name`, for everything else, for sizes beyond 2^31 − 1, and
/// before they are stored for sizes that add up to more than `most`, or are more than a million more than that.
std::vector<std::int32_t> parse_block_sizes(std::string_view text, std::string_view name,
                                            Int most = std::numeric_limits<std::int32_t>::max());

/// Whether a text is meant as such a list, and is no name of a file: there are only digits, 'x', commas, white space
/// and signs before digits in it, or it begins with '%'.
bool is_list_of_sizes(std::string_view text);

/// The text of a file of sizes: a line for each run of equal ones.
std::string format_block_sizes(const std::vector<std::int32_t>& sizes, std::string_view comment);

}  // namespace cairn::io
