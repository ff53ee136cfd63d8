// COSMA's fastest grid, loop and rounds by the clock, in its own layouts.
#pragma once
#include <array>
#include <set>

#include "planner/draft.hpp"

namespace cairn {

/// Closed forms take every piece and every round for even, and are a tenth off where rounds are thin and uneven. So
/// they only say where to look: the clock reads the best rounds of the best grids, and then goes from the fastest of
/// these to more and fewer rounds as long as that is faster.
class FastestCosma {
 public:
  FastestCosma(const Drafts& drafts, const CosmaSearch& search) : drafts_(drafts), search_(search) {}

  /// None if nothing fits into the memory by the closed forms.
  Draft run();

 private:
  struct Grid {
    std::vector<CosmaCandidate> tries;  // best first by the closed form
    CosmaCandidate best{};              // by the clock, as soon as there is a draft
    Draft draft{};
  };
  std::vector<Grid> grids() const;
  bool clock(Grid& grid, const CosmaWay& way);
  void climb(Grid& grid);

  const Drafts& drafts_;
  const CosmaSearch& search_;
  std::set<std::array<Int, 7>> known_;  // what was clocked
  double steps_ = 0;                    // of all ranks, in schedules clocked so far
};

}  // namespace cairn
