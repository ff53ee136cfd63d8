// How elements get from one array to another, where both may have them in many pieces.
#pragma once
#include <vector>

#include "cairn/types.hpp"
#include "schedule/runs.hpp"

namespace cairn {

/// A block of elements `down` rows apart by `rs` words and `across` columns apart by `cs`.
template <class T>
struct Strided {
  T* data;
  Int rs, cs;
};

/// dst = alpha·src + beta·dst for the elements at rows × cols, where a match says which row (column) of dst and of src
/// (in_a, in_b) is which; src conjugated on request. beta = 0 does not read dst; alpha = 1 does not multiply.
template <class T>
void update_matched(const std::vector<Match>& rows, const std::vector<Match>& cols, Strided<T> dst,
                    Strided<const T> src, T alpha, T beta, bool conjugate);

}  // namespace cairn
