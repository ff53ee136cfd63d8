// The program's own ScaLAPACK.
#pragma once
#include <cstddef>

#include "scalapack/gemm.hpp"

namespace cairn::scalapack {

/// Calls the p?gemm that the program would use without Cairn: the one after this library in the order of search, or, in
/// programs linked with --wrap, the real one. Aborts, with one clear message, a program that has none.
template <class T>
void original_gemm(const GemmCall<T>& call);

/// Whether an original routine is running further up on this thread's stack: what it calls itself must not come back to
/// Cairn.
bool inside_original();

}  // namespace cairn::scalapack
