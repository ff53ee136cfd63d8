#include "schedule/kernels.hpp"

#include "base/arithmetic.hpp"

namespace cairn {

namespace {

struct Known {
  std::string_view name;
  double speed;  // of what it computes, as a part of a product's of the same sizes; assumed but for gemm
};
constexpr Known known[] = {{"gemm", 1}, {"gemmt", 1}, {"trsm", 0.8}, {"potrf", 0.5}, {"scal", 1}};
const Known& of(Kernel kernel) { return known[static_cast<std::size_t>(kernel)]; }

// Of the triangle that is solved with, or factored.
Int order(Compute::Side side, const WorkSizes& w) { return side == Compute::Side::left ? w.m : w.n; }

// n(n+1)(2n+1)/6: either n(n+1)/2 or 2n+1 is a multiple of 3.
Int factor_flops(Int n) {
  const Int pairs = n * (n + 1) / 2, odd = 2 * n + 1;
  return pairs % 3 == 0 ? saturated_product(pairs / 3, odd) : saturated_product(pairs, odd / 3);
}

}  // namespace

std::string_view name_of(Kernel kernel) { return of(kernel).name; }

Work work_at(const Schedule& s, const Compute& x, Int rank) {
  Work w;
  w.C = region(s.layout(x.C), rank);
  if (x.A >= 0) w.A = region_under(x.op_a, region(s.layout(x.A), rank));
  if (x.B >= 0) w.B = region_under(x.op_b, region(s.layout(x.B), rank));
  return w;
}

// Indices are listed only where the shape makes it necessary.
WorkSizes sizes_at(const Schedule& s, const Compute& x, Int rank) {
  const auto size = [&](Slot slot, const Dim Layout::*dim) {
    const Layout& l = s.layout(slot);
    return l.live(rank) ? (l.*dim).size(l.grid, rank) : 0;
  };
  return sizes_by(
      s, x, [&](Slot slot) { return size(slot, &Layout::rows); }, [&](Slot slot) { return size(slot, &Layout::cols); },
      [&](Slot slot) { return counted(s[slot].shape, s.layout(slot).rows_at(rank), s.layout(slot).cols_at(rank)); });
}

Int flops(Kernel kernel, Compute::Side side, const WorkSizes& w) {
  switch (kernel) {
    case Kernel::gemm:
    case Kernel::gemmt: break;
    case Kernel::trsm: return saturated_product(w.m * w.n, order(side, w));
    case Kernel::potrf: return factor_flops(w.n);
    case Kernel::scal: return 0;
  }
  return saturated_product(2 * w.counted, w.k);
}

Likeness like_a_product(Kernel kernel, Compute::Side side, const WorkSizes& w) {
  const bool product = kernel == Kernel::gemm || kernel == Kernel::gemmt;
  Likeness l{w.m, w.n, product ? w.k : order(side, w), 1};
  const double all = 2 * real(l.m) * real(l.n) * real(l.k);
  if (all > 0) l.share = real(flops(kernel, side, w)) / all / of(kernel).speed;
  return l;
}

}  // namespace cairn
