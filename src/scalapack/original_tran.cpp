#include "scalapack/original.hpp"

#define CAIRN_DECLARE_REAL(T, op, lower, UPPER) \
  extern "C" [[gnu::weak]] void __real_##lower##_(CAIRN_TRAN_ARGUMENTS(T));
CAIRN_FOR_EACH_TRAN(CAIRN_DECLARE_REAL)
#undef CAIRN_DECLARE_REAL

namespace cairn::scalapack {

namespace {

template <class T>
using Tran = void(CAIRN_TRAN_ARGUMENTS(T));

template <class T, Op op>
Tran<T>* find_tran();
#define CAIRN_QUOTED(spelling) #spelling,
#define CAIRN_DEFINE_FIND(T, op, lower, UPPER)                                                                \
  template <>                                                                                                 \
  Tran<T>* find_tran<T, Op::op>() {                                                                           \
    return next_function<Tran<T>>(&__real_##lower##_, {CAIRN_FOR_EACH_SPELLING(CAIRN_QUOTED, lower, UPPER)}); \
  }
CAIRN_FOR_EACH_TRAN(CAIRN_DEFINE_FIND)
#undef CAIRN_DEFINE_FIND
#undef CAIRN_QUOTED

}  // namespace

template <class T, Op op>
void original_tran(const TranCall<T>& call) {
  static Tran<T>* const tran = find_tran<T, op>();
  const InsideOriginal inside;
  const auto& [CAIRN_TRAN_NAMES] = call;
  tran(CAIRN_TRAN_NAMES);
}

#define CAIRN_INSTANTIATE(T, op, lower, UPPER) template void original_tran<T, Op::op>(const TranCall<T>&);
CAIRN_FOR_EACH_TRAN(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::scalapack
