#include "io/block_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cairn/error.hpp"
#include "io/text.hpp"

namespace cairn::io {

namespace {

constexpr Int most_size = std::numeric_limits<std::int32_t>::max();
constexpr std::string_view blank = " \t\r\v\f\n";

Int number(std::string_view token, std::string_view whole, std::string_view name) {
  const auto found = parse_integer(token);
  if (!found || *found < 0 || *found > most_size)
    throw FileError(fmt::format("{}: found {}, expected sizes of blocks from 0 to {}, such as 4,1,1 or 128x6", name,
                                in_quotes(whole), most_size));
  return *found;
}

/// Sizes that are not too many, whatever the text says.
struct Limited {
  std::vector<std::int32_t> sizes;
  Int total = 0, most;
};

void append(std::string_view token, std::string_view name, Limited& to) {
  const std::size_t times = token.find('x');
  const Int count = times == token.npos ? 1 : number(token.substr(0, times), token, name);
  const Int size = number(times == token.npos ? token : token.substr(times + 1), token, name);
  constexpr Int empty = 1'000'000;  // blocks that may have no elements
  if (count * size > to.most - to.total)
    throw FileError(fmt::format("{}: sizes of blocks add up to more than {}", name, to.most));
  if (static_cast<Int>(to.sizes.size()) + count > std::min(to.most + empty, most_size))
    throw FileError(fmt::format("{}: more than {} blocks, of which many have size 0", name, to.sizes.size()));
  to.sizes.insert(to.sizes.end(), static_cast<std::size_t>(count), static_cast<std::int32_t>(size));
  to.total += count * size;
}

}  // namespace

std::vector<std::int32_t> parse_block_sizes(std::string_view text, std::string_view name, Int most) {
  Limited found{{}, 0, most};
  bool comma = true;  // before the next size there was one, or nothing at all
  while (!text.empty()) {
    const char c = text.front();
    if (blank.find(c) != blank.npos) {
      text.remove_prefix(1);
    } else if (c == '%') {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else if (c == ',') {
      if (comma) throw FileError(fmt::format("{}: found a comma with no size before it, expected one", name));
      comma = true;
      text.remove_prefix(1);
    } else {
      const std::size_t length = std::min(text.find_first_of(" \t\r\v\f\n,%"), text.size());
      append(text.substr(0, length), name, found);
      comma = false;
      text.remove_prefix(length);
    }
  }
  if (comma && !found.sizes.empty())
    throw FileError(fmt::format("{}: ends with a comma, expected a size after it", name));
  return std::move(found.sizes);
}

bool is_list_of_sizes(std::string_view text) {
  const std::size_t start = text.find_first_not_of(blank);
  if (start == text.npos || text[start] == '%') return true;
  bool begins = true;  // a size, where a sign is no part of a name: -6 is a wrong size, 2024-11 may be a file
  for (const char c : text) {
    const bool sign = begins && (c == '-' || c == '+');
    if (!sign && (c < '0' || c > '9') && c != 'x' && c != ',' && blank.find(c) == blank.npos) return false;
    begins = c == 'x' || c == ',' || blank.find(c) != blank.npos;
  }
  return true;
}

std::string format_block_sizes(const std::vector<std::int32_t>& sizes, std::string_view comment) {
  std::string text = fmt::format("% {}\n", comment);
  for (std::size_t i = 0; i < sizes.size();) {
    std::size_t end = i;
    while (end < sizes.size() && sizes[end] == sizes[i]) ++end;
    text += end - i == 1 ? fmt::format("{}\n", sizes[i]) : fmt::format("{}x{}\n", end - i, sizes[i]);
    i = end;
  }
  return text;
}

}  // namespace cairn::io
