// Checks of options that are numbers: CLI11 alone does not say what it expects, takes too large ones for the largest
// that there is, and reads 010 as 8.
#pragma once
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>

namespace cairn::app {

/// All of a text is one number. One with a plus, too.
template <class Number>
bool read_number(std::string_view text, Number& number) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

/// For an option's transform(): a number from `least` to `most`, a whole one where Number holds no others.
template <class Number>
CLI::Validator number(Number least = std::numeric_limits<Number>::lowest(),
                      Number most = std::numeric_limits<Number>::max()) {
  using Limits = std::numeric_limits<Number>;
  std::string expected = Limits::is_integer ? "a whole number" : "a number";
  if (least == Limits::lowest())
    expected += Limits::is_integer ? fmt::format(" below 2^{}", Limits::digits) : "";
  else
    expected += Limits::is_integer ? fmt::format(", {} to {}", least, most) : fmt::format(", {} or more", least);
  const auto check = [=](std::string& text) -> std::string {
    Number x = 0;
    if (!read_number(text, x) || !(x >= least && x <= most)) return fmt::format("'{}', expected {}", text, expected);
    if (Limits::is_integer) text = fmt::format("{}", x);
    return {};
  };
  return {check, ""};
}

}  // namespace cairn::app
