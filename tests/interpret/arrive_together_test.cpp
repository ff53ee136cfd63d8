#include "interpret/arrive_together.hpp"

#include <gtest/gtest.h>

#include <array>

namespace cairn {
namespace {

using Part = std::array<Range, 2>;  // rows and columns
constexpr Slot A = 0, panel = 1, first = 2;

const Grid grid({{"i", 2}});

Layout layout(Range rows, Range cols) { return {grid, {rows, {}}, {cols, {}}, {}, Order::col, {}}; }

// Parts of a panel of 8 x 8 are received, each as a view of it.
Schedule received(const std::vector<Part>& parts) {
  Schedule s;
  s.grid = grid, s.ranks = 2;
  const Layout whole = layout({0, 8}, {0, 8});
  s.slots = {{"A", whole, SlotInfo::Role::operand}, {"A", whole, SlotInfo::Role::panel}};
  for (const auto& [rows, cols] : parts) {
    s.slots.push_back(s[panel].part(panel, layout(rows, cols)));
    s.steps.push_back({Shift{A, static_cast<Slot>(s.slots.size()) - 1, 0, Affine(1), Affine(), {0, 2}}, ""});
  }
  return s;
}

TEST(ArriveTogether, PartsThatMeetNoOthersArriveOnTheirOwn) {
  const Schedule s = received({{{{0, 4}, {0, 4}}}, {{{4, 8}, {0, 4}}}, {{{0, 8}, {4, 8}}}});
  EXPECT_EQ(arrive_together(s), (std::vector<Slot>{A, panel, first, first + 1, first + 2}));
}

TEST(ArriveTogether, PartsThatMeetDoNotEvenIfByOthers) {
  const Schedule s = received({{{{0, 2}, {0, 8}}}, {{{4, 6}, {0, 8}}}, {{{1, 5}, {3, 4}}}, {{{6, 8}, {0, 8}}}});
  EXPECT_EQ(arrive_together(s), (std::vector<Slot>{A, panel, first, first, first, first + 3}));
}

// As the sails of a windmill lie.
TEST(ArriveTogether, PartsThatNoLineTellsApartArriveTogether) {
  const Schedule s = received({{{{0, 5}, {0, 3}}}, {{{0, 3}, {3, 8}}}, {{{3, 8}, {5, 8}}}, {{{5, 8}, {0, 5}}}});
  EXPECT_EQ(arrive_together(s), (std::vector<Slot>{A, panel, first, first, first, first}));
}

TEST(ArriveTogether, NorDoesAnyPartOfWhatIsReadAsAWhole) {
  Schedule s = received({{{{0, 4}, {0, 8}}}, {{{4, 8}, {0, 8}}}});
  s.steps.push_back({Shift{panel, panel, 0, Affine(1), Affine(), {0, 2}}, ""});
  EXPECT_EQ(arrive_together(s), (std::vector<Slot>{A, panel, panel, panel}));
}

TEST(ArriveTogether, TheCallersMatricesAreThere) {
  Schedule s = received({{{{0, 4}, {0, 8}}}});
  s.slots.push_back(s[A].part(A, s.layout(first)));
  s.steps.push_back({Shift{first + 1, first, 0, Affine(1), Affine(), {0, 2}}, ""});
  EXPECT_EQ(arrive_together(s), (std::vector<Slot>{A, panel, first, A}));
}

}  // namespace
}  // namespace cairn
