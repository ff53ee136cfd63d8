// Lowers a schedule to one rank's program, and works out which requests every operation must wait for.
#pragma once
#include <initializer_list>
#include <map>
#include <utility>

#include "cairn/error.hpp"
#include "program/array.hpp"
#include "program/pending.hpp"
#include "schedule/passes/one_sided.hpp"

namespace cairn {

/// What lowering asks of a schedule: the same on every rank.
struct Lowering {
  explicit Lowering(const Schedule& schedule);
  const Schedule& schedule;
  const Uses uses;
  const std::vector<int> ahead;                ///< by step, as ahead() has it
  const std::vector<std::size_t> leaves_with;  ///< by step, as leaves_with() has it
};

class Compiler {
 public:
  Compiler(const Lowering& of, Int rank, const std::vector<Int>& leading, Transport transport);
  Program run();

 private:
  /// The local array that a slot's elements lie in.
  const Array& array(Slot x);
  LocalView whole(Slot x);
  /// The part of op(x) with these rows and columns, which lies in one block.
  LocalView block(Slot x, Op op, const IndexSet& rows, const IndexSet& cols);
  /// `copied` is its place in the step's own buffer, -1 if it is not copied there.
  Message message(const Parcel& p, Int copied, bool sent);
  /// This step's messages.
  Exchange exchange();
  /// What the rank itself has of what it receives.
  LocalUpdate own(const Move& m);

  void lower(const Move& m);
  void lower_message(const Move& m);
  void lower_gather(const Move& m);
  void lower_sum(const Move& m);
  void lower(const Redistribute& x);
  void lower(const Compute& x);
  void lower_product(const Compute& x);
  void lower_triangle(const Compute& x);

  const Span& span(Slot x);  ///< valid as long as this step is lowered
  void forget(Range complete);
  /// `before`: what else is waited for.
  void push(decltype(Operation::what) what, std::initializer_list<Slot> reads, Slot writes,
            std::vector<Range> before = {});

  const Schedule& s_;
  const Lowering& of_;
  const std::vector<Effect>& does_;
  Int rank_;
  const std::vector<Int>& leading_;
  std::size_t step_ = 0;
  std::map<Slot, Array> arrays_;  // by storage
  std::map<Slot, Span> spans_;    // of this step: the update of a triangle asks for each block
  PendingRequests pending_;
  Program program_;
};

/// What a Redistribute is on one rank; `buffer` is where in the arena its messages are.
Reshuffle reshuffle(const Schedule& schedule, const Redistribute& x, Int rank, const std::vector<Int>& leading,
                    Int buffer);

}  // namespace cairn
