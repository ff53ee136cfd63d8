// The planner's choice against a search written independently: plain loops over all grids, all ranks, all rounds.
#include "cairn/plan.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "cairn/error.hpp"
#include "every_grid.hpp"
#include "how_much.hpp"
#include "planner/plan_data.hpp"
#include "planner/plan_facts.hpp"
#include "problem.hpp"

namespace cairn {
namespace {

// Only bytes cost time, so that the fastest plan is the one that receives least.
Machine bytes_only() {
  Machine m;
  m.name = m.source = "bytes only";
  m.levels = {{"network", 0, 0, 1}};
  m.gemm.flops_per_second.fill(1e300);
  return m;
}

using testing::Found;
using testing::problem;
using testing::search_all;

class Cases {
 public:
  explicit Cases(unsigned seed) : random_(seed) {}
  Int up_to(Int most) { return std::uniform_int_distribution<Int>(0, most)(random_); }
  Int size() {
    constexpr Int awkward[] = {0, 1, 2, 3, 13, 64, 97, 251};
    const Int kind = up_to(5);
    if (kind == 0) return awkward[up_to(7)];
    return 1 + up_to(kind < 3 ? 20 : 300);
  }
  GemmProblem problem() { return testing::problem(size(), size(), size(), 1 + up_to(63)); }
  Options options() {
    Options o;
    o.algorithm = "cosma";
    o.look_ahead = 0;  // more rounds than needed may receive a few words more, or fewer
    constexpr double idle[] = {0, 0.03, 0.25};
    if (const Int i = up_to(5); i < 3) o.max_idle = idle[i];
    return o;
  }

 private:
  std::mt19937 random_;
};

std::string name(const GemmProblem& p, const Options& o) {
  return std::to_string(p.m) + "x" + std::to_string(p.n) + "x" + std::to_string(p.k) + " on " +
         std::to_string(p.ranks) + (o.max_idle ? ", idle at most " + std::to_string(*o.max_idle) : "") +
         (o.memory_words ? ", memory " + std::to_string(*o.memory_words) : "");
}

// The search cuts each dimension once. Halvings in turn are made only where they receive less or as little.
void require_least(const Plan& plan, Int received, const std::string& name) {
  if (plan.data().found.best.empty())
    ASSERT_LE(plan.max_count().received, received) << name;
  else
    ASSERT_EQ(plan.max_count().received, received) << name;
}

TEST(Plan, ReceivesAsLittleAsTheBestOfAllGrids) {
  const Machine machine = bytes_only();
  Cases cases(1);
  for (int c = 0; c < 400; ++c) {
    const GemmProblem p = cases.problem();
    Options o = cases.options();
    if (!o.max_idle) o.max_idle = 0.1;  // else one rank alone receives nothing
    require_least(plan_on(machine, p, o), search_all(p, o).received, name(p, o));
  }
}

TEST(Plan, ReceivesAsLittleAsTheBestOfAllGridsThatFit) {
  const Machine machine = bytes_only();
  Cases cases(2);
  for (int c = 0; c < 400; ++c) {
    const GemmProblem p = cases.problem();
    Options o = cases.options();
    const Int all = p.m * p.k + p.k * p.n + p.m * p.n;
    o.memory_words = all / p.ranks + cases.up_to(2 * all) / (1 + cases.up_to(p.ranks));
    const Found best = search_all(p, o);
    if (best.received < 0) {
      EXPECT_THROW(plan_on(machine, p, o), MemoryError) << name(p, o);
      continue;
    }
    const Plan found = plan_on(machine, p, o);
    require_least(found, best.received, name(p, o));
    ASSERT_LE(found.max_count().peak_words, *o.memory_words) << name(p, o);
  }
}

Int needed(const GemmProblem& p, Options o) {
  o.memory_words = 0;
  try {
    plan(p, o);
    return 0;
  } catch (const MemoryError& e) {
    const std::string what = e.what(), before = "at least ";
    const std::size_t at = what.find(before);
    EXPECT_NE(at, what.npos) << what;
    return std::stoll(what.substr(at + before.size()));
  }
}

TEST(Plan, NamesTheLeastMemoryThatSuffices) {
  Cases cases(5);
  for (int c = 0; c < 60; ++c) {
    const GemmProblem p = cases.problem();
    Options o = cases.options();
    o.algorithm = "";
    const Int least = needed(p, o);
    o.memory_words = least;
    ASSERT_LE(plan(p, o).max_count().peak_words, least) << name(p, o);
    o.memory_words = least - 1;
    if (least == 0) continue;
    ASSERT_THROW(plan(p, o), MemoryError) << name(p, o);
  }
}

TEST(Plan, RefusesAWordOfMemoryAlsoOneSidedOnTheCallersLayouts) {
  GemmProblem p{.m = 35, .n = 46, .k = 47, .ranks = 9};
  p.op_a = Op::transpose;
  p.a = Layout::block_cyclic(47, 35, {1, 1, 3, 3});
  for (const char* transport : {"", "one-sided"}) {
    Options o;
    o.memory_words = 1, o.transport = transport;
    EXPECT_THROW(plan(p, o), MemoryError) << transport;
  }
}

// Also where panels as thin as can be are too many to count.
TEST(Plan, NamesMemoryThatSufficesByAnyTransport) {
  for (const char* transport : {"two-sided", "one-sided", "node-shared"})
    for (const auto& [p, algorithm] : {std::pair{problem(3, 1, 5000, 17), ""},
                                       {problem(101, 2007, 64, 24), "carma"},
                                       {problem(60, 8, 5, 4), "cannon"},
                                       {problem(17, 24, 53, 7), "agarwal3d"},
                                       {problem(64, 900, 400, 7), ""}}) {
      Options o;
      o.transport = transport, o.algorithm = algorithm;
      const Int least = needed(p, o);
      o.memory_words = least;
      EXPECT_LE(plan(p, o).max_count().peak_words, least) << name(p, o) << " " << transport;
      o.memory_words = least * 9 / 10;
      EXPECT_THROW(plan(p, o), MemoryError) << name(p, o) << " " << transport;
    }
}

// One rank, which holds most in the algorithms' own layouts, holds least beside the caller's A and B if these are
// there.
TEST(Plan, NamesTheLeastMemoryThatSufficesWhereTheCallersOperandsLie) {
  GemmProblem p = problem(71, 333, 254, 2);
  p.a = Layout::on_one_rank(p.m, p.k), p.b = Layout::on_one_rank(p.k, p.n);
  const Int all = p.m * p.k + p.k * p.n + p.m * p.n;
  for (const char* algorithm : {"summa", "hsumma", "summa25d", "agarwal3d", "carma", "cosma"}) {
    Options o;
    o.algorithm = algorithm;
    EXPECT_EQ(needed(p, o), all) << algorithm;
    o.memory_words = all;
    EXPECT_EQ(plan(p, o).max_count().peak_words, all) << algorithm;
  }
}

// Halvings that outlines take for smaller need more.
TEST(Plan, NamesTheLeastMemoryThatSufficesForHalvingsOfTinyMatrices) {
  Options o;
  o.algorithm = "carma";
  EXPECT_EQ(needed(problem(1, 13, 1, 15), o), 7);
}

TEST(Plan, NamesTheMemoryOfTheLookAheadThatNeedsLess) {
  GemmProblem p = problem(35, 11, 4, 2);
  p.a = Layout::on_one_rank(p.m, p.k), p.c = Layout::row_blocks(p.m, p.n, p.ranks);
  const auto peak = [&](int depth) {
    return plan(p, {.algorithm = "fetch25d 1x2", .look_ahead = depth}).max_count().peak_words;
  };
  Options o;
  o.algorithm = "fetch25d 1x2";
  ASSERT_LT(peak(1), peak(0));
  EXPECT_EQ(needed(p, o), peak(1));
  o.memory_words = peak(1);
  EXPECT_EQ(plan(p, o).max_count().peak_words, peak(1));
}

TEST(Plan, NamesMemoryThatSufficesForTheCollectivesThatAreAskedFor) {
  const GemmProblem p = problem(37, 13, 60, 7);
  Options o;
  o.collectives = "reduce_scatter=packed";
  const Int least = needed(p, o);
  o.memory_words = least;
  EXPECT_LE(plan(p, o).max_count().peak_words, least);
}

TEST(Plan, ConjugatedOperandsTakeNoMemory) {
  GemmProblem p{.m = 40, .n = 60, .k = 900, .ranks = 6, .type = ScalarType::complex128};
  p.op_a = p.op_b = Op::transpose;
  const Plan transposed = plan(p);
  p.op_a = p.op_b = Op::adjoint;
  const Plan adjoint = plan(p);
  EXPECT_EQ(adjoint.algorithm(), transposed.algorithm());
  EXPECT_EQ(adjoint.max_count().peak_words, transposed.max_count().peak_words);
}

TEST(Plan, NamesTheLeastMemoryThatSufficesForConjugatedOperands) {
  Cases cases(6);
  for (int c = 0; c < (testing::everything() ? 60 : 12); ++c) {
    GemmProblem p = cases.problem();
    p.type = ScalarType::complex64;
    p.op_a = c % 3 != 0 ? Op::adjoint : Op::none, p.op_b = c % 3 != 1 ? Op::adjoint : Op::transpose;
    Options o;
    o.memory_words = needed(p, o);
    ASSERT_LE(plan(p, o).max_count().peak_words, *o.memory_words) << name(p, o);
    for (Int limit : {*o.memory_words - 1, *o.memory_words * 3 / 4, *o.memory_words + cases.up_to(300)}) {
      if (limit < 0) continue;
      o.memory_words = limit;
      try {
        ASSERT_LE(plan(p, o).max_count().peak_words, limit) << name(p, o);
      } catch (const MemoryError& e) {
        const std::string what = e.what();
        ASSERT_GT(std::stoll(what.substr(what.rfind(' '))), limit) << name(p, o);
      }
    }
  }
}

TEST(Plan, NamesTheLeastMemoryThatSufficesForCosma) {
  Cases cases(3);
  for (int c = 0; c < 100; ++c) {
    const GemmProblem p = cases.problem();
    Options o = cases.options();
    o.algorithm = "cosma";
    const Int least = needed(p, o);
    o.memory_words = least;
    ASSERT_EQ(least, search_all(p, o).least_memory) << name(p, o);
    ASSERT_LE(plan(p, o).max_count().peak_words, least) << name(p, o);
    o.memory_words = least - 1;
    if (least == 0) continue;
    ASSERT_THROW(plan(p, o), MemoryError) << name(p, o);
  }
}

TEST(Plan, OnTheGenericMachineStaysInItsMemory) {
  Cases cases(4);
  for (int c = 0; c < 500; ++c) {
    const GemmProblem p = cases.problem();
    Options o = cases.options();
    o.look_ahead = static_cast<int>(cases.up_to(2));
    o.memory_words = needed(p, o) + cases.up_to(1000);
    ASSERT_LE(plan(p, o).max_count().peak_words, *o.memory_words) << name(p, o);
  }
}

// [cosma-sc19 Figure 5]
TEST(Plan, LeavesOneOf65RanksIdleForAThirdFewerWords) {
  const GemmProblem p = problem(4160, 4160, 4160, 65);
  Options some, all;
  some.prefer = all.prefer = "words";
  all.max_idle = 0;
  const Plan chosen = plan(p, some), forced = plan(p, all);
  EXPECT_EQ(chosen.grid(), (std::array<Int, 3>{4, 4, 4}));
  const auto words = [](const Plan& x) { return static_cast<double>(x.max_count().received); };
  EXPECT_LE(words(chosen), 0.64 * words(forced));
  EXPECT_NEAR(static_cast<double>(chosen.max_count().flops) / static_cast<double>(forced.max_count().flops), 65.0 / 64,
              1e-3);
}

TEST(Plan, UsesTheRanksThatMaxIdleAsksFor) {
  Options o;
  for (double idle : {0.0, 0.1, 0.5}) {
    o.max_idle = idle;
    for (Int p : {1, 7, 59, 97}) {
      const auto g = plan(problem(5, 5, 5, p), o).grid();
      EXPECT_GE(static_cast<double>(g[0] * g[1] * g[2]), (1 - idle) * static_cast<double>(p));
    }
  }
}

TEST(Plan, EmptyProblemsNeedOneRank) {
  for (const GemmProblem& p : {problem(0, 5, 5, 8), problem(5, 0, 5, 8), problem(0, 0, 0, 3)}) {
    const Plan empty = plan(p);
    EXPECT_EQ(empty.grid(), (std::array<Int, 3>{1, 1, 1}));
    EXPECT_EQ(empty.max_count().received, 0);
    EXPECT_FALSE(empty.explain().empty());
    EXPECT_FALSE(empty.json().empty());
  }
}

TEST(Plan, PutsNeighboursOnOneNodeWhereThatPays) {
  const Plan p = plan(problem(65536, 65536, 65536, 4096));
  Options fixed;
  fixed.algorithm = "cosma pm16,pn16,pk16";
  EXPECT_LE(p.predicted_seconds(), plan(p.problem(), fixed).predicted_seconds());
}

TEST(Plan, OverlapNeverTakesLonger) {
  Options none;
  none.look_ahead = 0;
  for (Int p : {2, 4, 8, 30, 64}) {
    const GemmProblem large = problem(4096, 4096, 4096, p);
    EXPECT_LE(plan(large).predicted_seconds(), plan(large, none).predicted_seconds());
    EXPECT_GT(plan(large).rounds(), 1);
  }
}

TEST(Plan, LooksAsFarAheadAsAskedFor) {
  const GemmProblem wide = problem(997, 10007, 256, 4);  // two rounds ahead are the fastest
  Options o;
  for (int depth : {0, 1, 2, 3}) {
    o.look_ahead = depth;
    EXPECT_EQ(look_ahead_of(plan(wide, o)), depth);
  }
}

TEST(Plan, ThatWasChosenIsAsFastWhereItIsSpelledOut) {
  for (const GemmProblem& p : {problem(997, 10007, 256, 4), problem(2048, 2048, 2048, 16), problem(300, 40, 5000, 7)}) {
    const Plan chosen = plan(p);
    Options o;
    o.algorithm = chosen.algorithm();
    EXPECT_EQ(plan(p, o).predicted_seconds(), chosen.predicted_seconds()) << chosen.algorithm();
  }
}

TEST(Plan, KeepsRowBlocksWhereTheyAre) {
  GemmProblem p = problem(4000, 40, 40, 8);
  p.a = Layout::row_blocks(p.m, p.k, 8);
  p.c = Layout::row_blocks(p.m, p.n, 8);
  const Plan stays = plan(p);
  EXPECT_EQ(stays.grid(), (std::array<Int, 3>{8, 1, 1}));
  for (const LabelledStep& l : stays.data().collective.steps)
    EXPECT_FALSE(std::holds_alternative<Redistribute>(l.step));
}

TEST(Plan, StaysOnOneRankWhereMovingCostsMore) {
  GemmProblem p = problem(20, 20, 20, 16);
  p.a = p.b = p.c = Layout::on_one_rank(20, 20);
  EXPECT_EQ(plan(p).max_count().received, 0);
}

TEST(Plan, CountsRedistributionIntoItsMemory) {
  GemmProblem p = problem(300, 300, 300, 8);
  p.a = Layout::block_cyclic(300, 300, {32, 32, 2, 4});
  p.b = Layout::block_cyclic(300, 300, {32, 32, 2, 4});
  Options o;
  const Int free = plan(p, o).max_count().peak_words;
  o.memory_words = needed(p, o);
  EXPECT_LE(*o.memory_words, free);
  EXPECT_LE(plan(p, o).max_count().peak_words, *o.memory_words);
  const Options spelled{.algorithm = "cosma pm2,pn2,pk2"};
  EXPECT_GT(plan(p, spelled).max_count().peak_words, plan(problem(300, 300, 300, 8), spelled).max_count().peak_words);
}

// Where k is cut twice, not all arrays fit together without gaps, of which closed forms know nothing.
TEST(Plan, TheLeastMemoryThatIsNamedSufficesWhereSumsAreSharedBothWays) {
  for (const GemmProblem& p :
       {problem(2, 1, 17, 22), problem(1, 3, 18, 19), problem(1, 5, 21, 31), problem(4, 1, 36, 32)})
    for (const char* prefer : {"time", "words"}) {
      Options o{.algorithm = "cosma", .prefer = prefer};
      o.memory_words = needed(p, o);
      EXPECT_LE(plan(p, o).max_count().peak_words, *o.memory_words) << p.m << 'x' << p.n << 'x' << p.k << ' ' << prefer;
    }
}

template <class E>
std::string message(const GemmProblem& p, const Options& o) {
  try {
    plan(p, o);
  } catch (const E& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(Plan, CountsTheWordsThatAreTooFew) {
  Options o;
  o.memory_words = 1;
  EXPECT_EQ(message<MemoryError>(problem(64, 64, 64, 4), o).rfind("memory: 1 word a rank is too few for any plan, ", 0),
            0U);
  o.memory_words = 2;
  EXPECT_EQ(
      message<MemoryError>(problem(64, 64, 64, 4), o).rfind("memory: 2 words a rank are too few for any plan, ", 0),
      0U);
}

TEST(Plan, RefusesWrongArgumentsByName) {
  Options o;
  EXPECT_EQ(message<ArgumentError>(problem(-1, 2, 3, 4), o), "m is -1, expected 0 or more");
  EXPECT_EQ(message<ArgumentError>(problem(1, 2, 3, 0), o), "ranks: 0, expected at least 1");
  o.algorithm = "summer 2x2";
  EXPECT_EQ(
      message<ArgumentError>(problem(1, 2, 3, 4), o).find("algorithm: 'summer' is unknown, expected one of cosma, "),
      0U);
  o.algorithm = "cosma pm3,pn3";
  EXPECT_EQ(message<ArgumentError>(problem(9, 9, 9, 4), o),
            "cosma pm3,pn3: the grid needs 9 ranks, expected at most 4");
  o.algorithm = "cosma pm3,qn3";
  EXPECT_NE(message<ArgumentError>(problem(9, 9, 9, 4), o).find("'qn3' is not a cut"), std::string::npos);
  o = {};
  o.machine = "cray-1";
  EXPECT_EQ(message<ArgumentError>(problem(9, 9, 9, 4), o),
            "machine: 'cray-1' is unknown, expected one of generic, local, piz-daint, hopper, graphene, "
            "graphene-infiniband, shaheen, exascale, or a JSON file");
  o = {};
  o.transport = "pigeon";
  EXPECT_EQ(message<ArgumentError>(problem(9, 9, 9, 4), o),
            "transport: 'pigeon' is unknown, expected one of two-sided, one-sided, node-shared");
  o = {};
  o.ranks_per_node = -1;
  EXPECT_EQ(message<ArgumentError>(problem(9, 9, 9, 4), o), "ranks_per_node: -1, expected 0 or more");
  o = {};
  o.prefer = "luck";
  EXPECT_EQ(message<ArgumentError>(problem(9, 9, 9, 4), o),
            "prefer: 'luck' is unknown, expected one of time, words, balanced");
  o = {};
  o.max_idle = 1.5;
  EXPECT_NE(message<ArgumentError>(problem(9, 9, 9, 4), o).find("max_idle"), std::string::npos);
  o = {};
  GemmProblem p = problem(9, 9, 9, 4);
  p.c = Layout::row_blocks(9, 9, 4);
  p.c->rows.extent = {5, 14};
  EXPECT_EQ(message<ArgumentError>(p, o), "layout of C: rows begin at 5, expected 0");
  p.op_b = static_cast<Op>(3);
  EXPECT_EQ(message<ArgumentError>(p, o), "op_b: 3, expected 0 to 2");
  p.type = static_cast<ScalarType>(7);
  EXPECT_EQ(message<ArgumentError>(p, o), "type: 7, expected 0 to 3");
  EXPECT_NE(message<ArgumentError>(problem(Int{1} << 40, Int{1} << 40, 1, 4), o).find("64-bit"), std::string::npos);
  EXPECT_EQ(message<ArgumentError>(problem(Int{1} << 30, Int{1} << 30, Int{1} << 30, 1), o),
            "1073741824 x 1073741824 x 1073741824 on 1 rank: a rank has more operations than a 64-bit integer counts");
  // Eight even shares would be counted, and the largest of eight uneven ones is not.
  EXPECT_EQ(message<ArgumentError>(problem(3329021, 3329021, 3329021, 8), o),
            "3329021 x 3329021 x 3329021 on 8 ranks: a rank has more operations than a 64-bit integer counts");
}

// Even shares would be counted, and the one rank of this grid has them all.
TEST(Plan, RefusesAGridOfWhichARankHasMoreOperationsThanAreCounted) {
  constexpr Int n = Int{1} << 21;
  Options o;
  o.algorithm = "summa 1x1 b=2097152";
  EXPECT_EQ(message<ArgumentError>(problem(n, n, n, 16), o),
            "algorithm: a rank has more operations than a 64-bit integer counts, expected another grid");
  o.algorithm = "summa 4x4 b=524288";
  EXPECT_EQ(plan(problem(n, n, n, 16), o).max_count().flops, Int{1} << 60);
}

TEST(Plan, TakesASpellingAsItIs) {
  Options o;
  o.algorithm = "cosma pm2,pn2,pk2,sk4";
  o.look_ahead = 1;
  const Plan p = plan(problem(100, 100, 100, 9), o);
  EXPECT_EQ(p.algorithm(), o.algorithm);
  EXPECT_EQ(p.grid(), (std::array<Int, 3>{2, 2, 2}));
  EXPECT_EQ(p.rounds(), 4);
  EXPECT_EQ(p.count(8), Count());
  EXPECT_THROW(p.count(9), ArgumentError);
  o.algorithm = "cosma";
  o.prefer = "words";
  EXPECT_EQ(plan(problem(1000, 1000, 1000, 8), o).grid(), (std::array<Int, 3>{2, 2, 2}));
}

}  // namespace
}  // namespace cairn
