#include "io/text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace cairn::io {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string shown = "'";
  for (char c : text.substr(0, most)) {
    if (c >= ' ' && c <= '~')
      shown += c;
    else
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return shown + (text.size() > most ? "...'" : "'");
}

namespace {

/// from_chars knows no '+'. A second sign stays in place and is refused by from_chars' caller.
std::string_view without_plus(std::string_view token) {
  if (token.size() > 1 && token[0] == '+' && token[1] != '-') token.remove_prefix(1);
  return token;
}

/// Whether a number that from_chars found out of range is below 1: it is then too small, not too
/// large. True if its first non-zero digit stands right of the decimal point once the exponent is
/// applied. `token` is well formed and its exponent letter, if any, is 'e' or 'E'.
bool is_tiny(std::string_view token) {
  const std::size_t letter = std::min(token.find_first_of("eE"), token.size());
  const std::string_view mantissa = token.substr(0, letter);
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == mantissa.npos) return true;
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const Int magnitude = static_cast<Int>(point) - static_cast<Int>(first);
  if (letter == token.size()) return magnitude <= 0;
  const std::string_view digits = without_plus(token.substr(letter + 1));
  const bool negative = !digits.empty() && digits[0] == '-';
  const std::optional<Int> exponent = parse_integer(digits);
  if (!exponent) return negative;  // dozens of digits: the mantissa no longer matters
  return *exponent < -magnitude;
}

}  // namespace

std::optional<Int> parse_integer(std::string_view token) {
  token = without_plus(token);
  Int value = 0;
  const char* const end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, value);
  if (error != std::errc{} || stop != end) return {};
  return value;
}

NumberStatus parse_real(std::string_view token, double& value) {
  token = without_plus(token);
  const char* end = token.data() + token.size();
  auto [stop, error] = std::from_chars(token.data(), end, value);
  std::string fortran;  // keeps the rewritten number alive
  if (stop != end && (*stop == 'D' || *stop == 'd')) {
    fortran = token;
    fortran[static_cast<std::size_t>(stop - token.data())] = 'e';
    token = fortran;
    end = token.data() + token.size();
    const auto again = std::from_chars(token.data(), end, value);
    stop = again.ptr;
    error = again.ec;
  }
  if (error == std::errc::invalid_argument || stop != end) return NumberStatus::malformed;
  const bool spelled_out = token.find_first_of("nN") != token.npos;  // inf, infinity, nan
  if (error == std::errc::result_out_of_range) {
    if (!is_tiny(token)) return NumberStatus::too_large;
    value = token[0] == '-' ? -0.0 : 0.0;
  } else if (!std::isfinite(value) && !spelled_out) {
    return NumberStatus::too_large;  // some standard libraries round to infinity without a word
  }
  return NumberStatus::ok;
}

std::optional<Int> product(Int a, Int b) {
  if (a != 0 && b > std::numeric_limits<Int>::max() / a) return {};
  return a * b;
}

std::string_view next_token(std::string_view& line) {
  constexpr std::string_view space = " \t\r\v\f";
  line.remove_prefix(std::min(line.find_first_not_of(space), line.size()));
  const std::size_t length = std::min(line.find_first_of(space), line.size());
  const std::string_view token = line.substr(0, length);
  line.remove_prefix(length);
  return token;
}

}  // namespace cairn::io
