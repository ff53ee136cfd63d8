#include "scalapack/original.hpp"

// Fortran passes the lengths of its strings at the end. ScaLAPACK in C ignores them, other libraries may not.
#define CAIRN_DECLARE_REAL(T, lower, UPPER)                                                                       \
  extern "C" [[gnu::weak]] void __real_##lower##_(CAIRN_TRSM_ARGUMENTS(T), std::size_t, std::size_t, std::size_t, \
                                                  std::size_t);
CAIRN_FOR_EACH_TRSM(CAIRN_DECLARE_REAL)
#undef CAIRN_DECLARE_REAL

namespace cairn::scalapack {

namespace {

template <class T>
using Trsm = void(CAIRN_TRSM_ARGUMENTS(T), std::size_t, std::size_t, std::size_t, std::size_t);

template <class T>
Trsm<T>* find_trsm();
#define CAIRN_QUOTED(spelling) #spelling,
#define CAIRN_DEFINE_FIND(T, lower, UPPER)                                                                    \
  template <>                                                                                                 \
  Trsm<T>* find_trsm<T>() {                                                                                   \
    return next_function<Trsm<T>>(&__real_##lower##_, {CAIRN_FOR_EACH_SPELLING(CAIRN_QUOTED, lower, UPPER)}); \
  }
CAIRN_FOR_EACH_TRSM(CAIRN_DEFINE_FIND)
#undef CAIRN_DEFINE_FIND
#undef CAIRN_QUOTED

}  // namespace

template <class T>
void original_trsm(const TrsmCall<T>& call) {
  static Trsm<T>* const trsm = find_trsm<T>();
  const InsideOriginal inside;
  const auto& [CAIRN_TRSM_NAMES] = call;
  trsm(CAIRN_TRSM_NAMES, 1, 1, 1, 1);
}

#define CAIRN_INSTANTIATE(T, lower, UPPER) template void original_trsm(const TrsmCall<T>&);
CAIRN_FOR_EACH_TRSM(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::scalapack
