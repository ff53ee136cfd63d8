// The memory of a plan, found on a few ranks and a few panels, is what count finds on all.
#include "planner/memory_of.hpp"

#include <gtest/gtest.h>

#include <random>

#include "problem.hpp"

namespace cairn {
namespace {

class MemoryOf : public ::testing::TestWithParam<std::string_view> {};

// The candidates of the least memory, which are those in the thinnest panels, and any others.
TEST_P(MemoryOf, IsTheMostThatAnyRankHolds) {
  const Algorithm& algorithm = algorithm_named(GetParam());
  const Machine machine = find_machine("generic");
  std::mt19937 random(1);
  const auto up_to = [&](Int most) { return std::uniform_int_distribution<Int>(0, most)(random); };
  Int shorter = 0;
  for (int i = 0; i < 60; ++i) {
    const auto size = [&] { return 1 + up_to(up_to(1) == 0 ? 15 : 200); };
    const GemmProblem p = testing::problem(size(), size(), size(), 1 + up_to(35));
    Options o;
    o.memory_words = 0;
    if (up_to(3) == 0) o.look_ahead = static_cast<int>(up_to(2));
    const Drafts drafts(machine, p, o);
    const Sought sought{{p.m, p.n, p.k}, p.ranks, 1, p.type, o.memory_words, o.look_ahead, machine, &p};
    const Family family = families(algorithm, sought).back();
    std::vector<Candidate> candidates = family.candidates;
    std::ranges::stable_sort(candidates, {}, [&](const Candidate& c) { return family.outline(c).memory; });
    for (std::size_t c : {std::size_t{0}, std::size_t{1}, static_cast<std::size_t>(up_to(1000)) % candidates.size()}) {
      if (c >= candidates.size()) continue;
      const Candidate& x = candidates[c];
      shorter += shortened(sought.dims, family.outline(x), x.look_ahead).has_value();
      const Draft d = drafts.make(make_algorithm(p, family.spell(x)), x.look_ahead);
      ASSERT_EQ(memory_of(drafts, sought, family, x), d->totals().max.peak_words)
          << p.m << "x" << p.n << "x" << p.k << ": " << family.spell(x) << " look-ahead " << x.look_ahead;
    }
  }
  const bool in_panels = GetParam() == "summa" || GetParam() == "hsumma" || GetParam() == "summa25d";
  EXPECT_GE(shorter, in_panels ? 20 : 0);
}

INSTANTIATE_TEST_SUITE_P(, MemoryOf, ::testing::ValuesIn(algorithm_names()),
                         [](const auto& test) { return std::string(test.param); });

// However long the product: as many panels as the ranks of a row or a column, which own them in turn.
TEST(MemoryOfThinPanels, IsFoundOnAsManyPanelsAsRanksOwnThem) {
  const GemmProblem p = testing::problem(11198, 205, 1 << 20, 1024);
  const Machine machine = find_machine("generic");
  const Sought sought{{p.m, p.n, p.k}, p.ranks, 1, p.type, 0, std::nullopt, machine, &p};
  int shorter = 0;
  for (const Algorithm& algorithm : algorithms()) {
    const Family family = families(algorithm, sought).back();
    for (const Candidate& c : family.candidates)
      if (const auto d = shortened(sought.dims, family.outline(c), c.look_ahead)) {
        const auto [pm, pn, pk] = family.outline(c).parts;
        const Int panels = std::max({pm, pn, pk}) * (2 * c.look_ahead + 1);
        EXPECT_EQ(std::min({d->m, d->n, d->k}), std::min(panels, p.n)) << family.spell(c);
        ++shorter;
      }
  }
  EXPECT_GT(shorter, 0);
}

}  // namespace
}  // namespace cairn
