// One-line spellings of algorithms, whatever the bytes: a refusal, or a schedule that spells itself.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "algorithms/registry.hpp"
#include "cairn/error.hpp"

namespace cairn {
namespace {

using Random = std::mt19937_64;

GemmProblem small_problem() {
  GemmProblem p;
  p.m = 5;
  p.n = 6;
  p.k = 7;
  p.ranks = 8;
  return p;
}

// Whether it was accepted.
bool survives(const std::string& spelling) {
  try {
    const MadeAlgorithm made = make_algorithm(small_problem(), spelling);
    EXPECT_LE(made.grid[0] * made.grid[1] * made.grid[2], 8) << spelling;
    const MadeAlgorithm again = make_algorithm(small_problem(), made.schedule.algorithm);
    EXPECT_TRUE(again.schedule == made.schedule) << spelling;
  } catch (const ArgumentError&) {
    return false;
  }
  return true;
}

TEST(SpellingFuzz, ChangedSpellingsAreRefusedOrSpellTheSameScheduleAgain) {
  const std::string spellings[] = {"cosma pm2,pn2,pk2",
                                   "cosma pm4,sk3",
                                   " cosma  pn3,sm2 ",
                                   "cosma pk2,pn2,sn2",
                                   "summa 2x3 b=2",
                                   "summa 4x2 b=3 stationary=a",
                                   "summa 1x4 cyclic b=2 stationary=b",
                                   "hsumma 2x4 groups=2x2 M=3 b=2",
                                   "hsumma 4x2 b=1 M=2 cyclic groups=1x2",
                                   "cannon 2x2x2",
                                   "cannon 2x3",
                                   "summa25d 2x2x2 b=2",
                                   "agarwal3d 2x2x2",
                                   "carma 8 dfs=2",
                                   "fetch25d 4x2 layers=2x1",
                                   "fetch25d 4x2 crossed"};
  Random random(25);
  int accepted = 0;
  for (int round = 0; round < 10000; ++round) {
    std::string text = spellings[random() % std::size(spellings)];
    for (std::uint64_t changes = 1 + random() % 2; changes > 0 && !text.empty(); --changes) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, 1);
      else  // no further digits: a million rounds would be as legal as slow
        text[at] = random() % 2 == 0 ? "pmnkscabdfMx=1234, "[random() % 19] : "xyz\n\t\"%#\xff\0-"[random() % 11];
    }
    accepted += survives(text);
  }
  EXPECT_GT(accepted, 150);
}

TEST(SpellingFuzz, ArbitraryBytesAreRefused) {
  Random random(26);
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (std::uint64_t length = random() % 20; length > 0; --length) text += static_cast<char>(random());
    EXPECT_FALSE(survives(text)) << text;
  }
}

TEST(SpellingFuzz, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  for (const char* spelling : {"", "cosm", "COSMA pm2", "cosmapm2", "summa2x2", "hsumm 2x2"}) try {
      make_algorithm(small_problem(), spelling);
      ADD_FAILURE() << spelling << " was accepted";
    } catch (const ArgumentError& e) {
      for (std::string_view name : algorithm_names())
        EXPECT_NE(std::string_view(e.what()).find(name), std::string_view::npos) << e.what();
    }
}

}  // namespace
}  // namespace cairn
