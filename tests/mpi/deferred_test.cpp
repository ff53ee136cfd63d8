// Exchanges are posted in turn when what they wait for is there, and do not hold up anything else.
#include "runtime/deferred.hpp"

#include <gtest/gtest.h>

#include <set>

namespace cairn {
namespace {

// Records what is posted; requests are complete when the test says so, or when they are waited for.
class Recorder final : public TwoSided {
 public:
  explicit Recorder(const Program& program)
      : TwoSided(Comm::self(), nodes_of(Comm::self(), 0), program, ScalarType::float64) {}
  void post(const Exchange& x, std::size_t) override { posted.push_back(x.first_request); }
  void wait(Range r) override {
    for (Int i = r.lo; i < r.hi; ++i) finish(i);
  }
  void wait_any(const std::vector<Range>& requests) override {
    for (Range r : requests)
      if (!complete(r)) return wait(r);
  }
  bool complete(Range r) override {
    for (Int i = r.lo; i < r.hi; ++i)
      if (!done.contains(i)) return false;
    return true;
  }
  void finish(Int request) {
    EXPECT_NE(std::find(posted.begin(), posted.end(), static_cast<std::size_t>(request)), posted.end()) << request;
    done.insert(request);
  }

  std::vector<std::size_t> posted;
  std::set<Int> done;
};

// Number r: one message, request number r, that waits for others.
Operation message(std::size_t r, std::vector<Range> wait) {
  return {Exchange{{{0, {{{0, 1}}, {{0, 1}}, 1}, 0, 1}}, {}, r}, r, std::move(wait)};
}

using Requests = std::vector<std::size_t>;

TEST(Deferred, AnExchangeIsPostedOnceWhatItWaitsForIsComplete) {
  const Program program;
  Recorder wire(program);
  Deferred deferred(program, wire);
  const std::vector<Operation> ops{message(0, {}), message(1, {{0, 1}}), message(2, {}), message(3, {{1, 2}, {2, 3}})};
  for (const Operation& op : ops) deferred.post(op);
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

TEST(Deferred, WhoWaitsForARequestPostsAllThatItNeeds) {
  const Program program;
  Recorder wire(program);
  Deferred deferred(program, wire);
  const std::vector<Operation> ops{message(0, {}), message(1, {{0, 1}}), message(2, {{1, 2}})};
  for (const Operation& op : ops) deferred.post(op);
  deferred.wait({{2, 3}});
  EXPECT_EQ(wire.posted, (Requests{0, 1, 2}));
  EXPECT_TRUE(wire.complete({0, 3}));
}

TEST(Deferred, FlushingPostsEverythingAndWaitsForNoMore) {
  const Program program;
  Recorder wire(program);
  Deferred deferred(program, wire);
  const std::vector<Operation> ops{message(0, {}), message(1, {{0, 1}}), message(2, {{1, 2}})};
  for (const Operation& op : ops) deferred.post(op);
  deferred.flush();
  EXPECT_EQ(wire.posted, (Requests{0, 1, 2}));
  EXPECT_TRUE(deferred.empty());
  EXPECT_FALSE(wire.complete({2, 3}));
}

// The first waits for what is received, the second for what is sent.
TEST(Deferred, OnlyExchangesThatHaveTheirDataAreWaitedForBeforeAProduct) {
  for (const bool sends : {false, true}) {
    Program program;
    program.sends = {sends, false};
    Recorder wire(program);
    Deferred deferred(program, wire);
    const std::vector<Operation> ops{message(0, {}), message(1, {{0, 1}})};
    for (const Operation& op : ops) deferred.post(op);
    deferred.send_on();
    EXPECT_EQ(deferred.empty(), sends);
    EXPECT_EQ(wire.posted, sends ? Requests({0, 1}) : Requests({0}));
  }
}

}  // namespace
}  // namespace cairn
