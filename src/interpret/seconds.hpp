// Seconds that local work takes, as the clock asks for them.
#pragma once
#include <algorithm>

#include "interpret/clocked_schedule.hpp"

namespace cairn {

/// Of local work. Products are priced by sizes, remembered from cell to cell; other kernels by what they do at a rank.
class ComputeTimes {
 public:
  explicit ComputeTimes(Clocked& clocked) : c_(clocked) {}
  double seconds(const Compute& x, std::size_t cell);
  /// Whether sizes tell all, and all of their factors are so.
  template <class Is>
  bool all(const Compute& x, Is is) {
    if (x.kernel != Kernel::gemm) return false;
    const Sizes::Words &a = c_.sizes.words(x.A), &c = c_.sizes.words(x.C);
    return is(*c.rows) && is(*c.cols) && is(inner(x)) &&
           std::all_of(a.others.begin(), a.others.end(), [&](const Sizes::Factor* f) { return is(*f); });
  }

 private:
  const Sizes::Factor& inner(const Compute& x) {
    const Sizes::Words& a = c_.sizes.words(x.A);
    return x.op_a == Op::none ? *a.cols : *a.rows;
  }

  Clocked& c_;
  struct Known {
    double m = -1, n = -1, k = -1, seconds = 0;
  };
  Known known_;
};

}  // namespace cairn
