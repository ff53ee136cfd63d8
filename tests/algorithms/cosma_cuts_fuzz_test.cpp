// Spellings of COSMA's cuts, whatever the bytes: a refusal, or cuts that print back to themselves.
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>

#include "algorithms/cosma.hpp"
#include "cairn/error.hpp"

namespace cairn {
namespace {

using Random = std::mt19937_64;

std::optional<std::vector<CosmaCut>> parsed(const std::string& text) {
  try {
    return parse_cosma_cuts(text);
  } catch (const ArgumentError&) {
    return std::nullopt;
  }
}

void expect_prints_back(const std::string& text) {
  const auto cuts = parsed(text);
  if (!cuts) return;
  for (const CosmaCut& c : *cuts) EXPECT_GT(c.parts, 1) << text;
  EXPECT_EQ(parse_cosma_cuts(print_cosma_cuts(*cuts)), *cuts) << text;
}

// Mostly spellings, with now and then a word that is none.
std::string spelling(Random& random, Int most_parts) {
  std::string text;
  for (std::size_t words = random() % 6; words > 0; --words) {
    if (!text.empty()) text += ',';
    text += "ps"[random() % 2];
    text += "mnk"[random() % 3];
    text += std::to_string(1 + static_cast<Int>(random() % static_cast<std::uint64_t>(most_parts)));
  }
  if (random() % 4 == 0 && !text.empty()) text[random() % text.size()] = "pmnks0123456789,-+ .xq"[random() % 22];
  return text;
}

TEST(CosmaCutsFuzz, SpellingsAreRefusedOrPrintBackToThemselves) {
  Random random(22);
  for (int round = 0; round < 20000; ++round) expect_prints_back(spelling(random, round % 3 == 0 ? INT64_MAX : 100));
}

TEST(CosmaCutsFuzz, RandomBytesAreRefusedOrPrintBackToThemselves) {
  Random random(23);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::size_t length = random() % 12; length > 0; --length)
      text += round % 2 == 0 ? static_cast<char>(random()) : "pmnks0189,-+ "[random() % 13];
    expect_prints_back(text);
  }
}

TEST(CosmaCutsFuzz, ARefusalNamesTheWordThatIsNoCut) {
  for (const char* word : {"p", "pm", "pm0", "pm-1", "pm+1", "pm 2", "pm2 ", "PM2", "px2", "qm2", "pm2x", "pm2.0",
                           "pm9223372036854775808", " pm2", "sk"})
    try {
      parse_cosma_cuts(std::string("pm2,") + word + ",pn2");
      ADD_FAILURE() << word << " was accepted";
    } catch (const ArgumentError& e) {
      EXPECT_NE(std::string(e.what()).find(std::string("'") + word + "'"), std::string::npos) << e.what();
    }
}

TEST(CosmaCutsFuzz, ASchedulesSpellingMakesTheSameScheduleAgain) {
  Random random(24);
  GemmProblem p;
  p.m = 7;
  p.n = 12;
  p.k = 5;
  p.ranks = 12;
  int made = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::string text = spelling(random, 4);
    const auto cuts = parsed(text);
    if (!cuts) continue;
    Int rounds = 1;
    for (char dim : {'m', 'n', 'k'}) rounds *= parts_of(*cuts, 's', dim);
    if (rounds > 64) continue;
    try {
      const Schedule s = cosma(p, *cuts);
      const std::string prefix = "cosma ";
      ASSERT_EQ(s.algorithm.substr(0, prefix.size()), prefix);
      const Schedule again = cosma(p, parse_cosma_cuts(s.algorithm.substr(prefix.size())));
      EXPECT_TRUE(again == s) << text;
      ++made;
    } catch (const ArgumentError& e) {
      EXPECT_NE(std::string(e.what()).find("ranks"), std::string::npos) << e.what();
    }
  }
  EXPECT_GT(made, 300);
}

}  // namespace
}  // namespace cairn
