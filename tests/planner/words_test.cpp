// `prefer = "words"`: nothing that fits receives fewer. Against searches written independently.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "cairn/error.hpp"
#include "every_grid.hpp"
#include "planner/plan_data.hpp"
#include "problem.hpp"

namespace cairn {
namespace {

using testing::problem;
using testing::Shape;

Options words() {
  Options o;
  o.prefer = "words";
  return o;
}

// --- What the busiest rank must receive, from nothing but who multiplies what

constexpr Int none = std::numeric_limits<Int>::max();

Int piece(Int size, Int parts, Int index) { return size / parts + (index < size % parts ? 1 : 0); }

struct Grid3 {
  Int pm, pn, pk;
};

// How ranks share what several of them need: by whole rows, or by whole columns. Terms of C are shared by two groups
// of ranks in turn, q of them first; the second group may be one rank. Both cut the same dimension of a block unless it
// is too small for that.
struct Sharing {
  bool a_by_rows, b_by_rows;
  Int q;
  bool first_by_rows, then_by_rows;
};

// Rank (i, j, l) multiplies M × K by K × N. Of A and B it gets what it does not hold; of C, the terms of its share that
// each of the others has.
Int received(Shape s, Grid3 g, const Sharing& x, Int i, Int j, Int l) {
  const Int M = piece(s.m, g.pm, i), N = piece(s.n, g.pn, j), K = piece(s.k, g.pk, l);
  const Int holds_a = x.a_by_rows ? piece(M, g.pn, j) * K : M * piece(K, g.pn, j);
  const Int holds_b = x.b_by_rows ? piece(K, g.pm, i) * N : K * piece(N, g.pm, i);
  const Int then = g.pk / x.q;
  Int rows = M, cols = N;
  (x.first_by_rows ? rows : cols) = piece(x.first_by_rows ? rows : cols, x.q, l / then);
  const Int first = (x.q - 1) * rows * cols;
  (x.then_by_rows ? rows : cols) = piece(x.then_by_rows ? rows : cols, then, l % then);
  return M * K - holds_a + K * N - holds_b + first + (then - 1) * rows * cols;
}

Int busiest(Shape s, Grid3 g, const Sharing& x) {
  Int most = 0;
  for (Int i = 0; i < g.pm; ++i)
    for (Int j = 0; j < g.pn; ++j)
      for (Int l = 0; l < g.pk; ++l) most = std::max(most, received(s, g, x, i, j, l));
  return most;
}

// With the sharing that suits the grid best.
Int least_of(Shape s, Grid3 g) {
  const bool too_small = g.pk > std::max(piece(s.m, g.pm, 0), piece(s.n, g.pn, 0));
  Int least = none;
  for (unsigned bits = 0; bits < 16; ++bits)
    for (Int q = std::min<Int>(2, g.pk); q <= g.pk; ++q)
      if (g.pk % q == 0) {
        const Sharing x{(bits & 1) != 0, (bits & 2) != 0, q, (bits & 4) != 0, (bits & 8) != 0};
        if (!too_small && x.first_by_rows != x.then_by_rows) continue;
        least = std::min(least, busiest(s, g, x));
      }
  return least;
}

// For every number of ranks, the fewest words of all grids of so many.
std::vector<Int> least_by_ranks(Shape s, Int most_ranks) {
  std::vector<Int> least(static_cast<std::size_t>(most_ranks) + 1, none);
  for (Int pm = 1; pm <= most_ranks; ++pm)
    for (Int pn = 1; pm * pn <= most_ranks; ++pn)
      for (Int pk = 1; pm * pn * pk <= most_ranks; ++pk) {
        Int& known = least[static_cast<std::size_t>(pm * pn * pk)];
        known = std::min(known, least_of(s, {pm, pn, pk}));
      }
  return least;
}

Int least_from(const std::vector<Int>& by_ranks, Int fewest, Int most) {
  return *std::min_element(by_ranks.begin() + fewest, by_ranks.begin() + most + 1);
}

std::string name(const GemmProblem& p) { return fmt::format("{}x{}x{} on {}", p.m, p.n, p.k, p.ranks); }

// --- What is compared

constexpr Int most_ranks = 128;

class PlanByWordsOf : public ::testing::TestWithParam<Shape> {};

// On more than half of the ranks, since one alone receives nothing.
TEST_P(PlanByWordsOf, NoGridReceivesFewer) {
  const std::vector<Int> least = least_by_ranks(GetParam(), most_ranks);
  for (Int p = 2; p <= most_ranks; ++p) {
    const GemmProblem x = problem(GetParam(), p);
    const Plan found = plan(x, words());
    EXPECT_LE(found.max_count().received, least_from(least, p / 2 + 1, p)) << name(x) << ": " << found.algorithm();
    EXPECT_GT(2 * found.data().collective.grid.size(), p) << name(x);
  }
}

TEST_P(PlanByWordsOf, NoGridReceivesFewerWithAsManyRanksIdle) {
  const std::vector<Int> least = least_by_ranks(GetParam(), most_ranks);
  for (Int p : {2, 7, 12, 31, 64, 97, 128})
    for (double idle : {0.0, 0.1, 0.75}) {
      Options o = words();
      o.max_idle = idle;
      const GemmProblem x = problem(GetParam(), p);
      const auto fewest = static_cast<Int>(std::ceil((1 - idle) * static_cast<double>(p) - 1e-9));
      EXPECT_LE(plan(x, o).max_count().received, least_from(least, fewest, p)) << name(x) << ", idle " << idle;
    }
}

INSTANTIATE_TEST_SUITE_P(, PlanByWordsOf,
                         ::testing::Values(Shape{4096, 4096, 4096}, Shape{8192, 8192, 256}, Shape{512, 512, 65536},
                                           Shape{65536, 512, 512}, Shape{1000, 700, 300}),
                         [](const auto& shape) {
                           return fmt::format("{}x{}x{}", shape.param.m, shape.param.n, shape.param.k);
                         });

// Shares of C come out more even where k is cut twice.
TEST(PlanByWords, CutsSumsTwiceWhereThatReceivesFewer) {
  const Plan twice = plan(problem({66, 72, 824}, 97), words());
  EXPECT_EQ(twice.max_count().received, 2379) << twice.algorithm();
  Options once = words();
  once.algorithm = "cosma pk23,pm2,pn2";
  EXPECT_EQ(plan(problem({66, 72, 824}, 97), once).max_count().received, 2694);
}

// Rounds of any dimension, as memory asks for them.
TEST(PlanByWordsInMemory, NothingThatFitsReceivesFewer) {
  struct Case {
    Shape shape;
    Int ranks;
    double times;  // memory, over what A, B and C take
  };
  for (const Case& c :
       {Case{{1000, 700, 300}, 7, 1.4}, Case{{1000, 700, 300}, 12, 1.6}, Case{{1000, 700, 300}, 31, 2.5},
        Case{{512, 512, 4096}, 12, 1.3}, Case{{512, 512, 4096}, 30, 2.2}, Case{{4096, 128, 128}, 20, 1.5},
        Case{{960, 960, 960}, 13, 1.7}, Case{{960, 960, 960}, 64, 3.2}}) {
    const GemmProblem p = problem(c.shape, c.ranks);
    Options o = words();
    const auto all = static_cast<double>(p.m * p.k + p.k * p.n + p.m * p.n);
    o.memory_words = static_cast<Int>(c.times * all / static_cast<double>(p.ranks));
    const testing::Found least = testing::search_all(p, o, p.ranks / 2 + 1);
    ASSERT_GE(least.received, 0) << name(p);
    const Plan found = plan(p, o);
    EXPECT_LE(found.max_count().received, least.received) << name(p) << ": " << found.algorithm();
    EXPECT_LE(found.max_count().peak_words, *o.memory_words) << name(p);
  }
}

TEST(PlanByWordsInMemory, NothingThatFitsReceivesFewerOfRandomProblems) {
  std::mt19937 random(3);
  const auto up_to = [&](Int most) { return std::uniform_int_distribution<Int>(1, most)(random); };
  for (int i = 0; i < 80; ++i) {
    const GemmProblem p = problem(up_to(200), up_to(200), up_to(200), up_to(40));
    Options o = words();
    const Int all = p.m * p.k + p.k * p.n + p.m * p.n;
    o.memory_words = all / p.ranks + up_to(2 * all) / p.ranks;
    o.max_idle = 0.4;
    const testing::Found least = testing::search_all(p, o);
    if (least.received < 0) continue;
    const Plan found = plan(p, o);
    EXPECT_LE(found.max_count().received, least.received)
        << name(p) << ", memory " << *o.memory_words << ": " << found.algorithm();
    EXPECT_LE(found.max_count().peak_words, *o.memory_words) << name(p);
  }
}

TEST(PlanByWords, ALimitThatThePlanKeepsMakesNothingWorse) {
  for (const GemmProblem& p : {problem(117, 1757, 2184, 16), problem(2946, 2048, 1382, 15)}) {
    Options o = words();
    const Plan free = plan(p, o);
    o.memory_words = free.max_count().peak_words;
    const Plan limited = plan(p, o);
    EXPECT_LE(std::pair(limited.max_count().received, limited.predicted_seconds()),
              std::pair(free.max_count().received, free.predicted_seconds()))
        << name(p) << ": " << limited.algorithm() << " against " << free.algorithm();
  }
}

TEST(PlanByWords, TheFastestRoundsOfAnyDimensionAreChosen) {
  const GemmProblem p = problem(1000, 1000, 64, 8);
  const Plan found = plan(p, words()), fastest = plan(p);
  ASSERT_EQ(found.max_count().received, fastest.max_count().received);
  EXPECT_LE(found.predicted_seconds(), fastest.predicted_seconds());
}

// What the other preferences choose, and the best of every algorithm, redistribution included.
TEST(PlanByWordsInLayouts, NoOtherPlanReceivesFewer) {
  std::mt19937 random(4);
  const auto up_to = [&](Int most) { return std::uniform_int_distribution<Int>(1, most)(random); };
  for (int i = 0; i < 40; ++i) {
    const Int pr = up_to(4), pc = up_to(4);
    GemmProblem p = problem(up_to(300), up_to(300), up_to(300), pr * pc);
    const Int b = 8 * up_to(6);
    p.a = Layout::block_cyclic(p.m, p.k, {.mb = b, .nb = b, .pr = pr, .pc = pc});
    if (i % 3 > 0) p.b = Layout::block_cyclic(p.k, p.n, {.mb = b, .nb = b, .pr = pr, .pc = pc});
    if (i % 3 > 1) p.c = Layout::block_cyclic(p.m, p.n, {.mb = b, .nb = b, .pr = pr, .pc = pc});
    const Plan found = plan(p, words());
    for (const char* prefer : {"time", "balanced"})
      for (const char* algorithm : {"", "cosma", "summa", "hsumma", "cannon", "summa25d", "agarwal3d", "carma"}) {
        Options o;
        o.prefer = prefer, o.algorithm = algorithm;
        const Plan other = plan(p, o);
        if (2 * other.data().collective.grid.size() <= p.ranks) continue;
        EXPECT_LE(found.max_count().received, other.max_count().received)
            << name(p) << ", blocks of " << b << " on " << pr << " x " << pc << ": " << found.algorithm() << " against "
            << other.algorithm();
      }
  }
}

TEST(PlanByWordsInLayouts, WhatLiesOnOneRankStaysThere) {
  GemmProblem p = problem(500, 400, 300, 16);
  p.a = Layout::on_one_rank(p.m, p.k), p.b = Layout::on_one_rank(p.k, p.n), p.c = Layout::on_one_rank(p.m, p.n);
  EXPECT_EQ(plan(p, words()).max_count().received, 0);
}

TEST(PlanByWords, AProductWithLittleWorkLeavesRanksIdle) {
  EXPECT_EQ(plan(problem(0, 5, 5, 1000), words()).grid(), (std::array<Int, 3>{1, 1, 1}));
  EXPECT_EQ(plan(problem(1, 1, 1, 1000), words()).grid(), (std::array<Int, 3>{1, 1, 1}));
  EXPECT_EQ(plan(problem(1, 1, 3, 1000), words()).max_count().received, 1);
}

TEST(PlanByWords, NoAlgorithmReceivesFewerAsFarAsItIsNamed) {
  for (Int ranks : {6, 9, 13, 30, 64}) {
    const GemmProblem p = problem(1000, 700, 300, ranks);
    const Int least = plan(p, words()).max_count().received;
    for (const char* algorithm : {"cosma", "summa", "hsumma", "cannon", "summa25d", "agarwal3d", "carma"}) {
      Options o = words();
      o.algorithm = algorithm;
      EXPECT_GE(plan(p, o).max_count().received, least) << name(p) << ": " << algorithm;
    }
  }
}

// Machines differ in time alone, which decides between equals.
TEST(PlanByWords, AreAsFewOnEveryMachine) {
  for (Int ranks : {7, 12, 44, 65}) {
    const GemmProblem p = problem(4096, 4096, 4096, ranks);
    Options o = words();
    const Int least = plan(p, o).max_count().received;
    for (const char* machine : {"local", "piz-daint", "graphene", "exascale"}) {
      o.machine = machine;
      EXPECT_EQ(plan(p, o).max_count().received, least) << machine;
    }
  }
}

TEST(PlanByWords, SaysWhyOthersLost) {
  const std::string text = plan(problem(4096, 4096, 4096, 12), words()).explain();
  EXPECT_NE(text.find("because             the fewest words; the next best, "), std::string::npos) << text;
  EXPECT_NE(text.find("cannon 3x4                              75.0 % more words"), std::string::npos) << text;
}

// What "words" meant before there was "balanced", with the figures of today's clock.
TEST(PlanBalanced, IsTheFewestWordsOfThePlansAsFastAsTheFastest) {
  struct Case {
    Shape shape;
    Int ranks;
    std::string algorithm;
    Int received;
    std::optional<Int> memory = std::nullopt;
  };
  for (const Case& c :
       {Case{{4096, 4096, 4096}, 5, "cannon 1x5", 13434880},
        Case{{4096, 4096, 4096}, 8, "cosma pm2,pn2,pk2,sk2", 6291456},
        Case{{4096, 4096, 4096}, 11, "cosma pm3,pn3,sk5", 7458360},
        Case{{4096, 4096, 4096}, 12, "cosma pm3,pn2,pk2,sk2", 5593088},
        Case{{4096, 4096, 4096}, 14, "cannon 7x2", 10184704}, Case{{4096, 4096, 4096}, 21, "cannon 5x4", 7548928},
        Case{{4096, 4096, 4096}, 44, "cosma pm3,pn3,pk4,sk3", 3267810},
        Case{{4096, 4096, 4096}, 65, "cosma pm4,pn4,pk4,sk4", 2359296},
        Case{{8192, 8192, 256}, 48, "cosma pm8,pn6,sk4", 526944}, Case{{512, 512, 65536}, 31, "cosma pk29", 258048},
        Case{{65536, 512, 512}, 44, "cosma pm42,sk3", 256000}, Case{{1000, 700, 300}, 20, "cosma pm5,pn4,sk15", 87000},
        Case{{1000, 700, 300}, 64, "cosma pm2,pn2,pm2,pn2,pk2,pm2", 48225},
        Case{{4096, 4096, 4096}, 30, "cannon 5x6", 6152192, 2200000},
        Case{{1000, 700, 300}, 16, "cosma pm4,pn4,sk75", 95625, 80000}}) {
    Options o;
    o.prefer = "balanced", o.memory_words = c.memory;
    const Plan p = plan(problem(c.shape, c.ranks), o);
    EXPECT_EQ(p.algorithm(), c.algorithm) << c.ranks;
    EXPECT_EQ(p.max_count().received, c.received) << c.algorithm;
  }
}

}  // namespace
}  // namespace cairn
