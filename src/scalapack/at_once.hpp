// Small products go back to ScaLAPACK at once: they take a few microseconds, of which waiting for other ranks would be
// a good part.
#pragma once
#include "scalapack/gemm.hpp"

namespace cairn::scalapack {

/// What became of a call before anything but its sizes was understood.
enum class AtOnce {
  no,    ///< to be looked at
  back,  ///< nothing for Cairn: ScaLAPACK's own routine is to do all of it, finding wrong arguments too
  ended  ///< it was not the same call on all ranks, and PB_Cabort returned
};
template <class T>
AtOnce at_once(const GemmCall<T>& call);

}  // namespace cairn::scalapack
