#include "scalapack/original.hpp"

#define CAIRN_DECLARE_REAL(T, lower, UPPER) extern "C" [[gnu::weak]] void __real_C##lower(CAIRN_CGEMR2D_ARGUMENTS(T));
CAIRN_FOR_EACH_GEMR2D(CAIRN_DECLARE_REAL)
#undef CAIRN_DECLARE_REAL

namespace cairn::scalapack {

namespace {

template <class T>
using Gemr2d = void(CAIRN_CGEMR2D_ARGUMENTS(T));

template <class T>
Gemr2d<T>* find_gemr2d();
#define CAIRN_DEFINE_FIND(T, lower, UPPER)                           \
  template <>                                                        \
  Gemr2d<T>* find_gemr2d<T>() {                                      \
    return next_function<Gemr2d<T>>(&__real_C##lower, {"C" #lower}); \
  }
CAIRN_FOR_EACH_GEMR2D(CAIRN_DEFINE_FIND)
#undef CAIRN_DEFINE_FIND

}  // namespace

template <class T>
void original_gemr2d(const Gemr2dCall<T>& call) {
  static Gemr2d<T>* const gemr2d = find_gemr2d<T>();
  const InsideOriginal inside;
  const auto& [CAIRN_CGEMR2D_NAMES] = call;
  gemr2d(CAIRN_CGEMR2D_NAMES);
}

#define CAIRN_INSTANTIATE(T, lower, UPPER) template void original_gemr2d(const Gemr2dCall<T>&);
CAIRN_FOR_EACH_GEMR2D(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::scalapack
