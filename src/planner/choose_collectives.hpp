// Which way each collective of a schedule is carried out: as the caller asks, else the fastest by the clock.
//
// A plan calls this once it has a schedule, after look_ahead and before expand_collectives, and keeps the chooser for
// all its drafts: what was clocked once is remembered.
#pragma once
#include <map>

#include "model/machine.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

class CollectiveChooser {
 public:
  /// Only ways that need no more memory, or move no more words, than direct exchanges and binomial trees.
  struct Spare {
    bool memory = false, words = false;
  };
  CollectiveChooser(const Machine& machine, ScalarType type, const Collectives& asked, Spare spare)
      : machine_(machine), type_(type), asked_(asked), spare_(spare) {}
  CollectiveChooser(const Machine& machine, ScalarType type, const Collectives& asked)
      : CollectiveChooser(machine, type, asked, Spare()) {}

  /// The schedule with `how` set in all its collectives. Those that the caller did not name become direct exchanges and
  /// binomial trees unless another way is faster by more than the machine's precision; on more than 1024 ranks always,
  /// as other ways make every rank a class of its own.
  Schedule choose(Schedule schedule);

  /// One collective on a line of ranks that are `stride` apart, of a matrix of `outer` lines of `inner` words, each of
  /// which is contiguous.
  struct Case {
    Collective of;
    Int q, stride, outer, inner;
    auto operator<=>(const Case&) const = default;
  };
  How choose(const Case& c);
  /// Whether the caller leaves a collective to the planner.
  bool open(Collective of) const { return asked_[of].way == Way::open; }
  /// Seconds of the expansion, by the clock, without a guess.
  double clocked(const Case& c, How how) const;

 private:
  How fastest(const Case& c) const;
  Int segments(const Case& c) const;
  std::vector<How> candidates(const Case& c) const;

  const Machine& machine_;
  ScalarType type_;
  Collectives asked_;
  Spare spare_;
  std::map<Case, How> known_;
};

}  // namespace cairn
