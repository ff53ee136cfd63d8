// The arguments of a spelling, "4x4 b=256 stationary=a cyclic": words in any order, each taken once by its name.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

/// Rounds, panels or pieces that a spelling may ask for: each is a few steps of the schedule.
constexpr Int most_turns = 1 << 20;

/// Every refusal is an ArgumentError that names the word and shows the example.
class Arguments {
 public:
  /// `example` is a whole spelling, "summa 4x4 b=256".
  Arguments(std::string_view text, std::string_view example);

  /// "4x4x2" for three sizes: the word without a name; or "groups=2x2". Sizes are at least 1.
  std::vector<Int> sizes(std::size_t count);
  std::vector<Int> sizes(std::string_view name, std::size_t count);
  /// "4x4" or "4x4x2": from `fewest` to `most` sizes.
  std::vector<Int> sizes(std::size_t fewest, std::size_t most);
  /// "b=256": at least 1.
  Int number(std::string_view name);
  /// The same, or `absent` if there is no such word.
  Int number(std::string_view name, Int absent);
  /// "stationary=a": one letter of `letters`, the last of them if the word is absent.
  char letter(std::string_view name, std::string_view letters);
  /// Whether the word is there.
  bool flag(std::string_view word);
  /// Refuses words that nobody took.
  void finish() const;
  [[noreturn]] void refuse(std::string_view why) const;

 private:
  std::optional<std::string_view> take(std::string_view name);

  std::vector<std::string_view> words_;
  std::string example_;
};

/// "4x4x2" alone: from `fewest` to `most` sizes.
std::vector<Int> only_sizes(std::string_view text, std::string_view example, std::size_t fewest, std::size_t most);

}  // namespace cairn
