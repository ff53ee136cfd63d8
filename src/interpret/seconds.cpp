#include "interpret/seconds.hpp"

namespace cairn {

// What is multiplied where the caller has it is in no cache.
double ComputeTimes::seconds(const Compute& x, std::size_t cell) {
  if (x.kernel != Kernel::gemm) {
    const Likeness like = like_a_product(x.kernel, x.side, c_.sizes.work(x, cell));
    return like.share * c_.machine.gemm_seconds(like.m, like.n, like.k, c_.type);
  }
  const Sizes::Words &a = c_.sizes.words(x.A), &c = c_.sizes.words(x.C);
  const double m = c_.sizes.at(*c.rows, cell), n = c_.sizes.at(*c.cols, cell), k = c_.sizes.at(inner(x), cell);
  for (const Sizes::Factor* f : a.others)
    if (c_.sizes.at(*f, cell) == 0) return 0;
  if (m != known_.m || n != known_.n || k != known_.k)
    known_ = {m, n, k, c_.machine.gemm_seconds(static_cast<Int>(m), static_cast<Int>(n), static_cast<Int>(k), c_.type)};
  const double cold = (is_input(c_.s, x.A) ? m * k : 0) + (is_input(c_.s, x.B) ? k * n : 0);
  return known_.seconds + c_.bytes(cold) * c_.machine.read_seconds_per_byte;
}

}  // namespace cairn
