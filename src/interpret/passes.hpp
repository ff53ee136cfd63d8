// The moves of a schedule as passages: one by one over all cells, or, where lines do alike, as many as follow each other
// along one axis, line by line.
#pragma once
#include <memory>

#include "interpret/even_lines.hpp"
#include "interpret/recurring_rounds.hpp"

namespace cairn {

class Passes {
 public:
  Passes(const Schedule& schedule, const std::vector<Effect>& effects, const Machine& machine, ScalarType type,
         const Cells& cells, Sizes& sizes, Links& links, Lanes& lanes, Arrivals& arrivals);

  /// Goes along lines from now on if the schedule is even, and finds its rounds; else null. Every cell is one rank.
  std::unique_ptr<RecurringRounds> evenly(ComputeTimes& products);
  /// Whether a step moves between single ranks, or copies.
  bool concern(std::size_t step) const {
    const Move* const m = as_move(does_[step]);
    return m && m->from == Move::From::one;
  }
  /// Goes through such a step, and perhaps others that follow. Returns the next one.
  std::size_t run(std::size_t first);

 private:
  const Move& move(std::size_t step) const { return *as_move(does_[step]); }
  std::size_t storage(Slot x) const { return static_cast<std::size_t>(s_.storage(x)); }
  Passage passage(std::size_t first, std::size_t end) const;
  Tracks tracks(const Passage& passage);

  const Schedule& s_;
  const std::vector<Effect>& does_;
  const Cells& cells_;
  Lanes& lanes_;
  Arrivals& arrivals_;
  EvenMoves even_moves_;
  PassageClock clock_;
  EvenLines lines_;
  std::vector<int> early_;  // by step
  bool even_ = false;
};

}  // namespace cairn
