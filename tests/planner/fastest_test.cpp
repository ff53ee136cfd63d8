// `prefer = "time"`: nothing that a wider search finds is much faster by the clock than what is chosen; and on few
// ranks, none of what the clock likes best by the replay.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "algorithms/registry.hpp"
#include "cairn/plan.hpp"
#include "interpret/clock.hpp"
#include "interpret/count.hpp"
#include "interpret/replay/replay.hpp"
#include "planner/choose_collectives.hpp"
#include "planner/plan_data.hpp"
#include "problem.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

using testing::problem;
using testing::Shape;

std::string machine_file(const std::string& name) {
  return (std::filesystem::path(CAIRN_SOURCE_DIR) / "bench/simgrid/machines" / (name + ".json")).string();
}

// Every spelling that it is given, by the clock; the fastest.
class WiderSearch {
 public:
  WiderSearch(const Machine& machine, const GemmProblem& p, std::optional<Int> memory_words = {})
      : machine_(machine), problem_(p), memory_words_(memory_words), chooser_(machine, p.type, {}) {}

  void add(const std::string& spelling, int depth) {
    const Schedule s = made(spelling, depth), wire = expand_collectives(s);
    if (memory_words_ && count_all(s, wire).max.peak_words > *memory_words_) return;
    const double now = clock(wire, machine_, problem_.type).seconds;
    if (now < seconds) seconds = now, best = fmt::format("{} look-ahead {}", spelling, depth);
    by_clock_.emplace(now, std::pair(spelling, depth));
    if (by_clock_.size() > 12) by_clock_.erase(std::prev(by_clock_.end()));
  }

  // Of those that are fastest by the clock.
  double least_by_replay() {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [_, way] : by_clock_)
      least = std::min(least,
                       replay(expand_collectives(made(way.first, way.second)), machine_, problem_.type).last.seconds);
    return least;
  }

  double seconds = std::numeric_limits<double>::infinity();
  std::string best;

 private:
  Schedule made(const std::string& spelling, int depth) {
    return chooser_.choose(look_ahead(make_algorithm(problem_, spelling).schedule, depth));
  }

  std::multimap<double, std::pair<std::string, int>> by_clock_;
  const Machine& machine_;
  const GemmProblem& problem_;
  std::optional<Int> memory_words_;
  CollectiveChooser chooser_;
};

// All grids of nearly all ranks, rounds of each dimension, and Cannon's grids.
WiderSearch search(const Machine& machine, const GemmProblem& p, Int fewest, std::initializer_list<Int> rounds) {
  WiderSearch all(machine, p);
  for (Int pm = 1; pm <= p.ranks; ++pm)
    for (Int pn = 1; pm * pn <= p.ranks; ++pn) {
      if (pm * pn >= fewest && std::lcm(pm, pn) <= p.k) all.add(fmt::format("cannon {}x{}", pm, pn), 1);
      for (Int pk = 1; pm * pn * pk <= p.ranks; ++pk) {
        if (pm * pn * pk < fewest) continue;
        const std::string cuts = fmt::format("cosma pm{},pn{},pk{}", pm, pn, pk);
        all.add(cuts, 0);
        for (Int t : rounds)
          for (char loop : {'k', 'm', 'n'}) all.add(fmt::format("{},s{}{}", cuts, loop, t), 1);
      }
    }
  return all;
}

void expect_no_faster(const std::string& machine, Shape shape, Int ranks, Int fewest,
                      std::initializer_list<Int> rounds) {
  Options o;
  o.machine = machine_file(machine);
  const GemmProblem p = problem(shape, ranks);
  const Plan chosen = plan(p, o);
  const Machine simulated = find_machine(o.machine);
  WiderSearch wider = search(simulated, p, fewest, rounds);
  constexpr double near = 1.02;
  EXPECT_LE(chosen.predicted_seconds(), near * wider.seconds)
      << machine << " " << shape.m << "x" << shape.n << "x" << shape.k << " on " << ranks << ": " << chosen.algorithm()
      << " against " << wider.best;
  if (ranks > 16) return;
  const double replayed = replay(chosen.data().wire, simulated, p.type).last.seconds;
  EXPECT_LE(replayed, near * wider.least_by_replay()) << machine << ", by the replay: " << chosen.algorithm();
}

constexpr Shape square{4096, 4096, 4096}, flat{8192, 8192, 256}, large_k{512, 512, 65536};

class PlanByTimeOn : public ::testing::TestWithParam<const char*> {};

TEST_P(PlanByTimeOn, NoGridLoopOrRoundsAreMuchFasterOn16Ranks) {
  for (Shape shape : {square, flat, large_k})
    expect_no_faster(GetParam(), shape, 16, 14, {2, 3, 4, 8, 13, 16, 64, 128});
}

TEST_P(PlanByTimeOn, NoGridLoopOrRoundsAreMuchFasterOn64Ranks) {
  for (Shape shape : {square, flat, large_k}) expect_no_faster(GetParam(), shape, 64, 63, {3, 8, 16, 32});
}

INSTANTIATE_TEST_SUITE_P(, PlanByTimeOn, ::testing::Values("node", "costs"),
                         [](const auto& test) { return std::string(test.param); });

// With less memory than the best plan needs, in rounds of any dimension, with overlap and without.
TEST(PlanByTime, NoGridLoopOrRoundsThatFitAreMuchFaster) {
  const Machine machine = find_machine("generic");
  for (const auto& [shape, ranks] : {std::pair{Shape{512, 256, 1000}, 8}, {{405, 500, 51}, 14}}) {
    const GemmProblem p = problem(shape, ranks);
    Options o;
    o.machine = machine.name, o.transport = "two-sided";
    const Int needs = plan(p, o).max_count().peak_words;
    for (Int percent : {99, 80}) {
      o.memory_words = needs * percent / 100;
      const Plan chosen = plan(p, o);
      WiderSearch wider(machine, p, o.memory_words);
      for (Int pm = 1; pm <= ranks; ++pm)
        for (Int pn = 1; pm * pn <= ranks; ++pn) {
          const Int pk = ranks / (pm * pn);
          if (pm * pn * pk < ranks) continue;
          for (char loop : {'k', 'm', 'n'})
            for (Int t : {2, 3, 4, 6, 8, 12, 16})
              for (int depth : {0, 1}) wider.add(fmt::format("cosma pm{},pn{},pk{},s{}{}", pm, pn, pk, loop, t), depth);
        }
      EXPECT_LE(chosen.predicted_seconds(), 1.02 * wider.seconds)
          << percent << " %: " << chosen.algorithm() << " against " << wider.best;
    }
  }
}

// Where messages take most of the time, a grid within a larger one may be faster, or that of all ranks, or a single
// round, and closed forms do not tell.
TEST(PlanByTime, NoGridOfFewerRanksIsMuchFaster) {
  struct Case {
    const char* machine;
    Shape shape;
    Int ranks;
  };
  for (const Case& c : {Case{"generic", {72, 2430, 19}, 21}, Case{"hopper", {39, 389, 9}, 5},
                        Case{"local", {29, 2930, 12}, 29}, Case{"generic", {403, 65, 71}, 23}}) {
    const GemmProblem p = problem(c.shape, c.ranks);
    Options o;
    o.machine = c.machine, o.transport = "two-sided";
    const Plan chosen = plan(p, o);
    const Machine machine = find_machine(c.machine);
    const WiderSearch wider = search(machine, p, c.ranks / 2, {2, 4});
    EXPECT_LE(chosen.predicted_seconds(), 1.02 * wider.seconds) << chosen.algorithm() << " against " << wider.best;
  }
}

// Where messages hide behind products, an idle rank may cost more than the words that it spares.
TEST(PlanByTime, NoGridOfAllRanksIsMuchFaster) {
  struct Case {
    Shape shape;
    Int ranks;
  };
  Options all;
  all.max_idle = 0;
  for (const Case& c : {Case{{8192, 8192, 8192}, 512}, Case{large_k, 400}, Case{{32768, 512, 512}, 300}}) {
    const GemmProblem p = problem(c.shape, c.ranks);
    const Plan chosen = plan(p), busy = plan(p, all);
    EXPECT_LE(chosen.predicted_seconds(), 1.02 * busy.predicted_seconds())
        << chosen.algorithm() << " against " << busy.algorithm();
  }
}

// Panels of a matrix that stays promise little traffic: what sums of C take, only the clock tells.
TEST(PlanByTime, AnAlgorithmThatIsNamedIsNotTakenByItsPromisesAlone) {
  Options o, spelled;
  o.machine = spelled.machine = "piz-daint";
  o.algorithm = "summa", spelled.algorithm = "summa 16x16 b=512";
  const GemmProblem p = problem(131072, 131072, 512, 256);
  EXPECT_LE(plan(p, o).predicted_seconds(), plan(p, spelled).predicted_seconds());
}

}  // namespace
}  // namespace cairn
