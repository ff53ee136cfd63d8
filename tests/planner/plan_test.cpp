// The planner's choice against a search written independently: plain loops over all grids, all ranks, all rounds.
#include "cairn/plan.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "cairn/error.hpp"
#include "planner/plan_data.hpp"
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

using testing::problem;

// --- The independent search

Int cut(Int size, Int parts, Int i) { return (size * 1) / parts + (i < size % parts ? 1 : 0); }

struct Rank {
  Int received, held;
};

struct Way {
  Int pm, pn, pk;
  char loop;
  Int rounds;
  bool a_by_k = true, b_by_k = true;  // where rounds are not shared each by itself
  Int pk1 = 0;                        // ranks along k as two axes, of which the second shares what the first leaves
  bool first_by_n = true, second_by_n = true;
};

// Words of the first rank's sums after each of the two.
std::array<Int, 2> after_each(const Way& w, Int m, Int n) {
  std::array<Int, 2> left{};
  for (int axis : {0, 1}) {
    const Int q = axis == 0 ? w.pk1 : w.pk / w.pk1;
    Int& size = (axis == 0 ? w.first_by_n : w.second_by_n) ? n : m;
    size = cut(size, q, 0);
    left[axis] = m * n;
  }
  return left;
}

bool shared_by_round(const GemmProblem& p, const Way& w) {
  const Int shortest = p.k / (w.pk * w.rounds);
  return w.loop == 'k' && w.rounds > 1 && (w.pn == 1 || shortest >= w.pn) && (w.pm == 1 || shortest >= w.pm);
}

bool shares_c_by_columns(const GemmProblem& p, const Way& w) {
  const Int top_m = cut(p.m, w.pm, 0), top_n = cut(p.n, w.pn, 0), columns = top_m * cut(top_n, w.pk, 0),
            rows = cut(top_m, w.pk, 0) * top_n;
  const bool tie = w.rounds == 1 || w.loop == 'k' ? top_n >= w.pk : w.loop == 'm';
  return columns < rows || (columns == rows && tie);
}

// One rank of a pm × pn × pk grid, without look-ahead: every piece of every round by itself.
Rank one_rank(const GemmProblem& p, const Way& w, Int i, Int j, Int l) {
  const Int M = cut(p.m, w.pm, i), N = cut(p.n, w.pn, j), K = cut(p.k, w.pk, l);
  Int own_a = w.a_by_k ? M * cut(K, w.pn, j) : cut(M, w.pn, j) * K;
  Int own_b = w.b_by_k ? N * cut(K, w.pm, i) : cut(N, w.pm, i) * K;
  if (shared_by_round(p, w)) {
    own_a = own_b = 0;
    for (Int r = 0; r < w.rounds; ++r) {
      own_a += M * cut(cut(K, w.rounds, r), w.pn, j);
      own_b += N * cut(cut(K, w.rounds, r), w.pm, i);
    }
  }
  const bool by_columns = shares_c_by_columns(p, w);
  const auto share_of_c = [&](Int m, Int n) { return by_columns ? m * cut(n, w.pk, l) : cut(m, w.pk, l) * n; };
  const Int m1 = w.loop == 'm' ? cut(M, w.rounds, 0) : M, n1 = w.loop == 'n' ? cut(N, w.rounds, 0) : N,
            k1 = w.loop == 'k' ? cut(K, w.rounds, 0) : K;
  const Int a = w.pn > 1 ? m1 * k1 : 0, b = w.pm > 1 ? n1 * k1 : 0;
  const bool keeps_a = w.rounds > 1 && w.loop == 'n', keeps_b = w.rounds > 1 && w.loop == 'm';
  const Int kept = (keeps_a ? a : 0) + (keeps_b ? b : 0), panels = a + b - kept;
  if (w.pk1 > 0) {
    const auto [once, twice] = after_each(w, M, N);
    return {M * K - own_a + K * N - own_b + (w.pk1 - 1) * once + (w.pk / w.pk1 - 1) * twice,
            own_a + own_b + twice + M * N + std::max(a + b, once + std::min<Int>(2, w.pk1 - 1) * once)};
  }
  const Int partial = w.pk > 1 ? m1 * n1 : 0, in_flight = std::min<Int>(2, w.pk - 1) * share_of_c(m1, n1);
  return {M * K - own_a + K * N - own_b + (w.pk - 1) * share_of_c(M, N),
          own_a + own_b + share_of_c(M, N) + kept + partial + std::max(panels, in_flight)};
}

// The most that a rank receives; along k it is one at either end.
Int most_received(const GemmProblem& p, const Way& w) {
  Int most = 0;
  for (Int i = 0; i < w.pm; ++i)
    for (Int j = 0; j < w.pn; ++j)
      for (Int l : {Int{0}, w.pk - 1}) most = std::max(most, one_rank(p, w, i, j, l).received);
  return most;
}

// Shared along k if that comes out even; else as what is received decides, then what is owned of A and B.
Way shared(const GemmProblem& p, Way w) {
  const bool even = w.rounds == 1 && p.k > 0 && p.k % (w.pk * w.pn) == 0 && p.k % (w.pk * w.pm) == 0;
  if (even || shared_by_round(p, w)) return w;
  Way best = w;
  const auto key = [&](const Way& x) { return std::pair(most_received(p, x), one_rank(p, x, 0, 0, 0).held); };
  auto least = key(best);
  for (bool a_by_k : {true, false})
    for (bool b_by_k : {true, false}) {
      w.a_by_k = a_by_k, w.b_by_k = b_by_k;
      if (const auto k = key(w); k < least) least = k, best = w;
    }
  return best;
}

struct Found {
  Int received = -1;             // smallest maximum over ranks; -1: nothing fits
  Int least_memory = INT64_MAX;  // with which something fits
};

// As few rounds as fit, of each dimension; of k also as few as fit among those not shared each by itself.
void try_loop(const GemmProblem& p, Int limit, Way w, Int size, Found& best) {
  bool fitted = false, dealt = false, chosen = false;
  for (w.rounds = 2; w.rounds <= size && !dealt; ++w.rounds) {
    const bool by_round = shared_by_round(p, w);
    if (by_round && fitted) continue;
    if (!by_round && !chosen) w = shared(p, w), chosen = true;
    const Int held = one_rank(p, w, 0, 0, 0).held;
    best.least_memory = std::min(best.least_memory, held);
    if (held > limit) continue;
    (by_round ? fitted : dealt) = true;
    const Int received = most_received(p, w);
    if (best.received < 0 || received < best.received) best.received = received;
  }
}

// By the first rank, which receives most of C.
Int sums_received(const GemmProblem& p, const Way& w) {
  const auto [once, twice] = after_each(w, cut(p.m, w.pm, 0), cut(p.n, w.pn, 0));
  return (w.pk1 - 1) * once + (w.pk / w.pk1 - 1) * twice;
}

// Without rounds if that fits, else with rounds of these dimensions.
void try_way(const GemmProblem& p, const std::optional<Int>& limit, const Way& w, std::string_view loops, Found& best) {
  const Way once = shared(p, w);
  const Int held = one_rank(p, once, 0, 0, 0).held, received = most_received(p, once);
  best.least_memory = std::min(best.least_memory, held);
  if (!limit || held <= *limit) {
    if (best.received < 0 || received < best.received) best.received = received;
    return;
  }
  for (char loop : loops) {
    Way x = w;
    x.loop = loop, x.rounds = 2;
    const Int size = loop == 'm' ? cut(p.m, w.pm, 0) : loop == 'n' ? cut(p.n, w.pn, 0) : cut(p.k, w.pk, 0);
    try_loop(p, *limit, x, size, best);
  }
}

// C along both dimensions, too, where ranks along k are more than it has rows and columns.
void try_grid(const GemmProblem& p, const std::optional<Int>& limit, Int pm, Int pn, Int pk, Found& best) {
  Way w{pm, pn, pk, 'k', 1};
  try_way(p, limit, w, "mnk", best);
  if (pk <= std::max(cut(p.m, pm, 0), cut(p.n, pn, 0))) return;
  for (w.pk1 = 2; w.pk1 < pk; ++w.pk1) {
    if (pk % w.pk1 != 0) continue;
    std::optional<Way> least;
    const bool usual = shares_c_by_columns(p, w);
    for (bool first : {usual, !usual})
      for (bool second : {usual, !usual}) {
        w.first_by_n = first, w.second_by_n = second;
        if (!least || sums_received(p, w) < sums_received(p, *least)) least = w;
      }
    try_way(p, limit, *least, "k", best);
  }
}

Found search_all(const GemmProblem& p, const Options& o) {
  Found best;
  for (Int pm = 1; pm <= p.ranks; ++pm)
    for (Int pn = 1; pm * pn <= p.ranks; ++pn)
      for (Int pk = 1; pm * pn * pk <= p.ranks; ++pk) {
        const Int idle = p.ranks - pm * pn * pk;
        if (o.max_idle && static_cast<double>(idle) > *o.max_idle * static_cast<double>(p.ranks) + 1e-9) continue;
        try_grid(p, o.memory_words, pm, pn, pk, best);
      }
  return best;
}

// --- What is compared

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
  Options all;
  all.max_idle = 0;
  const Plan chosen = plan(p), forced = plan(p, all);
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
  EXPECT_EQ(message<ArgumentError>(problem(9, 9, 9, 4), o), "prefer: 'luck' is unknown, expected one of time, words");
  o = {};
  o.max_idle = 1.5;
  EXPECT_NE(message<ArgumentError>(problem(9, 9, 9, 4), o).find("max_idle"), std::string::npos);
  o = {};
  EXPECT_NE(message<ArgumentError>(problem(Int{1} << 40, Int{1} << 40, 1, 4), o).find("64-bit"), std::string::npos);
  EXPECT_NE(message<ArgumentError>(problem(Int{1} << 30, Int{1} << 30, Int{1} << 30, 4), o).find("64-bit"),
            std::string::npos);
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
