// What is known of a product at once, without waiting for other ranks: small ones take a few microseconds, of which
// that would be a good part.
#pragma once
#include "scalapack/gemm.hpp"

namespace cairn::scalapack {

/// What is known of a call before more than its numbers were looked at.
enum class AtOnce {
  nothing,  ///< to be looked at
  agreed,   ///< the ranks' arguments are the same, or some rank will say that they are not
  back,     ///< likewise; too small for Cairn: ScaLAPACK's own routine is to do all of it, finding wrong arguments too
  ended     ///< they are not, and PB_Cabort returned
};

/// Posts a notice of the call and looks for those of other ranks, where the grid has a board for them.
template <class T>
AtOnce at_once(const GemmCall<T>& call);

}  // namespace cairn::scalapack
