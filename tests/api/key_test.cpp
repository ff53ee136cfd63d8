// What plans are looked up by: two layouts have one key if they are equal, and only then.
#include <gtest/gtest.h>

#include "api/arguments.hpp"
#include "layouts.hpp"
#include "schedule/text.hpp"

namespace cairn {
namespace {

std::vector<Layout> alike_but_for_one_thing() {
  constexpr Int m = 12, n = 10, ranks = 6;
  std::vector<Layout> all = testing::layouts(m, n, ranks);
  const Layout dealt = Layout::block_cyclic(m, n, {2, 3, 2, 3});
  all.push_back(dealt);
  for (const std::vector<Int>& places : {std::vector<Int>{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {1, 0, 2, 3, 4, 5}}) {
    all.push_back(dealt);
    all.back().grid = dealt.grid.placed(places);
  }
  all.push_back(dealt);
  all.back().where = {{1, 2}};
  all.push_back(dealt);
  all.back().rows.cuts[0].first = 1;
  for (const std::vector<std::vector<Int>>& holders : {std::vector<std::vector<Int>>{{0}, {1}}, {{1}, {0}}}) {
    all.push_back(dealt);
    all.back().rows.cuts[0].kind = Cut::Kind::classes;
    all.back().rows.cuts[0].holders = Holders(holders);
  }
  for (bool joined : {false, true}) {
    all.push_back(dealt);
    all.back().cols.cuts.clear();
    all.back().rows.cuts.push_back(dealt.cols.cuts[0]);
    all.back().rows.cuts[1].joined = joined;
  }
  all.push_back(dealt);
  all.back().order = Order::row;
  return all;
}

TEST(Key, TellsLayoutsApartAsEqualityDoes) {
  const std::vector<Layout> all = alike_but_for_one_thing();
  for (const Layout& a : all)
    for (const Layout& b : all) {
      const bool same = a == b;
      EXPECT_EQ(Key().add(a).bytes() == Key().add(b).bytes(), same) << text_of(a) << "\n" << text_of(b);
      EXPECT_EQ(text_of(a) == text_of(b), same) << text_of(a) << "\n" << text_of(b);
    }
}

}  // namespace
}  // namespace cairn
