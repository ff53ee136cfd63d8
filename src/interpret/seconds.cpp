#include "interpret/seconds.hpp"

#include <algorithm>

#include "schedule/kernels.hpp"

namespace cairn {

// What is multiplied where the caller has it is in no cache.
double ComputeTimes::seconds(const Compute& x, std::size_t cell) {
  if (x.kernel != Kernel::gemm) {
    const Likeness like = like_a_product(x.kernel, x.side, sizes_at(s_, x, cells_.rank(cell)));
    return like.share * machine_.gemm_seconds(like.m, like.n, like.k, type_);
  }
  const Sizes::Words &a = sizes_.words(x.A), &c = sizes_.words(x.C);
  const double m = sizes_.at(*c.rows, cell), n = sizes_.at(*c.cols, cell), k = sizes_.at(inner(x), cell);
  for (const Sizes::Factor* f : a.others)
    if (sizes_.at(*f, cell) == 0) return 0;
  if (m != known_.m || n != known_.n || k != known_.k)
    known_ = {m, n, k, machine_.gemm_seconds(static_cast<Int>(m), static_cast<Int>(n), static_cast<Int>(k), type_)};
  const double cold = (callers(x.A) ? m * k : 0) + (callers(x.B) ? k * n : 0);
  return known_.seconds + cold * static_cast<double>(size_of(type_)) * machine_.read_seconds_per_byte;
}

}  // namespace cairn
