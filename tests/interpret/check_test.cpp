// What the checker refuses: schedules that break their contract, one defect each.
#include "interpret/check.hpp"

#include <gtest/gtest.h>

#include "cairn/error.hpp"
#include "cases.hpp"
#include "refusal.hpp"

namespace cairn {
namespace {

Schedule good(const std::string& cuts) {
  GemmProblem p;
  p.m = 12, p.n = 10, p.k = 8, p.ranks = 4;
  return cosma(p, parse_cosma_cuts(cuts));
}

void expect_refused(const Schedule& s, const std::string& why) {
  const std::string said = testing::refusal<ScheduleError>([&] { check(s); });
  EXPECT_NE(said.find(why), said.npos) << said;
}

template <class S>
std::size_t first_step(const Schedule& s) {
  std::size_t t = 0;
  while (!std::holds_alternative<S>(s.steps[t].step)) ++t;
  return t;
}

TEST(Check, RefusesOneHalfMultipliedTwiceAndTheOtherNever) {
  Schedule s = good("pm2,pn2,sm2");
  std::vector<std::size_t> gemms;
  for (std::size_t t = 0; t < s.steps.size(); ++t)
    if (std::holds_alternative<Compute>(s.steps[t].step)) gemms.push_back(t);
  ASSERT_EQ(gemms.size(), 2U);
  std::get<Compute>(s.steps[gemms[1]].step) = std::get<Compute>(s.steps[gemms[0]].step);
  expect_refused(s, "do not cover the cuboid once");
}

TEST(Check, RefusesAMultiplicationLeftOut) {
  Schedule s = good("pm2,pn2,sk2");
  ASSERT_TRUE(std::holds_alternative<Compute>(s.steps.back().step));
  s.steps.pop_back();
  expect_refused(s, "do not cover the cuboid once");
  s = good("pm2,pn2,sk2");  // the one that writes C first
  s.steps.erase(s.steps.begin() + static_cast<std::ptrdiff_t>(first_step<Compute>(s)));
  expect_refused(s, "C is read before it is written");
}

TEST(Check, RefusesReadingWhatWasNeverWrittenOrOnlyInPart) {
  Schedule s = good("pm2,pn2");
  std::swap(s.steps.front(), s.steps.back());
  expect_refused(s, "is read before it is written");
  s = good("pk4,sm2");
  s.steps.erase(s.steps.begin() + static_cast<std::ptrdiff_t>(first_step<Compute>(s)));
  expect_refused(s, "is read before it is written");
}

TEST(Check, RefusesAnotherStorageOrderAtTheOtherEnd) {
  Schedule s = good("pm2,pn2");
  const auto gather = std::get<AllGather>(s.steps[first_step<AllGather>(s)].step);
  Layout& l = s.slots[static_cast<std::size_t>(gather.dst)].layout;
  l.order = l.order == Order::col ? Order::row : Order::col;
  expect_refused(s, "stored in different orders");
}

TEST(Check, RefusesGatheringPiecesThatDoNotMakeTheWhole) {
  Schedule s = good("pm2,pn2");
  const auto gather = std::get<AllGather>(s.steps[first_step<AllGather>(s)].step);
  s.slots[static_cast<std::size_t>(gather.dst)].layout.cols.extent.hi -= 1;
  EXPECT_THROW(check(s), ScheduleError);
}

TEST(Check, RefusesWritingAnInputAndOperandsThatDoNotConform) {
  Schedule s = good("pm4");
  std::get<Compute>(s.steps.back().step).C = s.find("A");
  expect_refused(s, "an input is written");
  s = good("pm4");
  std::get<Compute>(s.steps.back().step).B = s.find("A");
  expect_refused(s, "do not conform");
}

}  // namespace
}  // namespace cairn
