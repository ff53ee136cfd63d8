#include "scalapack/original.hpp"

// Fortran passes the lengths of its strings at the end. ScaLAPACK in C ignores them, other libraries may not.
#define CAIRN_DECLARE_REAL(T, lower, UPPER) \
  extern "C" [[gnu::weak]] void __real_##lower##_(CAIRN_POTRS_ARGUMENTS(T), std::size_t);
CAIRN_FOR_EACH_POTRS(CAIRN_DECLARE_REAL)
#undef CAIRN_DECLARE_REAL

namespace cairn::scalapack {

namespace {

template <class T>
using Potrs = void(CAIRN_POTRS_ARGUMENTS(T), std::size_t);

template <class T>
Potrs<T>* find_potrs();
#define CAIRN_QUOTED(spelling) #spelling,
#define CAIRN_DEFINE_FIND(T, lower, UPPER)                                                                     \
  template <>                                                                                                  \
  Potrs<T>* find_potrs<T>() {                                                                                  \
    return next_function<Potrs<T>>(&__real_##lower##_, {CAIRN_FOR_EACH_SPELLING(CAIRN_QUOTED, lower, UPPER)}); \
  }
CAIRN_FOR_EACH_POTRS(CAIRN_DEFINE_FIND)
#undef CAIRN_DEFINE_FIND
#undef CAIRN_QUOTED

}  // namespace

template <class T>
void original_potrs(const PotrsCall<T>& call) {
  static Potrs<T>* const potrs = find_potrs<T>();
  const auto& [CAIRN_POTRS_NAMES] = call;
  potrs(CAIRN_POTRS_NAMES, 1);
}

#define CAIRN_INSTANTIATE(T, lower, UPPER) template void original_potrs(const PotrsCall<T>&);
CAIRN_FOR_EACH_POTRS(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::scalapack
