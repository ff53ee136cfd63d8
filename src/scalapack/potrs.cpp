#include "scalapack/potrs.hpp"

#include "scalapack/original.hpp"

namespace cairn::scalapack {

template <class T>
void potrs(const PotrsCall<T>& call) {
  original(call);
}

#define CAIRN_INSTANTIATE(T, lower, UPPER) template void potrs(const PotrsCall<T>&);
CAIRN_FOR_EACH_POTRS(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::scalapack
