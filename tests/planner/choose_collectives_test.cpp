#include "planner/choose_collectives.hpp"

#include <gtest/gtest.h>

#include "algorithms/cosma.hpp"
#include "cairn/error.hpp"
#include "cairn/plan.hpp"
#include "planner/plan_data.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

using Case = CollectiveChooser::Case;

std::vector<How> all_hows(Collective of, Int segments) {
  std::vector<How> all;
  for (Way way : ways_of(of)) all.push_back({way, way == Way::chain ? segments : 0});
  return all;
}

constexpr std::array<Collective, 4> kinds{Collective::bcast, Collective::reduce, Collective::allgather,
                                          Collective::reduce_scatter};

TEST(ChooseCollectives, NoWayIsFasterByMoreThanTheClockKnows) {
  for (const char* name : {"generic", "local"}) {
    const Machine machine = find_machine(name);
    CollectiveChooser chooser(machine, ScalarType::float64, {});
    for (Collective of : kinds)
      for (Int q : {2, 3, 4, 5, 8, 16, 24})
        for (Int stride : {1, 16, 100})
          for (Int columns : {1, 40, 4000}) {
            const Case c{of, q, stride, columns, 30};
            const How chosen = chooser.choose(c);
            const double seconds = chooser.clocked(c, chosen);
            for (How how : all_hows(of, 8))
              EXPECT_LE((1 - machine.precision) * seconds, chooser.clocked(c, how) * (1 + 1e-12))
                  << name << " " << name_of(of) << " over " << q << " of " << columns << ": " << text_of(chosen)
                  << ", not " << text_of(how);
          }
  }
}

TEST(ChooseCollectives, LongMessagesTravelInPiecesAndShortOnesInFewRounds) {
  const Machine machine = find_machine("generic");
  CollectiveChooser chooser(machine, ScalarType::float64, {});
  const auto way = [&](Collective of, Int columns) { return chooser.choose(Case{of, 16, 1, columns, 100}).way; };
  EXPECT_EQ(chooser.choose(Case{Collective::bcast, 16, 1, 1, 1}).way, Way::binomial);
  const Way longer = way(Collective::bcast, 100000);
  EXPECT_TRUE(longer == Way::chain || longer == Way::scatter_allgather || longer == Way::scatter_bruck);
  CollectiveChooser chains(machine, ScalarType::float64, parse_collectives("bcast=chain"));
  EXPECT_GT(chains.choose(Case{Collective::bcast, 3, 1, 100000, 100}).segments, 8);
}

// Where rounds of 139 and 138 columns are, by themselves, fastest in different ways.
TEST(ChooseCollectives, RoundsOfAboutOneSizeAreCarriedOutAlike) {
  GemmProblem p;
  p.m = 60, p.n = 5049, p.k = 277, p.ranks = 46;
  const Machine machine = find_machine("generic");
  CollectiveChooser chooser(machine, ScalarType::float64, {});
  ASSERT_NE(chooser.choose(Case{Collective::allgather, 46, 1, 139, 60}),
            chooser.choose(Case{Collective::allgather, 46, 1, 138, 60}));
  std::vector<How> ways;
  for (const LabelledStep& l : chooser.choose(cosma(p, parse_cosma_cuts("pn46,sk2"))).steps)
    if (const auto* gather = std::get_if<AllGather>(&l.step)) ways.push_back(gather->how);
  ASSERT_EQ(ways.size(), 2U);
  EXPECT_EQ(ways[0], ways[1]);
}

TEST(ChooseCollectives, AsTheCallerAsks) {
  const Machine machine = find_machine("generic");
  CollectiveChooser chooser(machine, ScalarType::float64, parse_collectives("bcast=chain, allgather=ring"));
  EXPECT_EQ(chooser.choose(Case{Collective::allgather, 5, 1, 10, 10}), (How{Way::ring, 0}));
  const How chain = chooser.choose(Case{Collective::bcast, 5, 1, 1000, 1000});
  EXPECT_EQ(chain.way, Way::chain);
  EXPECT_GT(chain.segments, 1);
}

TEST(ChooseCollectives, AChainHasNoSegmentsWithoutElements) {
  const Machine machine = find_machine("generic");
  CollectiveChooser chooser(machine, ScalarType::float64, parse_collectives("bcast=chain:100000"));
  EXPECT_EQ(chooser.choose(Case{Collective::bcast, 5, 1, 20, 30}), (How{Way::chain, 30}));
  EXPECT_EQ(chooser.choose(Case{Collective::bcast, 5, 1, 0, 0}), (How{Way::chain, 1}));
  EXPECT_EQ(chooser.choose(Case{Collective::bcast, 5, 1, 1, 200000}), (How{Way::chain, 100000}));
}

TEST(ChooseCollectives, WithLittleMemoryNothingNeedsMoreOfIt) {
  const Machine machine = find_machine("generic");
  CollectiveChooser chooser(machine, ScalarType::float64, {}, {.memory = true});
  for (Int q : {3, 4, 8, 16})
    for (Int columns : {1, 40, 4000}) {
      const Way way = chooser.choose(Case{Collective::reduce_scatter, q, 1, columns, 30}).way;
      EXPECT_TRUE(way == Way::direct || way == Way::ring) << name_of(way);
    }
}

TEST(ChooseCollectives, PlansFollowTheOption) {
  GemmProblem p;
  p.m = p.n = p.k = 60;
  p.ranks = 8;
  Options o;
  o.algorithm = "cosma pm2,pk4";
  o.collectives = "allgather=ring, reduce_scatter=ring";
  const std::string text = plan(p, o).print();
  EXPECT_NE(text.find(" by ring"), text.npos) << text;
  EXPECT_EQ(text.find(" by direct"), text.npos) << text;
  o.collectives = "allgather=rings";
  EXPECT_THROW(plan(p, o), ArgumentError);
}

}  // namespace
}  // namespace cairn
