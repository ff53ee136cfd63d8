// What a rank does in which order, whoever carries its program out.
#include "program/follower.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace cairn {
namespace {

// Writes down what it is asked to do. Messages arrive during the product's first piece.
class Diary {
 public:
  static bool prepares(const Operation&) { return true; }
  static bool does(const Operation&) { return true; }
  void prepared(const Operation&) const {}
  void done(const Operation&) const {}
  static std::suspend_never begin(const Operation&) { return {}; }
  void post(const Exchange& x, std::size_t) {
    said += "post " + std::to_string(x.first_request) + "; ";
    travelling.insert(static_cast<Int>(x.first_request));
  }
  static bool sums(const SumExchange&, std::size_t) { return true; }
  void reserve(std::size_t) const {}
  static std::suspend_never receive(std::size_t, Int, Int, int, std::size_t) { return {}; }
  static std::suspend_never send(std::size_t, Int, Int, int, std::size_t) { return {}; }
  static std::suspend_never send(std::size_t, const SumExchange&, std::size_t, std::size_t) { return {}; }
  bool complete(Range r) const {
    for (Int i = r.lo; i < r.hi; ++i)
      if (travelling.contains(i)) return false;
    return true;
  }
  bool leaves_node(const Exchange&) const { return far; }
  bool in_flight() {
    ++looked;
    return !travelling.empty();
  }
  std::suspend_never wait(Range r) {
    for (Int i = r.lo; i < r.hi; ++i) travelling.erase(i);
    return {};
  }
  void settle(Range) const {}
  std::suspend_never wait_any(const std::vector<Range>& ranges) {
    said += "wait; ";
    return wait(ranges.front());
  }
  static std::suspend_never update(const LocalUpdate&) { return {}; }
  static std::suspend_never add(const SumExchange&, Int) { return {}; }
  std::suspend_never multiply(const LocalGemm&, Int lo, Int cols) {
    said += "columns " + std::to_string(lo) + " to " + std::to_string(lo + cols) + "; ";
    travelling.clear();
    return {};
  }
  static std::suspend_never triangle(const LocalTriangle&) { return {}; }
  static std::suspend_never pack(const Reshuffle&, const Reshuffle::Parcel&, Int) { return {}; }
  static std::suspend_never keep(const Reshuffle&) { return {}; }
  static std::suspend_never unpack(const Reshuffle&, const Reshuffle::Parcel&, Int) { return {}; }
  static std::suspend_never meet(const Meet&) { return {}; }

  std::string said;
  std::set<Int> travelling;
  int looked = 0;    // after messages
  bool far = false;  // everybody is on another node
};

Operation receive(std::size_t r, std::vector<Range> wait) {
  return {Exchange{{{0, {{{0, 1}}, {{0, 1}}, 1}, 0, 1}}, {}, r}, r, std::move(wait)};
}

Operation send(std::size_t r, std::vector<Range> turn) {
  return {Exchange{{}, {{0, {{{0, 1}}, {{0, 1}}, 1}, 0, 1}}, r, false, std::move(turn)}, r, {}};
}

Diary diary_of(std::vector<Operation> operations, bool far = false) {
  Program program;
  program.requests = operations.size();
  for (const Operation& op : operations) {
    const auto* x = std::get_if<Exchange>(&op.what);
    program.sends.push_back(x && !x->sends.empty());
  }
  program.operations = std::move(operations);
  Diary diary;
  diary.far = far;
  Follower<Diary> follower(program, diary, diary);
  Task task = follower.run();
  task.start();
  EXPECT_TRUE(task.done());
  return diary;
}

std::string said(std::vector<Operation> operations) { return diary_of(std::move(operations)).said; }

Operation product(Int columns) {
  LocalGemm x{};
  x.C.cols = columns;
  return {x, 2, {}};
}

TEST(Follower, LooksAfterMessagesBeforeEveryPieceOfAProduct) {
  EXPECT_EQ(said({receive(0, {}), receive(1, {{0, 1}}), product(2 * LocalGemm::piece)}),
            "post 0; columns 0 to 512; post 1; columns 512 to 1024; ");
  EXPECT_EQ(said({receive(0, {}), receive(1, {{0, 1}}), product(3 * LocalGemm::piece)}),
            "post 0; columns 0 to 512; post 1; columns 512 to 1024; columns 1024 to 1536; ");
}

// A library may move nothing unless it is called, and an update of a triangle is many products.
TEST(Follower, LooksAfterMessagesBeforeEveryKernelOfAnUpdate) {
  const Operation square{LocalTriangle{Kernel::gemmt, {}, {}, {}, Uplo::lower}, 2, {}};
  const int without = diary_of({square}).looked;
  EXPECT_EQ(diary_of({receive(0, {}), square, square, square}).looked, without + 2);
}

// Within a node a message leaves when its receiver looks after it, which may be much later.
TEST(Follower, MessagesTakeTurnsToOtherNodesOnly) {
  const std::vector<Operation> tree{send(0, {}), send(1, {{0, 1}}), product(LocalGemm::piece)};
  EXPECT_EQ(diary_of(tree).said, "post 0; post 1; columns 0 to 512; ");
  EXPECT_EQ(diary_of(tree, true).said, "post 0; wait; post 1; columns 0 to 512; ");
}

TEST(Follower, CutsNoProductWhenNothingTravels) {
  EXPECT_EQ(said({product(4 * LocalGemm::piece)}), "columns 0 to 2048; ");
  EXPECT_EQ(said({receive(0, {}), product(4 * LocalGemm::piece)}), "post 0; columns 0 to 512; columns 512 to 2048; ");
}

}  // namespace
}  // namespace cairn
