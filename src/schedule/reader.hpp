// Characters, numbers and names of a text that is read line by line; knows where it is, for errors.
#pragma once
#include <string>
#include <string_view>

#include "cairn/types.hpp"

namespace cairn {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  /// Throws ArgumentError "line 12, column 7: expected WHAT, found ..." about what comes next.
  [[noreturn]] void expected(std::string_view what);
  /// Throws ArgumentError "line 12, column 7: WHAT" about the last number or word that was read.
  [[noreturn]] void wrong(std::string_view what);

  bool at_end() const { return at_ == text_.size(); }
  /// The next character of this line after spaces, or '\n' where the line or a comment ends it.
  char peek();
  /// The very next character, be it a space.
  char here() const { return at_end() ? '\n' : text_[at_]; }
  /// Skips what is left of an empty line or comment and all further such lines.
  void skip_empty();
  /// Throws unless only spaces or a comment are left of this line; then as skip_empty.
  void end_line();

  /// Each skips spaces, then takes what it names if it comes next.
  bool accept(char c);
  void expect(char c);
  bool accept_word(std::string_view word);
  void expect_word(std::string_view word);
  /// Decimal digits; throws unless they make a number in [lo, hi].
  Int number(std::string_view what, Int lo, Int hi);
  /// What `in` accepts and a letter begins, or a quoted string.
  std::string name(std::string_view what, bool (*in)(char));
  /// The same without the demand on the first character.
  std::string token(std::string_view what, bool (*in)(char));
  /// The rest of the line up to a comment, without spaces around it, or a quoted string.
  std::string line(std::string_view what);

 private:
  void skip_spaces();
  std::string_view run(bool (*in)(char)) const;
  std::string quoted();
  char escaped();

  std::string_view text_;
  std::size_t at_ = 0, last_ = 0, line_start_ = 0;
  Int line_ = 1;
};

}  // namespace cairn
