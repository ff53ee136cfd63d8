// Small pieces shared by the readers of file formats: numbers in text, and text in messages.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "cairn/types.hpp"

namespace cairn::io {

/// `text` between single quotes for a message: at most 40 bytes of it, unprintable ones as \xNN, so
/// that a binary or damaged file cannot garble a terminal or fill a log.
std::string in_quotes(std::string_view text);

/// A decimal integer ("12", "+3", "-4") that fits into Int; nothing else, not even white space.
std::optional<Int> parse_integer(std::string_view token);

enum class NumberStatus : std::uint8_t { ok, malformed, too_large };

/// A decimal number as C, Fortran ("1.5D+02") or MATLAB ("NaN", "-Inf") write it, whatever the
/// locale. Rounded to nearest; a number too small for a double is a zero, one too large is
/// `too_large`.
NumberStatus parse_real(std::string_view token, double& value);

/// a·b for non-negative a and b, or nothing if it does not fit.
std::optional<Int> product(Int a, Int b);

/// The next token between spaces, tabs and carriage returns, removed from the front of `line`;
/// empty at the end of the line.
std::string_view next_token(std::string_view& line);

}  // namespace cairn::io
