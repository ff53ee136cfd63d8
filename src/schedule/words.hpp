// Names in the text of a schedule: bare where nothing can be mistaken, otherwise quoted. Shared by
// print and parse, which must agree on what is bare.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/types.hpp"

namespace cairn::words {

inline bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool in_axis(char c) { return starts_name(c) || is_digit(c); }
/// Builders mark what they make of A and C as A' and C+.
inline bool in_slot(char c) { return in_axis(c) || c == '\'' || c == '+'; }
inline bool in_source(char c) { return in_axis(c) || c == '.' || c == ':' || c == '/' || c == '-' || c == '+'; }
inline bool is_control(char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }

inline bool bare_axis(std::string_view s) {
  return !s.empty() && starts_name(s[0]) && std::all_of(s.begin(), s.end(), in_axis);
}
/// "on" leads to the name of a grid.
inline bool bare_slot(std::string_view s) {
  return !s.empty() && starts_name(s[0]) && std::all_of(s.begin(), s.end(), in_slot) &&
         s.substr(0, s.find_first_of("'+")) != "on";
}
inline bool bare_source(std::string_view s) { return !s.empty() && std::all_of(s.begin(), s.end(), in_source); }
/// A line of prose: bare up to the end of the line or the comment.
inline bool bare_line(std::string_view s) {
  return !s.empty() && s.front() != ' ' && s.back() != ' ' && s.find_first_of("\"#") == s.npos &&
         std::none_of(s.begin(), s.end(), is_control);
}

/// Each index one further: what "..." stands for.
inline std::vector<Int> next_holders(std::vector<Int> holders, Int parts) {
  for (Int& index : holders) index = (index + 1) % parts;
  return holders;
}

inline std::string quoted(std::string_view s) {
  std::string text = "\"";
  for (char c : s) {
    if (c == '"' || c == '\\')
      (text += '\\') += c;
    else if (is_control(c))
      text += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      text += c;
  }
  return text += '"';
}

inline std::string axis(std::string_view s) { return bare_axis(s) ? std::string(s) : quoted(s); }
inline std::string slot(std::string_view s) { return bare_slot(s) ? std::string(s) : quoted(s); }
inline std::string source(std::string_view s) { return bare_source(s) ? std::string(s) : quoted(s); }
inline std::string line(std::string_view s) { return bare_line(s) ? std::string(s) : quoted(s); }

}  // namespace cairn::words
