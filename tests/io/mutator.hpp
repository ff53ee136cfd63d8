// Files that are damaged in the same way on every run.
#pragma once
#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "cairn/error.hpp"

namespace cairn::io {

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  /// One to four damages: a flipped bit, a lost or doubled stretch, a stretch of another file, a
  /// string that readers stumble over, a lost end.
  std::string damaged(std::string text, const std::vector<std::string>& files) {
    for (std::size_t left = 1 + below(1 + below(4)); left > 0; --left) {
      const std::size_t at = below(text.size() + 1), length = below(12);
      const std::string& other = files[below(files.size())];
      switch (below(6)) {
        case 0:
          if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
          break;
        case 1: text.erase(at, length); break;
        case 2: text.insert(at, text.substr(at, length)); break;
        case 3: text.replace(at, length, other, below(other.size()), below(40)); break;
        case 4: text.replace(at, below(3), trap()); break;
        default: text.resize(at);
      }
    }
    return text;
  }

 private:
  std::string trap() {
    const std::string traps[] = {"-1",
                                 "0",
                                 "1000000000000000000",
                                 "9223372036854775807",
                                 "+",
                                 "%",
                                 "\r\n",
                                 "\n",
                                 "9223372036854775808",
                                 "1e999",
                                 "nan",
                                 "-inf",
                                 " ",
                                 std::string(1, '\0'),
                                 "\xff",
                                 "(",
                                 ")",
                                 ",",
                                 "'",
                                 "\"",
                                 "{",
                                 "}",
                                 "L",
                                 "4294967296",
                                 "1e-999",
                                 "D",
                                 "[",
                                 "\t",
                                 "0x10",
                                 std::string(300, '7')};
    return traps[below(std::size(traps))];
  }

  std::mt19937 random_;
};

/// A message of one line that shows no raw bytes of the file.
inline void expect_clear(const FileError& error, const std::string& name) {
  const std::string message = error.what();
  EXPECT_EQ(message.rfind(name, 0), 0U) << message;
  EXPECT_LT(message.size(), 400U);
  for (char c : message) EXPECT_TRUE(c >= ' ' && c <= '~') << message;
}

}  // namespace cairn::io
