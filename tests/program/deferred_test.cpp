// Exchanges are posted in turn when what they wait for is there, and do not hold up anything else.
#include "program/deferred.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace cairn {
namespace {

// Records what is posted; requests are complete when the test says so, or when they are waited for.
class Recorder {
 public:
  void post(const Exchange& x, std::size_t) { posted.push_back(x.first_request); }
  void settle(Range r) {
    for (Int i = r.lo; i < r.hi; ++i) finish(i);
  }
  std::suspend_never wait(Range r) {
    settle(r);
    return {};
  }
  std::suspend_never wait_any(const std::vector<Range>& requests) {
    for (Range r : requests)
      if (!complete(r)) return wait(r);
    return {};
  }
  bool complete(Range r) {
    ++looked_at[r.lo];
    if (r == arrives_when_asked_again && asked++ > 0) done.insert(r.lo);
    for (Int i = r.lo; i < r.hi; ++i)
      if (!done.contains(i)) return false;
    return true;
  }
  static bool leaves_node(const Exchange&) { return true; }
  void finish(Int request) {
    EXPECT_NE(std::find(posted.begin(), posted.end(), static_cast<std::size_t>(request)), posted.end()) << request;
    done.insert(request);
  }

  std::vector<std::size_t> posted;
  std::set<Int> done;
  std::map<Int, int> looked_at;  // by first request
  Range arrives_when_asked_again{-1, -1};
  int asked = 0;
};

// Number r: one message, request number r, that waits for others.
Operation message(std::size_t r, std::vector<Range> wait) {
  return {Exchange{{{0, {{{0, 1}}, {{0, 1}}, 1}, 0, 1}}, {}, r}, r, std::move(wait)};
}

using Requests = std::vector<std::size_t>;

class DeferredTest : public ::testing::Test {
 protected:
  void SetUp() override {
    program.requests = 5;  // no test has more
    deferred.begin();
  }
  void post(std::vector<Operation> all) {
    ops = std::move(all);
    for (const Operation& op : ops) deferred.post(op);
  }

  static void finish(Task task) {
    task.start();
    EXPECT_TRUE(task.done());
  }

  Program program;
  Recorder wire;
  Deferred<Recorder> deferred{program, wire};
  std::vector<Operation> ops;
};

TEST_F(DeferredTest, AnExchangeIsPostedOnceWhatItWaitsForIsComplete) {
  post({message(0, {}), message(1, {{0, 1}}), message(2, {}), message(3, {{1, 2}, {2, 3}})});
  EXPECT_EQ(wire.posted, (Requests{0}));
  deferred.advance();
  EXPECT_EQ(wire.posted, (Requests{0}));
  wire.finish(0);
  deferred.advance();
  EXPECT_EQ(wire.posted, (Requests{0, 1, 2}));  // the order of the program
  wire.finish(2);
  deferred.advance();
  EXPECT_FALSE(deferred.empty());
  wire.finish(1);
  deferred.advance();
  EXPECT_EQ(wire.posted, (Requests{0, 1, 2, 3}));
  EXPECT_TRUE(deferred.empty());
}

TEST_F(DeferredTest, WhatIsCompleteIsNotLookedAtAgain) {
  post({message(0, {}), message(1, {}), message(2, {{0, 1}, {1, 2}})});
  wire.finish(0);
  for (int i = 0; i < 3; ++i) deferred.advance();
  EXPECT_EQ(wire.looked_at[0], 2);  // before it was complete, and then
  EXPECT_EQ(wire.looked_at[1], 3);
  wire.finish(1);
  deferred.advance();
  EXPECT_EQ(wire.posted, (Requests{0, 1, 2}));
}

TEST_F(DeferredTest, WhoWaitsForARequestPostsAllThatItNeeds) {
  post({message(0, {}), message(1, {{0, 1}}), message(2, {{1, 2}})});
  finish(deferred.wait({{2, 3}}));
  EXPECT_EQ(wire.posted, (Requests{0, 1, 2}));
  EXPECT_TRUE(wire.complete({0, 3}));
}

TEST_F(DeferredTest, FlushingPostsEverythingAndWaitsForNoMore) {
  post({message(0, {}), message(1, {{0, 1}}), message(2, {{1, 2}})});
  finish(deferred.flush());
  EXPECT_EQ(wire.posted, (Requests{0, 1, 2}));
  EXPECT_TRUE(deferred.empty());
  EXPECT_FALSE(wire.complete({2, 3}));
}

TEST_F(DeferredTest, AnExchangeThatHasItsDataIsPostedBeforeAProduct) {
  program.sends = {true, false};
  post({message(0, {}), message(1, {{0, 1}})});
  finish(deferred.send_on());
  EXPECT_EQ(wire.posted, (Requests{0, 1}));
}

TEST_F(DeferredTest, AProductDoesNotWaitForWhatOthersSend) {
  program.sends = {false, false};
  post({message(0, {}), message(1, {{0, 1}})});
  finish(deferred.send_on());
  EXPECT_EQ(wire.posted, (Requests{0}));
}

// Numbers 1 and 3 pass on panels of later rounds. Number 4 waits for number 3, which is not posted.
TEST_F(DeferredTest, PanelsOfLaterRoundsHoldUpNothing) {
  std::vector<Operation> all = {message(0, {}), message(1, {{0, 1}}), message(2, {}), message(3, {{1, 2}}),
                                message(4, {{3, 4}})};
  for (std::size_t i : {1, 3}) std::get<Exchange>(all[i].what).ahead = true;
  post(std::move(all));
  EXPECT_EQ(wire.posted, (Requests{0, 2}));
  wire.finish(0);
  deferred.advance();
  EXPECT_EQ(wire.posted, (Requests{0, 2, 1}));
  finish(deferred.wait({{4, 5}}));
  EXPECT_EQ(wire.posted, (Requests{0, 2, 1, 3, 4}));
}

TEST_F(DeferredTest, ARunStartsWithNothingDeferred) {
  post({message(0, {}), message(1, {{0, 1}})});
  deferred.begin();
  finish(deferred.flush());
  EXPECT_EQ(wire.posted, (Requests{0}));
}

// Two panels of later rounds wait for the same message, which arrives after the first of them was looked at. Who posts
// the second has heard of it, and nobody else will.
TEST_F(DeferredTest, WhatWasOvertakenInTheMeantimeIsLookedAtAgain) {
  std::vector<Operation> all{message(0, {}), message(1, {{0, 1}}), message(2, {{0, 1}})};
  for (std::size_t r : {1, 2}) std::get<Exchange>(all[r].what).ahead = true;
  ops = std::move(all);
  wire.arrives_when_asked_again = {0, 1};
  deferred.post(ops[0]);
  deferred.post(ops[1]);
  EXPECT_EQ(wire.asked, 1);
  wire.asked = 0;
  deferred.post(ops[2]);
  EXPECT_EQ(wire.posted, (Requests{0, 2, 1}));
  EXPECT_TRUE(deferred.empty());
}

// An exchange is posted as soon as all that it waits for is complete and whatever must not be overtaken before it is
// posted. Here this is found by looking at every exchange each time.
TEST_F(DeferredTest, PostsAtRandomWhatAPlainSearchPosts) {
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (int repeat = 0; repeat < 300; ++repeat) {
    const std::size_t n = 2 + below(14);
    program.requests = n;
    program.sends.assign(n, true);
    deferred.begin();
    wire = {};
    ops.clear();
    for (std::size_t r = 0; r < n; ++r) {
      std::vector<Range> waits[2];
      for (std::size_t i = 0; r > 0 && i < below(4); ++i) {
        const auto lo = static_cast<Int>(below(r));
        waits[below(2)].push_back({lo, std::min(static_cast<Int>(r), lo + 1 + static_cast<Int>(below(2)))});
      }
      ops.push_back(message(r, waits[0]));
      auto& x = std::get<Exchange>(ops.back().what);
      x.turn = waits[1];
      x.ahead = below(3) > 0;
    }

    Requests expected;
    std::size_t reached = 0;
    const auto posted = [&](std::size_t r) { return std::count(expected.begin(), expected.end(), r) > 0; };
    const auto complete = [&](const std::vector<Range>& all) {
      return std::all_of(all.begin(), all.end(), [&](Range r) { return wire.complete(r); });
    };
    while (expected.size() < n) {
      if (reached < n && below(2) == 0)
        deferred.post(ops[reached++]);
      else if (const std::size_t r = below(n); posted(r) && below(2) == 0)
        wire.finish(static_cast<Int>(r));
      for (std::size_t r = 0; r < reached; ++r) {
        if (posted(r)) continue;
        const auto& x = std::get<Exchange>(ops[r].what);
        if (complete(ops[r].wait) && complete(x.turn))
          expected.push_back(r);
        else if (!x.ahead)
          break;
      }
      deferred.advance();
      ASSERT_EQ(wire.posted, expected) << "in program " << repeat;
    }
    EXPECT_TRUE(deferred.empty());
    finish(deferred.send_on());  // nothing is left that it would wait for
  }
}

}  // namespace
}  // namespace cairn
