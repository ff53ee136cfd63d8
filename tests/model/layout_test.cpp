#include "cairn/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "cairn/error.hpp"
#include "cairn/plan.hpp"
#include "layouts.hpp"
#include "model/whole_layout.hpp"

namespace cairn {
namespace {

TEST(Layout, SameBlocksAreOwnedAlikeAndOthersAreNot) {
  const auto of = [](std::vector<Int> owner, Order order) {
    return Layout::arbitrary(9, 5, 2, {{0, 4, 9}, {0, 5}, std::move(owner)}, order);
  };
  const Layout several = of({1, 1}, Order::col);
  EXPECT_TRUE(several.same_ownership(of({1, 1}, Order::row), 2));
  EXPECT_FALSE(several.same_ownership(of({1, 0}, Order::col), 2));
  EXPECT_FALSE(several.same_ownership(Layout::on_one_rank(9, 5), 2));
}

std::string problem_with(const Layout& l) { return l.problem().value_or("none"); }

TEST(Layout, ThatTheLibraryMakesHaveNoProblem) {
  for (Int ranks : {1, 3, 16})
    for (const Layout& l : testing::layouts(13, 7, ranks)) {
      EXPECT_EQ(problem_with(l), "none");
      EXPECT_EQ(problem_with(l.transposed()), "none");
    }
  EXPECT_EQ(problem_with(Layout()), "none");
  EXPECT_EQ(problem_with(Layout::block_cyclic(9, 9, {Int{1} << 62U, 1, 3, Int{1} << 61U})), "none");
  EXPECT_EQ(problem_with(Layout::arbitrary(0, 5, 2, {{0}, {0, 5}, {}})), "none");
}

TEST(Layout, FilledInByHandSaysWhatIsWrong) {
  const auto problem = [](const std::function<void(Layout&)>& change) {
    Layout l = Layout::block_cyclic(10, 12, {2, 3, 2, 3});
    change(l);
    return problem_with(l);
  };
  const auto of_rows = [&](const Cut& cut) { return problem([&](Layout& l) { l.rows.cuts = {cut}; }); };
  const Affine i = Affine::along(0);
  EXPECT_EQ(problem([](Layout& l) { l.rows.extent = {5, 15}; }), "rows begin at 5, expected 0");
  EXPECT_EQ(problem([](Layout& l) { l.cols.extent = {0, -1}; }), "columns end at -1, expected 0 or more");
  EXPECT_EQ(problem([](Layout& l) { l.rows.extent.hi = l.cols.extent.hi = Int{1} << 32U; }),
            "4294967296 x 4294967296, more words than a 64-bit integer counts");
  EXPECT_EQ(problem([](Layout& l) { l.cols.cuts[0].parts = 0; }), "columns: 0 parts, expected at least 1");
  EXPECT_EQ(problem([](Layout& l) { l.rows.cuts[0].block = 0; }),
            "rows: blocks of 0, expected 1 to 576460752303423488");
  EXPECT_EQ(problem([](Layout& l) { l.rows.cuts[0].first = -1; }),
            "rows: a first block of -1, expected 0 to 1152921504606846976");
  EXPECT_EQ(of_rows(Cut::numbered(Affine::along(2), 2)), "rows: axis 2, expected one of the grid's 2, from 0 on");
  EXPECT_EQ(of_rows(Cut::group(i, 4, 0)), "rows: 0 pieces together, expected at least 1");
  EXPECT_EQ(of_rows({Cut::Kind::bounds, 2, i, 0, 0, {0, 10}}),
            "rows: 2 boundaries, expected one more than the 2 parts");
  for (const std::vector<Int>& wrong : {std::vector<Int>{0, 11, 10}, {1, 5, 10}, {0, 5, 9}, {0, 5, 11}})
    EXPECT_EQ(of_rows({Cut::Kind::bounds, 2, i, 0, 0, wrong}), "rows: expected ascending boundaries from 0 to 10");
  EXPECT_EQ(of_rows({Cut::Kind::classes, 2, i, 1, 1, {}}), "rows: no classes of blocks, expected at least one");
  EXPECT_EQ(of_rows({Cut::Kind::classes, 2, i, 1, 1, {}, Holders({{0}, {2}})}),
            "rows: a class of blocks that 2 holds, expected one of 0..1");
  const auto rest = [](const std::string& what) { return "rows: " + what + ", expected none in a cut of this kind"; };
  EXPECT_EQ(of_rows({Cut::Kind::even, 2, i, 1, 0, {}}), rest("a block"));
  EXPECT_EQ(of_rows({Cut::Kind::span, 2, i, 1, 1, {}}), rest("a first block"));
  EXPECT_EQ(of_rows({Cut::Kind::cyclic, 2, i, 1, 1, {0, 5, 10}}), rest("boundaries"));
  EXPECT_EQ(of_rows({Cut::Kind::even, 2, i, 0, 0, {}, Holders({{0}, {1}})}), rest("holders"));
  EXPECT_EQ(of_rows({Cut::Kind::each, 2, i, 0, 0, {}}), rest("an index"));
  EXPECT_EQ(of_rows({Cut::Kind::cyclic, 2, i, 1, 1, {}, {}, true}), rest("joined pieces"));
  EXPECT_EQ(problem([](Layout& l) { l.where = {{-1, 0}}; }), "where: axis -1, expected one of the grid's 2, from 0 on");
  EXPECT_EQ(problem([](Layout& l) { l.order = static_cast<Order>(7); }), "order 7, expected Order::col or Order::row");
  EXPECT_EQ(problem([](Layout& l) { l.where = {{1, 3}}; }), "where: index 3 on axis pc, expected one of 0..2");
  EXPECT_EQ(problem([](Layout& l) {
              l.blocks = std::make_shared<const Layout::Blocks>(Layout::Blocks{{0, 10}, {0, 12}, {6}});
            }),
            "owner: rank 6, expected one of 0..5");
}

TEST(Layout, WhereRanksShareElementsNoneMayBeMissing) {
  const auto problem = [](const Grid& grid, std::vector<Cut> rows, std::vector<Cut> cols) {
    Layout l;
    l.grid = grid;
    l.rows = {{0, 8}, std::move(rows)}, l.cols = {{0, 6}, std::move(cols)};
    return unless_covered("A", l).value_or("none");
  };
  const Grid line({{"i", 3}}), plane({{"i", 2}, {"j", 2}});
  const auto by = [](const Grid& grid, int axis, std::vector<std::vector<Int>> holders) {
    return Cut::classes(grid, axis, 2, Holders(std::move(holders)));
  };
  const std::vector<std::vector<Int>> pairs{{0, 1}, {1, 2}, {2, 0}};
  EXPECT_EQ(problem(line, {by(line, 0, pairs)}, {}), "none");
  EXPECT_EQ(problem(line, {by(line, 0, {{0, 1}, {}})}, {}),
            "A: elements of row 2 are on no rank, expected each on one or more");
  // Any two of the pairs have a rank in common, which holds the rows of one and the columns of the other.
  EXPECT_EQ(problem(line, {by(line, 0, pairs)}, {by(line, 0, pairs)}), "none");
  EXPECT_EQ(problem(line, {by(line, 0, {{0}, {1, 2}})}, {by(line, 0, {{0}, {1, 2}})}),
            "A: elements of row 0 are on no rank, expected each on one or more");
  EXPECT_EQ(problem(plane, {by(plane, 0, {{0, 1}, {1}})}, {Cut::even(plane, 1)}), "none");
  EXPECT_EQ(problem(plane, {by(plane, 0, {{0, 1}, {1}})}, {Cut::fixed(0, 2)}),
            "A: elements of row 0 are on no rank, expected each on one or more");
  GemmProblem p{.m = 8, .n = 8, .k = 4, .ranks = 2};
  p.a = Layout::row_blocks(8, 4, 2);
  p.a->rows.cuts = {by(p.a->grid, 0, {{0, 1}, {}})};
  EXPECT_THROW(plan(p), ArgumentError);
}

TEST(Layout, AxesOfGridsHaveNames) {
  EXPECT_THROW(Grid({{"", 4}}), ArgumentError);
  EXPECT_THROW(Grid({{"", 4}, {"x", 1}}), ArgumentError);
  EXPECT_THROW(Grid({{"x", 4}, {"y", 2}, {"x", 1}}), ArgumentError);
}

// Also sets that wrap around, whose intervals do not ascend.
TEST(IndexSetTest, SetsMeetWhereTheyHaveElementsInCommon) {
  std::mt19937 random(1);
  const auto up_to = [&](Int most) { return std::uniform_int_distribution<Int>(0, most)(random); };
  const auto some = [&] {
    std::vector<Range> pieces;
    for (Int at = up_to(9), n = up_to(3); n > 0; --n) {
      pieces.push_back({at, at + up_to(4)});
      at = pieces.back().hi + up_to(6);
    }
    if (up_to(3) == 0)
      std::rotate(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(pieces.size() / 2), pieces.end());
    IndexSet set;
    for (Range r : pieces) set.push_back(r);
    return set;
  };
  int meet = 0;
  constexpr int pairs = 2000;
  for (int i = 0; i < pairs; ++i) {
    const IndexSet a = some(), b = some();
    ASSERT_EQ(a.meets(b), !a.intersect(b).empty()) << i;
    meet += a.meets(b);
  }
  EXPECT_GT(meet, pairs / 5);
  EXPECT_LT(meet, pairs - pairs / 5);
}

}  // namespace
}  // namespace cairn
