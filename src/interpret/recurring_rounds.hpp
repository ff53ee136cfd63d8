// A memo around the clock of an even schedule: rounds in which the same happens as in earlier ones, moved along the
// axes and later, are not gone through.
#pragma once
#include <deque>

#include "interpret/clock_state.hpp"
#include "interpret/even_rounds.hpp"

namespace cairn {

class RecurringRounds {
 public:
  RecurringRounds(EvenRounds rounds, const Clocked& clocked, Lanes& lanes, Arrivals& arrivals);

  /// To be called before each step. The step with which to go on: a later one if times were made what they are before
  /// that one.
  std::size_t go_on(std::size_t step);

 private:
  // The times before a round. What is past when the core is free tells nothing.
  struct Seen {
    std::size_t round = 0;
    std::vector<std::vector<double>> times;  // core, in, out, what arrives
  };

  bool aligned(const std::vector<Int>& by) const;
  std::vector<const double*> times(std::size_t round) const;
  void remember(std::size_t now);
  std::optional<double> later_than(const Seen& seen, std::size_t now, const std::vector<Int>& by) const;
  void move(std::size_t now, std::size_t then, std::vector<Int> by, Int times, double later);

  const EvenRounds rounds_;
  const Grid& grid_;
  Lanes& lanes_;
  Arrivals& arrivals_;
  std::vector<Int> grain_;  // by axis
  std::size_t next_ = 0;    // round
  std::deque<Seen> seen_;
};

}  // namespace cairn
