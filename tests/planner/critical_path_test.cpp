// The critical path goes where somebody was waited for.
#include "planner/critical_path.hpp"

#include <gtest/gtest.h>

namespace cairn {
namespace {

constexpr auto multiply = Activity::Kind::multiply, wait = Activity::Kind::wait, receive = Activity::Kind::receive;

void expect_path(const std::vector<Activity>& all, const Times& last, const Simulation::Path& expected) {
  const Simulation::Path path = critical_path(all, last);
  EXPECT_EQ(path.ranks, expected.ranks);
  EXPECT_DOUBLE_EQ(path.computation, expected.computation);
  EXPECT_DOUBLE_EQ(path.communication, expected.communication);
  EXPECT_DOUBLE_EQ(path.other, expected.other);
}

// Rank 1 waits from the start, and rank 0 sends once it has multiplied.
TEST(CriticalPath, GoesOnAtTheSenderThatWasBusy) {
  expect_path({{multiply, 0, 0, 0, 4}, {receive, 1, 1, 4, 6, 0}, {wait, 1, 2, 0, 6, 0}, {multiply, 1, 2, 6, 9}},
              {.seconds = 9, .rank = 1}, {.computation = 7, .communication = 2, .other = 0, .ranks = {0, 1}});
}

// Rank 0 has been ready since 1, and waits for something else.
TEST(CriticalPath, StaysAtTheReceiverIfTheSenderWasWaiting) {
  expect_path({{multiply, 0, 0, 0, 1},
               {wait, 0, 3, 1, 8, 1},
               {multiply, 1, 0, 0, 4},
               {receive, 1, 1, 5, 6, 0},
               {wait, 1, 2, 5, 6, 0},
               {multiply, 1, 2, 6, 9}},
              {.seconds = 9, .rank = 1}, {.computation = 7, .communication = 1, .other = 1, .ranks = {1}});
}

}  // namespace
}  // namespace cairn
