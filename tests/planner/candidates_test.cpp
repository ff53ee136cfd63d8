// The outlines by which the planner discards candidates, against the count and the clock of their schedules.
#include <gtest/gtest.h>

#include <random>

#include "algorithms/registry.hpp"
#include "interpret/clock.hpp"
#include "interpret/count.hpp"
#include "planner/candidate.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  Int up_to(Int most) { return std::uniform_int_distribution<Int>(0, most)(random_); }
  Int size() { return 1 + up_to(up_to(2) == 0 ? 12 : 300); }
  GemmProblem problem() {
    GemmProblem p;
    p.m = size(), p.n = size(), p.k = size(), p.ranks = 1 + up_to(35);
    return p;
  }

 private:
  std::mt19937 random_;
};

struct Made {
  Outline closed;
  double seconds;
  std::string name;
  Totals totals;
  Times times;
};

// A few candidates of an algorithm on random problems, with what count and clock find.
template <class Check>
void for_some(std::string_view algorithm, const Machine& machine, Check check, Dims times = {1, 1, 1}) {
  Draw draw(7);
  for (int i = 0; i < 40; ++i) {
    GemmProblem p = draw.problem();
    p.m *= times.m, p.n *= times.n, p.k *= times.k;
    const std::optional<Int> limit = times.k == 1 ? std::optional<Int>(1) : std::nullopt;  // more candidates
    const Sought sought{{p.m, p.n, p.k}, p.ranks, 1, p.type, limit, std::nullopt, machine, nullptr};
    const Family family = families(algorithm_named(algorithm), sought).back();
    const std::vector<Candidate>& all = family.candidates;
    ASSERT_FALSE(all.empty()) << algorithm;
    for (int t = 0; t < 3; ++t) {
      const Candidate& c = all[static_cast<std::size_t>(draw.up_to(static_cast<Int>(all.size()) - 1))];
      const Schedule s = look_ahead(make_algorithm(p, family.spell(c)).schedule, c.look_ahead);
      const Schedule wire = expand_collectives(s);
      const std::string name = family.spell(c) + " look-ahead " + std::to_string(c.look_ahead) + " of " +
                               std::to_string(p.m) + "x" + std::to_string(p.n) + "x" + std::to_string(p.k) + " on " +
                               std::to_string(p.ranks);
      check(Made{family.outline(c), c.seconds, name, count_all(s, wire), clock(wire, machine, p.type)});
      EXPECT_EQ(family.outline(c).ranks(), s.grid.size()) << name;
    }
  }
}

class Candidates : public ::testing::TestWithParam<std::string_view> {};

class ExactCandidates : public Candidates {};

TEST_P(Candidates, HoldNoLessThanTheClosedForm) {
  for_some(GetParam(), find_machine("generic"), [](const Made& made) {
    EXPECT_LE(made.closed.memory, static_cast<double>(made.totals.max.peak_words)) << made.name;
  });
}

TEST_P(Candidates, TakeNoLessThanTheClosedForm) {
  for (const Dims& times : {Dims{1, 1, 1}, Dims{20, 20, 1}})  // where rounds have nothing to do, and all is bytes
    for (const char* machine : {"generic", "local"})
      for_some(
          GetParam(), find_machine(machine),
          [](const Made& made) { EXPECT_LE(made.seconds, made.times.seconds * (1 + 1e-9)) << made.name; }, times);
}

TEST_P(ExactCandidates, ReceiveWhatTheClosedFormSays) {
  for_some(GetParam(), find_machine("generic"),
           [](const Made& made) {
             const auto received = static_cast<double>(made.totals.max.received);
             EXPECT_NEAR(made.closed.received, received, 0.01 * received) << made.name;
           },
           {2520, 2520, 2520});
}

// Cannon's and 2.5D SUMMA's received words are estimates: they decide nothing but ties.
INSTANTIATE_TEST_SUITE_P(, ExactCandidates, ::testing::Values("summa", "hsumma", "agarwal3d", "carma", "cosma"),
                         [](const auto& family) { return std::string(family.param); });
INSTANTIATE_TEST_SUITE_P(, Candidates, ::testing::ValuesIn(algorithm_names()),
                         [](const auto& family) { return std::string(family.param); });

}  // namespace
}  // namespace cairn
