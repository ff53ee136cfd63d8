// Lowers a schedule to one rank's program, and works out which requests every operation must wait for.
#pragma once
#include <initializer_list>
#include <list>
#include <map>
#include <utility>

#include "cairn/error.hpp"
#include "program/array.hpp"
#include "schedule/passes/one_sided.hpp"

namespace cairn {

class Compiler {
 public:
  Compiler(const Schedule& s, Int rank, const std::vector<Int>& leading, Transport transport);
  Program run();

 private:
  /// Memory that a pending request reads or writes: words of the arena (space -1) or of a caller's array (its slot),
  /// and which rows and columns of which storage slot these are (-1: of none).
  struct Span {
    Slot space;
    Int lo, hi;
    Slot storage = -1;
    IndexSet rows{}, cols{};
    bool same_storage(const Span& o) const { return storage >= 0 && storage == o.storage; }
    bool same_place(const Span& o) const { return space == o.space && lo < o.hi && o.lo < hi; }
    bool meets(const Span& o) const {
      return same_storage(o) ? rows.meets(o.rows) && cols.meets(o.cols) : same_place(o);
    }
  };
  struct Pending {
    Range requests;
    Span span;
    bool writes;
    std::vector<Range> before{};  ///< complete before these were posted
  };

  struct Earlier {
    bool operator()(Range a, Range b) const { return std::pair(a.lo, a.hi) < std::pair(b.lo, b.hi); }
  };

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
  void wait_for(std::vector<Range>& wait, const Span& span, bool writes) const;
  void expect(Pending pending);
  void forget(Range complete);
  /// `before`: what else is waited for.
  void push(decltype(Operation::what) what, std::initializer_list<Slot> reads, Slot writes,
            std::vector<Range> before = {});

  const Schedule& s_;
  Int rank_;
  const std::vector<Int>& leading_;
  std::vector<Effect> does_;
  std::vector<int> ahead_;  // by step
  std::size_t step_ = 0;
  std::map<Slot, Array> arrays_;                // by storage
  std::map<Slot, Span> spans_;                  // of this step: the update of a triangle asks for each block
  std::map<Slot, std::list<Pending>> pending_;  // by storage
  std::multimap<Range, std::list<Pending>::iterator, Earlier> by_requests_;  // the same
  Program program_;
};

/// What a Redistribute is on one rank; `buffer` is where in the arena its messages are.
Reshuffle reshuffle(const Schedule& schedule, const Redistribute& x, Int rank, const std::vector<Int>& leading,
                    Int buffer);

}  // namespace cairn
