// All ranks of a schedule in one process, on real numbers, element by element: the specification of the executor.
#pragma once
#include <vector>

#include "schedule/schedule.hpp"

namespace cairn {

/// Dense column-major matrix of doubles.
struct Dense {
  Int m = 0, n = 0;
  std::vector<double> x;
  Dense(Int rows, Int cols, double fill = 0) : m(rows), n(cols), x(static_cast<std::size_t>(rows * cols), fill) {}
  double& operator()(Int i, Int j) { return x[static_cast<std::size_t>(i + j * m)]; }
  double operator()(Int i, Int j) const { return x[static_cast<std::size_t>(i + j * m)]; }
};

/// The result, of those of its elements that count, from the caller's matrices in the order of Schedule::callers().
/// What a rank does not hold is NaN there, so that reading it shows in the result; where ranks disagree on an element,
/// it is NaN.
Dense reference(const Schedule& schedule, const std::vector<const Dense*>& callers, double alpha, double beta);
/// C = alpha·A·B + beta·C as the schedule computes it, from op(A) m × k and op(B) k × n.
Dense reference(const Schedule& schedule, const Dense& A, const Dense& B, const Dense& C, double alpha, double beta);
/// B = alpha·A + beta·B likewise, of the schedule of a redistribution.
Dense reference(const Schedule& schedule, const Dense& A, const Dense& B, double alpha, double beta);

}  // namespace cairn
