#include "scalapack/original.hpp"

#define CAIRN_DECLARE_REAL(T, lower, UPPER) \
  extern "C" [[gnu::weak]] void __real_C##lower(CAIRN_CGEMR2D_ARGUMENTS(T, int));
CAIRN_FOR_EACH_GEMR2D(CAIRN_DECLARE_REAL)
#undef CAIRN_DECLARE_REAL

namespace cairn::scalapack {

namespace {

template <class T, class Integer>
using Gemr2d = void(CAIRN_CGEMR2D_ARGUMENTS(T, Integer));

template <class T>
void* find_gemr2d();  // which type it has depends on how long its integers are
#define CAIRN_DEFINE_FIND(T, lower, UPPER)                                                         \
  template <>                                                                                      \
  void* find_gemr2d<T>() {                                                                         \
    return reinterpret_cast<void*>(next_function<Gemr2d<T, int>>(&__real_C##lower, {"C" #lower})); \
  }
CAIRN_FOR_EACH_GEMR2D(CAIRN_DEFINE_FIND)
#undef CAIRN_DEFINE_FIND

}  // namespace

template <class T, class Integer>
void original(const Gemr2dCall<T, Integer>& call) {
  static auto* const gemr2d = reinterpret_cast<Gemr2d<T, Integer>*>(find_gemr2d<T>());
  const InsideOriginal inside;
  const auto& [CAIRN_GEMR2D_NAMES] = call;
  gemr2d(CAIRN_GEMR2D_NAMES);
}

#define CAIRN_INSTANTIATE(T, lower, UPPER)      \
  template void original(const Gemr2dCall<T>&); \
  template void original(const Gemr2dCall<T, std::int64_t>&);
CAIRN_FOR_EACH_GEMR2D(CAIRN_INSTANTIATE)

}  // namespace cairn::scalapack
