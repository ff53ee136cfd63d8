// The routines of the program's own ScaLAPACK that Fortran and C call alike.
#include <cstddef>

#include "base/scalars.hpp"
#include "scalapack/original.hpp"

// Declares what a routine is called in programs that are linked with --wrap, and finds it for its call, which stands
// last. Fortran passes the lengths of its strings at the end. ScaLAPACK in C ignores them, other libraries may not.
#define CAIRN_QUOTED(spelling) #spelling,
#define CAIRN_FIND(lower, UPPER, arguments, ...)                                                     \
  extern "C" [[gnu::weak]] void __real_##lower##_ arguments;                                         \
  static auto* routine_of(const __VA_ARGS__&) {                                                      \
    return next_function(&__real_##lower##_, {CAIRN_FOR_EACH_SPELLING(CAIRN_QUOTED, lower, UPPER)}); \
  }
#define CAIRN_FIND_GEMM(T, lower, UPPER) \
  CAIRN_FIND(lower, UPPER, (CAIRN_GEMM_ARGUMENTS(T), std::size_t, std::size_t), GemmCall<T>)
#define CAIRN_FIND_TRAN(T, op, lower, UPPER) CAIRN_FIND(lower, UPPER, (CAIRN_TRAN_ARGUMENTS(T)), TranCall<T, Op::op>)
#define CAIRN_FIND_TRSM(T, lower, UPPER) \
  CAIRN_FIND(lower, UPPER, (CAIRN_TRSM_ARGUMENTS(T), std::size_t, std::size_t, std::size_t, std::size_t), TrsmCall<T>)
#define CAIRN_FIND_POTRF(T, lower, UPPER) \
  CAIRN_FIND(lower, UPPER, (CAIRN_POTRF_ARGUMENTS(T), std::size_t), PotrfCall<T>)
#define CAIRN_FIND_POTRS(T, lower, UPPER) \
  CAIRN_FIND(lower, UPPER, (CAIRN_POTRS_ARGUMENTS(T), std::size_t), PotrsCall<T>)

namespace cairn::scalapack {

CAIRN_FOR_EACH_GEMM(CAIRN_FIND_GEMM)
CAIRN_FOR_EACH_TRAN(CAIRN_FIND_TRAN)
CAIRN_FOR_EACH_TRSM(CAIRN_FIND_TRSM)
CAIRN_FOR_EACH_POTRF(CAIRN_FIND_POTRF)
CAIRN_FOR_EACH_POTRS(CAIRN_FIND_POTRS)
#undef CAIRN_FIND
#undef CAIRN_QUOTED

template <class T>
void original(const GemmCall<T>& call) {
  static auto* const gemm = routine_of(call);
  const InsideOriginal inside;
  const auto& [CAIRN_GEMM_NAMES] = call;
  gemm(CAIRN_GEMM_NAMES, 1, 1);
}

template <class T, Op op>
void original(const TranCall<T, op>& call) {
  static auto* const tran = routine_of(call);
  const InsideOriginal inside;
  const auto& [CAIRN_TRAN_NAMES] = call;
  tran(CAIRN_TRAN_NAMES);
}

template <class T>
void original(const TrsmCall<T>& call) {
  static auto* const trsm = routine_of(call);
  const InsideOriginal inside;
  const auto& [CAIRN_TRSM_NAMES] = call;
  trsm(CAIRN_TRSM_NAMES, 1, 1, 1, 1);
}

template <class T>
void original(const PotrfCall<T>& call) {
  static auto* const potrf = routine_of(call);
  const InsideOriginal inside;
  const auto& [CAIRN_POTRF_NAMES] = call;
  potrf(CAIRN_POTRF_NAMES, 1);
}

template <class T>
void original(const PotrsCall<T>& call) {
  static auto* const potrs = routine_of(call);
  const auto& [CAIRN_POTRS_NAMES] = call;
  potrs(CAIRN_POTRS_NAMES, 1);
}

#define CAIRN_INSTANTIATE(T)                   \
  template void original(const GemmCall<T>&);  \
  template void original(const TrsmCall<T>&);  \
  template void original(const PotrfCall<T>&); \
  template void original(const PotrsCall<T>&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE
#define CAIRN_INSTANTIATE(T, op, lower, UPPER) template void original(const TranCall<T, Op::op>&);
CAIRN_FOR_EACH_TRAN(CAIRN_INSTANTIATE)

}  // namespace cairn::scalapack
