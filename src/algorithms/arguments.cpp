#include "algorithms/arguments.hpp"

#include <fmt/format.h>

#include <charconv>

#include "cairn/error.hpp"

namespace cairn {

namespace {

// "4x4x2" as numbers of at least 1; empty if it is anything else.
std::vector<Int> numbers(std::string_view text) {
  std::vector<Int> all;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    Int value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value < 1 || (next < end && (*next != 'x' || next + 1 == end))) return {};
    all.push_back(value);
    at = next < end ? next + 1 : end;
  }
  return all;
}

bool is_grid(std::string_view word) { return word[0] >= '0' && word[0] <= '9'; }

}  // namespace

Arguments::Arguments(std::string_view text, std::string_view example) : example_(example) {
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (!word.empty()) words_.push_back(word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
}

void Arguments::refuse(std::string_view why) const {
  throw ArgumentError(fmt::format("algorithm: {}, as in {}", why, example_));
}

// The first word that starts with `name`, without it; no name: the first that starts with a digit.
std::optional<std::string_view> Arguments::take(std::string_view name) {
  for (auto word = words_.begin(); word != words_.end(); ++word) {
    if (name.empty() ? !is_grid(*word) : word->substr(0, name.size()) != name) continue;
    const std::string_view rest = word->substr(name.size());
    words_.erase(word);
    return rest;
  }
  return std::nullopt;
}

std::vector<Int> Arguments::sizes(std::size_t count) { return sizes("", count); }

std::vector<Int> Arguments::sizes(std::string_view name, std::size_t count) {
  const std::string key = name.empty() ? "" : fmt::format("{}=", name);
  const std::optional<std::string_view> text = take(key);
  std::vector<Int> all = numbers(text.value_or(""));
  if (all.size() != count)
    refuse(
        fmt::format("{}, expected {}",
                    text ? fmt::format("'{}{}'{}", key, *text, name.empty() ? " is not a grid" : "")
                         : fmt::format("{} is missing", name.empty() ? "the grid" : key),
                    count == 1 ? "a positive number" : fmt::format("{} positive numbers with x between them", count)));
  return all;
}

std::vector<Int> Arguments::sizes(std::size_t fewest, std::size_t most) {
  const std::optional<std::string_view> text = take("");
  std::vector<Int> all = numbers(text.value_or(""));
  if (all.size() < fewest || all.size() > most)
    refuse(fmt::format("{}, expected {} or {} positive numbers with x between them",
                       text ? fmt::format("'{}' is not a grid", *text) : "the grid is missing", fewest, most));
  return all;
}

Int Arguments::number(std::string_view name, Int absent) {
  const std::string key = fmt::format("{}=", name);
  const bool given = std::any_of(words_.begin(), words_.end(), [&](auto w) { return w.substr(0, key.size()) == key; });
  return given ? number(name) : absent;
}

Int Arguments::number(std::string_view name) { return sizes(name, 1).front(); }

char Arguments::letter(std::string_view name, std::string_view letters) {
  const auto text = take(fmt::format("{}=", name));
  if (!text) return letters.back();
  if (text->size() != 1 || letters.find(text->front()) == letters.npos)
    refuse(fmt::format("'{}={}' is unknown, expected one letter of {}", name, *text, letters));
  return text->front();
}

bool Arguments::flag(std::string_view word) {
  const auto rest = take(word);
  if (rest && !rest->empty()) refuse(fmt::format("'{}{}' is unknown, expected {} or nothing", word, *rest, word));
  return rest.has_value();
}

void Arguments::finish() const {
  if (!words_.empty()) refuse(fmt::format("'{}' is not an argument", words_.front()));
}

std::vector<Int> only_sizes(std::string_view text, std::string_view example, std::size_t fewest, std::size_t most) {
  Arguments arguments(text, example);
  std::vector<Int> all = fewest == most ? arguments.sizes(most) : arguments.sizes(fewest, most);
  arguments.finish();
  return all;
}

}  // namespace cairn
