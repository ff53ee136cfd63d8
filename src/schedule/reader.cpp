#include "schedule/reader.hpp"

#include <fmt/format.h>

#include <charconv>

#include "cairn/error.hpp"
#include "schedule/words.hpp"

namespace cairn {

void Reader::wrong(std::string_view what) {
  throw ArgumentError(fmt::format("line {}, column {}: {}", line_, last_ - line_start_ + 1, what));
}

void Reader::expected(std::string_view what) {
  constexpr std::size_t most = 24;
  skip_spaces();
  last_ = at_;
  const std::string_view rest = text_.substr(at_, std::min(text_.find('\n', at_), text_.size()) - at_);
  wrong(fmt::format("expected {}, found {}{}", what,
                    rest.empty() ? "the end of the line" : words::quoted(rest.substr(0, most)),
                    rest.size() > most ? "..." : ""));
}

void Reader::skip_spaces() {
  while (!at_end() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
}

char Reader::peek() {
  skip_spaces();
  return here() == '#' ? '\n' : here();
}

void Reader::skip_empty() {
  while (peek() == '\n' && !at_end()) {
    while (here() != '\n') ++at_;
    if (at_end()) return;
    last_ = line_start_ = ++at_;
    ++line_;
  }
}

void Reader::end_line() {
  if (peek() != '\n') expected("the end of the line");
  skip_empty();
}

bool Reader::accept(char c) {
  if (peek() != c || c == '\n') return false;
  ++at_;
  return true;
}

void Reader::expect(char c) {
  if (!accept(c)) expected(fmt::format("'{}'", c));
}

std::string_view Reader::run(bool (*in)(char)) const {
  std::size_t end = at_;
  while (end < text_.size() && in(text_[end])) ++end;
  return text_.substr(at_, end - at_);
}

bool Reader::accept_word(std::string_view word) {
  skip_spaces();
  if (run([](char c) { return words::in_axis(c) || c == '-'; }) != word) return false;
  last_ = at_;
  at_ += word.size();
  return true;
}

void Reader::expect_word(std::string_view word) {
  if (!accept_word(word)) expected(fmt::format("'{}'", word));
}

Int Reader::number(std::string_view what, Int lo, Int hi) {
  skip_spaces();
  const std::string_view digits = run(words::is_digit);
  Int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || value < lo || value > hi)
    expected(fmt::format("{} from {} to {}", what, lo, hi));
  last_ = at_;
  at_ += digits.size();
  return value;
}

std::string Reader::name(std::string_view what, bool (*in)(char)) {
  if (peek() != '"' && !words::starts_name(here())) expected(what);
  return token(what, in);
}

std::string Reader::token(std::string_view what, bool (*in)(char)) {
  const bool quote = peek() == '"';
  last_ = at_;
  if (quote) return quoted();
  const std::string_view word = run(in);
  if (word.empty()) expected(what);
  at_ += word.size();
  return std::string(word);
}

std::string Reader::line(std::string_view what) {
  if (peek() == '"') return quoted();
  if (peek() == '\n') expected(what);
  std::string_view rest = run([](char c) { return c != '\n' && c != '#'; });
  at_ += rest.size();
  while (rest.back() == ' ' || rest.back() == '\t' || rest.back() == '\r') rest.remove_suffix(1);
  return std::string(rest);
}

std::string Reader::quoted() {
  std::string word;
  for (++at_; here() != '"'; ++at_) {
    last_ = at_;
    if (here() == '\n') wrong("expected '\"' before the end of the line");
    word += here() == '\\' ? escaped() : here();
  }
  ++at_;
  return word;
}

// Leaves the place on the last character of the escape.
char Reader::escaped() {
  ++at_;
  if (here() == '"' || here() == '\\') return here();
  last_ = at_;
  unsigned value = 0;
  const std::string_view digits = text_.substr(std::min(at_ + 1, text_.size()), 2);
  const auto end = digits.data() + digits.size();
  const bool hex = here() == 'x' && digits.size() == 2 && std::from_chars(digits.data(), end, value, 16).ptr == end;
  if (!hex) wrong("expected one of \\\" \\\\ \\x00 to \\xff");
  at_ += 2;
  return static_cast<char>(value);
}

}  // namespace cairn
