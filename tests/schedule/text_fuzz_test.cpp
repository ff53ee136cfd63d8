// Whatever the bytes: a refusal, or a schedule whose text parses back to itself.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "cairn/error.hpp"
#include "sample_schedules.hpp"
#include "schedule/text.hpp"

namespace cairn {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t n) { return n == 0 ? 0 : random() % n; }

const std::vector<std::string>& fragments() {
  static const std::vector<std::string> all = {"%0",
                                               "%",
                                               "/",
                                               "(",
                                               ")",
                                               "[",
                                               "]",
                                               "{",
                                               "}",
                                               ",",
                                               ":",
                                               "@",
                                               "*",
                                               "+",
                                               "-",
                                               "=",
                                               "\"",
                                               "\\x",
                                               "\\",
                                               "#",
                                               "\n",
                                               " ",
                                               "i",
                                               "j",
                                               "l2",
                                               "0",
                                               "1",
                                               "-1",
                                               "%b",
                                               "%s2",
                                               "%g4",
                                               "by ",
                                               "chain:8",
                                               "ring",
                                               " every 2",
                                               " for 3",
                                               ".",
                                               "at",
                                               "of",
                                               "on g1",
                                               "view",
                                               "blocks rows {0,4} cols {0,4} owners {0}",
                                               "by columns",
                                               "where",
                                               "beta ",
                                               "gemm",
                                               "add",
                                               "shift",
                                               "along",
                                               "grid g9 {a:2}\n",
                                               "slots\n",
                                               "steps\n",
                                               "9223372036854775807",
                                               "9223372036854775808",
                                               "1152921504606846976",
                                               "2147483648"};
  return all;
}

std::string mutated(std::string text, Random& random) {
  for (std::size_t changes = 1 + below(random, 4); changes > 0; --changes) {
    const std::size_t at = below(random, text.size() + 1);
    const std::size_t length = below(random, random() % 8 == 0 ? 200 : 6);
    const std::string piece = text.substr(at, length);
    switch (random() % 6) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(below(random, text.size() + 1), piece); break;
      case 2: text.insert(at, 1, static_cast<char>(random())); break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(32 + random() % 95);
        break;
      case 4: text.insert(at, fragments()[below(random, fragments().size())]); break;
      default: text.replace(at, std::min(length, text.size() - at), fragments()[below(random, fragments().size())]);
    }
  }
  return text;
}

// Whether it was accepted.
bool survives(const std::string& text) {
  Schedule s;
  try {
    s = parse_schedule(text);
  } catch (const ArgumentError&) {
    return false;
  }
  const std::string printed = print(s);
  for (std::size_t t = 0; t < s.steps.size(); ++t) EXPECT_FALSE(label(s, t).empty());
  try {
    const Schedule back = parse_schedule(printed);
    EXPECT_TRUE(back == s) << text << "\nprinted as\n" << printed;
    EXPECT_EQ(print(back), printed);
  } catch (const ArgumentError& e) {
    ADD_FAILURE() << e.what() << "\nin\n" << printed << "\nprinted of\n" << text;
  }
  return true;
}

TEST(ScheduleTextFuzz, MutationsAreRefusedOrParseBackToThemselves) {
  const std::vector<std::string> texts = {print(samples::everything()), print(samples::caller_layouts()),
                                          print(samples::cosma_of(7, 9, 11, 12, "pm2,pn3,pk2,sk2")),
                                          print(samples::cosma_of(4, 4, 4, 2, "pm2"))};
  Random random(20);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) accepted += survives(mutated(texts[below(random, texts.size())], random));
  EXPECT_GT(accepted, 1000);
  EXPECT_LT(accepted, 19000);
}

TEST(ScheduleTextFuzz, EveryPrefixIsRefusedOrParsesBackToItself) {
  for (const Schedule& s : {samples::everything(), samples::caller_layouts()}) {
    const std::string text = print(s);
    for (std::size_t length = 0; length <= text.size(); ++length) survives(text.substr(0, length));
  }
}

TEST(ScheduleTextFuzz, RandomBytesAreRefused) {
  Random random(21);
  for (int round = 0; round < 5000; ++round) {
    std::string text = round % 2 == 0 ? "" : "cairn-schedule 1\nalgorithm x\n";
    for (std::size_t length = below(random, 100); length > 0; --length) text += static_cast<char>(random());
    EXPECT_FALSE(survives(text));
  }
}

}  // namespace
}  // namespace cairn
