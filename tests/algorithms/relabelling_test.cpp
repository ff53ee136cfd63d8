// Parts are put on the ranks that hold most of them.
#include "algorithms/relabelling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "algorithms/cosma.hpp"
#include "layouts.hpp"

namespace cairn {
namespace {

Int words_moved(const Layout& a, const Layout& b, Int ranks) {
  Int sum = 0;
  for (Int r = 0; r < ranks; ++r) sum += testing::lacking(a, b, r);
  return sum;
}

TEST(Relabelling, NothingMovesWhereOnlyTheRanksDiffer) {
  const Layout a = Layout::block_cyclic(24, 30, {3, 4, 2, 3});
  Layout b = Layout::block_cyclic(24, 30, {3, 4, 2, 3, 1, 2});
  EXPECT_GT(words_moved(a, b, 6), 0);
  EXPECT_EQ(words_moved(a, least_moved(Op::none, a, b, 6), 6), 0);
  b.grid = b.grid.placed({3, 1, 7, 0, 4, 2});
  EXPECT_EQ(words_moved(a, least_moved(Op::none, a, b, 8), 8), 0);
  const Layout down = Layout::row_blocks(24, 30, 6), up = Layout::col_blocks(30, 24, 6);
  EXPECT_EQ(words_moved(down, least_moved(Op::transpose, up, down, 6), 6), 0);
}

TEST(Relabelling, NobodyChangesPlacesForNothing) {
  const Layout a = Layout::block_cyclic(24, 30, {3, 4, 2, 3}), one = Layout::on_one_rank(24, 30);
  EXPECT_TRUE(least_moved(Op::none, a, a, 6) == a);
  EXPECT_TRUE(least_moved(Op::none, testing::on_every_rank(24, 30, 6), a, 6) == a);
  EXPECT_TRUE(least_moved(Op::none, one, one, 6) == one);
  EXPECT_TRUE(least_moved(Op::none, one, a, 6) == a);
}

// The least words over all placements of b's parts, tried one after another.
Int least_of_all(const Layout& a, Layout b, Int ranks) {
  std::vector<Int> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), Int{0});
  Int least = words_moved(a, b, ranks);
  const Grid grid = b.grid;
  do {
    const std::vector<Int> first(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(grid.size()));
    b.grid = grid.placed(first);
    least = std::min(least, words_moved(a, b, ranks));
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

TEST(Relabelling, NoOtherPlacementMovesLess) {
  const Int ranks = 4;
  const std::vector<Layout> all = testing::layouts(13, 11, ranks);
  Int saved = 0;
  for (std::size_t x = 0; x < all.size(); ++x) {
    const Layout &a = all[x], &b = all[(x + 5) % all.size()];
    const Layout best = least_moved(Op::none, a, b, ranks);
    const Int words = words_moved(a, best, ranks);
    saved += words_moved(a, b, ranks) - words;
    EXPECT_LE(words, words_moved(a, b, ranks));
    if (!b.blocks && !b.grid.placed()) {
      EXPECT_EQ(words, least_of_all(a, b, ranks)) << x;
    }
  }
  EXPECT_GT(saved, 0);
}

// A product between a caller's layouts, and what is redistributed for it with ranks at such positions.
struct Moving {
  GemmProblem problem;
  std::vector<CosmaCut> cuts;

  Schedule schedule() const { return cosma(problem, cuts); }
  Int words(const Labels& labels) const {
    GemmProblem own = testing::problem(problem.m, problem.n, problem.k, problem.ranks);
    const Schedule s = cosma(own, cuts);
    const auto layout = [&](const char* name) { return labels.of_ranks(s.layout(s.find(name))); };
    const Layout A = problem.op_a == Op::none ? *problem.a : problem.a->transposed();
    return words_moved(A, layout("A"), problem.ranks) + words_moved(*problem.b, layout("B"), problem.ranks) +
           words_moved(layout("C"), *problem.c, problem.ranks);
  }
};

std::vector<Moving> some_products(Int ranks) {
  const Int m = 13, n = 11, k = 12;
  const std::vector<Layout> mk = testing::layouts(m, k, ranks), km = testing::layouts(k, m, ranks),
                            kn = testing::layouts(k, n, ranks), mn = testing::layouts(m, n, ranks);
  std::vector<Moving> all;
  for (std::size_t x = 0; x < mk.size(); ++x)
    for (const char* cuts : {"pm2,pn2", "pm2,pk2", "pn3", "pk4", "pn2,pm2,sk3"}) {
      Moving p{testing::problem(m, n, k, ranks), parse_cosma_cuts(cuts)};
      p.problem.op_a = x % 2 ? Op::transpose : Op::none;
      p.problem.a = x % 2 ? km[x % km.size()] : mk[x];
      p.problem.b = kn[(x + 3) % kn.size()], p.problem.c = mn[(x + 7) % mn.size()];
      all.push_back(std::move(p));
    }
  return all;
}

TEST(Relabelling, NoOtherLabelsMoveLessOfAProduct) {
  const Int ranks = 4;
  int relabelled = 0;
  for (const Moving& p : some_products(ranks)) {
    const Relabelling best = least_moving(p.problem, p.schedule(), ranks);
    EXPECT_EQ(best.saved_words, p.words({}) - p.words(best.labels));
    EXPECT_EQ(best.labels.empty(), best.saved_words == 0);
    relabelled += !best.labels.empty();
    std::vector<Int> order{0, 1, 2, 3};
    do {
      ASSERT_LE(p.words(best.labels), p.words(Labels(order)));
    } while (std::next_permutation(order.begin(), order.end()));
  }
  EXPECT_GT(relabelled, 50);
}

TEST(Relabelling, RanksTradePlacesWithinTheirUnit) {
  int relabelled = 0;
  for (const Moving& p : some_products(5)) {
    const Relabelling best = least_moving(p.problem, p.schedule(), 2);
    EXPECT_EQ(best.saved_words, p.words({}) - p.words(best.labels));
    for (const std::vector<Int>& order :
         std::vector<std::vector<Int>>{{1, 0, 2, 3, 4}, {0, 1, 3, 2, 4}, {1, 0, 3, 2, 4}})
      EXPECT_LE(p.words(best.labels), p.words(Labels(order)));
    for (Int position = 0; position < 5; ++position) EXPECT_EQ(best.labels.rank(position) / 2, position / 2);
    relabelled += !best.labels.empty();
  }
  EXPECT_GT(relabelled, 20);
}

}  // namespace
}  // namespace cairn
