// How elements get from one array to another where both have them in many pieces.
#pragma once
#include <vector>

#include "local/kernels/host_blas.hpp"
#include "schedule/runs.hpp"

namespace cairn {

/// dst = alpha·src + beta·dst for the elements at rows × cols, where a match says which row (column) of dst and of src
/// (in_a, in_b) is which; src conjugated on request. beta = 0 does not read dst; alpha = 1 does not multiply.
template <class T>
void update_matched(const std::vector<Match>& rows, const std::vector<Match>& cols, Strided<T> dst,
                    Strided<const T> src, T alpha, T beta, bool conjugate);

}  // namespace cairn
