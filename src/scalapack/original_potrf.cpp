#include "scalapack/original.hpp"

// Fortran passes the lengths of its strings at the end. ScaLAPACK in C ignores them, other libraries may not.
#define CAIRN_DECLARE_REAL(T, lower, UPPER) \
  extern "C" [[gnu::weak]] void __real_##lower##_(CAIRN_POTRF_ARGUMENTS(T), std::size_t);
CAIRN_FOR_EACH_POTRF(CAIRN_DECLARE_REAL)
#undef CAIRN_DECLARE_REAL

namespace cairn::scalapack {

namespace {

template <class T>
using Potrf = void(CAIRN_POTRF_ARGUMENTS(T), std::size_t);

template <class T>
Potrf<T>* find_potrf();
#define CAIRN_QUOTED(spelling) #spelling,
#define CAIRN_DEFINE_FIND(T, lower, UPPER)                                                                     \
  template <>                                                                                                  \
  Potrf<T>* find_potrf<T>() {                                                                                  \
    return next_function<Potrf<T>>(&__real_##lower##_, {CAIRN_FOR_EACH_SPELLING(CAIRN_QUOTED, lower, UPPER)}); \
  }
CAIRN_FOR_EACH_POTRF(CAIRN_DEFINE_FIND)
#undef CAIRN_DEFINE_FIND
#undef CAIRN_QUOTED

}  // namespace

template <class T>
void original_potrf(const PotrfCall<T>& call) {
  static Potrf<T>* const potrf = find_potrf<T>();
  const InsideOriginal inside;
  const auto& [CAIRN_POTRF_NAMES] = call;
  potrf(CAIRN_POTRF_NAMES, 1);
}

#define CAIRN_INSTANTIATE(T, lower, UPPER) template void original_potrf(const PotrfCall<T>&);
CAIRN_FOR_EACH_POTRF(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::scalapack
