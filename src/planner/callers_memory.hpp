// What the caller's matrices add to the memory of a variant, before its schedule is made.
#pragma once
#include <array>
#include <vector>

#include "cairn/problem.hpp"

namespace cairn {

class CallersMemory {
 public:
  explicit CallersMemory(const GemmProblem& problem);
  /// Words beside those that an algorithm on so many ranks holds in its own layouts, about: a matrix that does not lie
  /// on as many ranks is held twice, and some of it packed to be sent, or as it arrives.
  double beside(Int ranks) const;

 private:
  struct Matrix {
    Int ranks, most, all;  ///< that hold any of it; words of the rank that has most, and of all
  };
  std::vector<Matrix> matrices_;
  std::array<Int, 8> most_{};  ///< words of some of the matrices, their bits, on the rank that has most of these
};

}  // namespace cairn
