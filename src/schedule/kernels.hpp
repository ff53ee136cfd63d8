// What is known of each kernel of local work, but for how it is called (local/kernels).
#pragma once
#include <string_view>

#include "schedule/effect.hpp"

namespace cairn {

std::string_view name_of(Kernel kernel);

/// A region of X as one of op(X), and the other way round.
inline Region region_under(Op op, const Region& r) { return op == Op::none ? r : Region{r.cols, r.rows}; }

/// What one rank computes in a step: op(A) and op(B) conform with C.
struct Work {
  Region A, B, C;  ///< of op(A), op(B), C; A and B are empty where the kernel has none
};
Work work_at(const Schedule& schedule, const Compute& compute, Int rank);

/// Sizes of local work, of which `counted` elements of the m × n result count.
struct WorkSizes {
  Int m, n, k, counted;
};
WorkSizes sizes_at(const Schedule& schedule, const Compute& compute, Int rank);
/// The same where `rows` and `cols` tell those of a slot, and `counted` how many elements of its triangle count.
template <class Rows, class Cols, class Counted>
WorkSizes sizes_by(const Schedule& schedule, const Compute& x, Rows rows, Cols cols, Counted counted) {
  WorkSizes w{rows(x.C), cols(x.C), 0, 0};
  if (x.A >= 0) w.k = x.op_a == Op::none ? cols(x.A) : rows(x.A);
  const bool all = x.kernel != Kernel::gemmt || schedule[x.C].shape == Uplo::full;
  w.counted = all || w.m * w.n == 0 ? w.m * w.n : counted(x.C);
  return w;
}

/// Additions and multiplications, as LAPACK Working Note 41 counts the leading terms: k twice for each element that
/// counts; of a triangle of order r that solves for n columns r²n; n(n+1)(2n+1)/6 of a Cholesky factor; factors of
/// matrices are not counted. The largest Int where there are more than 64 bits count.
Int flops(Kernel kernel, Compute::Side side, const WorkSizes& sizes);

/// A product of m × k by k × n, and the share of its time that the kernel takes.
struct Likeness {
  Int m, n, k;
  double share;
};
Likeness like_a_product(Kernel kernel, Compute::Side side, const WorkSizes& sizes);

}  // namespace cairn
