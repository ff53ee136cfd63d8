// What ranks of a node share, without MPI: who sends what to whom, and how much enters a node.
#include <gtest/gtest.h>

#include "cases.hpp"
#include "interpret/node_shared.hpp"
#include "schedule/shared/node_values.hpp"

namespace cairn {
namespace {

std::vector<int> nodes(Int ranks, Int each) {
  std::vector<int> of;
  for (Int r = 0; r < ranks; ++r) of.push_back(static_cast<int>(r / each));
  return of;
}

Schedule made(const std::string& spelling, Int m, Int n, Int k, Int ranks) {
  GemmProblem p;
  p.m = m, p.n = n, p.k = k, p.ranks = ranks;
  return make_algorithm(p, spelling).schedule;
}

Int entering(const Schedule& s, const std::vector<int>& node_of, int node) {
  Int words = 0;
  for (Int r = 0; r < s.ranks; ++r)
    if (node_of[static_cast<std::size_t>(r)] == node) words += count_shared(s, node_of, r).node_words;
  return words;
}

TEST(Sharing, SendersAndReceiversListTheSameMessages) {
  for (const testing::Case& c : testing::cases(100)) {
    SCOPED_TRACE(testing::text(c));
    const Schedule s = made(c.spelling, c.shape.m, c.shape.n, c.shape.k, c.ranks);
    const Sharing sharing(s, nodes(c.ranks, 1 + c.salt % 5));
    for (std::size_t t = 0; t < s.steps.size(); ++t)
      for (Int to = 0; to < c.ranks; ++to) {
        std::vector<std::vector<Region>> sent(static_cast<std::size_t>(c.ranks)), received = sent;
        for (const Hop& hop : sharing.arriving(t, to)) received[static_cast<std::size_t>(hop.from)].push_back(hop.part);
        for (Int from = 0; from < c.ranks; ++from)
          for (const Hop& hop : sharing.leaving(t, from))
            if (hop.to == to) sent[static_cast<std::size_t>(from)].push_back(hop.part);
        for (std::size_t from = 0; from < sent.size(); ++from) {
          ASSERT_EQ(sent[from].size(), received[from].size()) << "step " << t << ", " << from << " to " << to;
          for (std::size_t i = 0; i < sent[from].size(); ++i) {
            ASSERT_EQ(sent[from][i].rows, received[from][i].rows);
            ASSERT_EQ(sent[from][i].cols, received[from][i].cols);
          }
        }
      }
  }
}

// Two rows of a 4 x 4 grid a node: each node has half of B, and all of the A that it multiplies.
TEST(Sharing, EachPanelEntersANodeOnce) {
  constexpr Int m = 32, n = 48, k = 64;
  for (const char* spelling : {"summa 4x4 b=8", "hsumma 4x4 groups=2x1 M=16 b=8", "hsumma 4x4 groups=2x2 M=16 b=4"}) {
    const Schedule s = made(spelling, m, n, k, 16);
    const std::vector<int> two = nodes(16, 8);
    EXPECT_EQ(entering(s, two, 0), k * n / 2) << spelling;
    EXPECT_EQ(entering(s, two, 1), k * n / 2) << spelling;
    EXPECT_EQ(entering(s, nodes(16, 16), 0), 0) << spelling;
  }
}

// C of 2 x 2 blocks in four layers, two layers a node: each node sums its two before it sends one.
TEST(Sharing, PartialSumsAreAddedInTheNodeFirst) {
  const Schedule s = made("cosma pk4,pm2,pn2", 16, 16, 64, 16);
  for (const int node : {0, 1}) EXPECT_EQ(entering(s, nodes(16, 8), node), 16 * 16 / 2);
}

TEST(Sharing, RanksAloneOnTheirNodesReceiveEachWordThatTheyLack) {
  for (const char* spelling : {"cosma pm2,pn4", "cosma pk4,pn2", "summa 2x4 b=8", "hsumma 2x4 groups=1x2 M=16 b=8"}) {
    const Schedule s = made(spelling, 32, 32, 32, 8);
    for (Int r = 0; r < 8; ++r) {
      const Count c = count_shared(s, nodes(8, 1), r);
      EXPECT_EQ(c.node_words, c.wire_words) << spelling;
      EXPECT_LE(c.wire_words, c.received) << spelling;
      EXPECT_GT(c.wire_words, 0) << spelling;
    }
  }
}

TEST(Sharing, PlacesThatLiveAtTheSameTimeDoNotOverlap) {
  for (const testing::Case& c : testing::cases(150)) {
    SCOPED_TRACE(testing::text(c));
    const Schedule s = made(c.spelling, c.shape.m, c.shape.n, c.shape.k, c.ranks);
    const Sharing sharing(s, nodes(c.ranks, 4));
    const NodeValues values(sharing, 0, std::vector<bool>(s.slots.size(), false));
    std::vector<const Place*> all;
    for (std::size_t t = 0; t < s.steps.size(); ++t)
      for (std::size_t p : values.pieces(t)) all.push_back(&values.place(p));
    for (const Place* a : all)
      for (const Place* b : all)
        if (a != b && a->first <= b->last && b->first <= a->last && a->words > 0 && b->words > 0) {
          EXPECT_TRUE(a->offset + a->words <= b->offset || b->offset + b->words <= a->offset);
        }
  }
}

}  // namespace
}  // namespace cairn
