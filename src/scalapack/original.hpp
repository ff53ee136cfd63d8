// The program's own ScaLAPACK.
#pragma once
#include <initializer_list>

#include "scalapack/gemm.hpp"
#include "scalapack/gemr2d.hpp"
#include "scalapack/potrf.hpp"
#include "scalapack/potrs.hpp"
#include "scalapack/symbol.hpp"
#include "scalapack/tran.hpp"
#include "scalapack/trsm.hpp"

namespace cairn::scalapack {

/// The name of the routine for a call: "PDGEMM".
template <class Call>
constexpr const char* routine_name = nullptr;
#define CAIRN_NAME(UPPER, ...) \
  template <>                  \
  inline constexpr const char* routine_name<__VA_ARGS__> = #UPPER;
#define CAIRN_NAME_GEMM(T, lower, UPPER) CAIRN_NAME(UPPER, GemmCall<T>)
#define CAIRN_NAME_TRAN(T, op, lower, UPPER) CAIRN_NAME(UPPER, TranCall<T, Op::op>)
#define CAIRN_NAME_TRSM(T, lower, UPPER) CAIRN_NAME(UPPER, TrsmCall<T>)
#define CAIRN_NAME_POTRF(T, lower, UPPER) CAIRN_NAME(UPPER, PotrfCall<T>)
#define CAIRN_NAME_GEMR2D(T, lower, UPPER) CAIRN_NAME(UPPER, Gemr2dCall<T>)
CAIRN_FOR_EACH_GEMM(CAIRN_NAME_GEMM)
CAIRN_FOR_EACH_TRAN(CAIRN_NAME_TRAN)
CAIRN_FOR_EACH_TRSM(CAIRN_NAME_TRSM)
CAIRN_FOR_EACH_POTRF(CAIRN_NAME_POTRF)
CAIRN_FOR_EACH_GEMR2D(CAIRN_NAME_GEMR2D)
#undef CAIRN_NAME
#undef CAIRN_NAME_GEMM
#undef CAIRN_NAME_TRAN
#undef CAIRN_NAME_TRSM
#undef CAIRN_NAME_POTRF
#undef CAIRN_NAME_GEMR2D

/// Ends a program that lacks a routine of ScaLAPACK.
[[noreturn]] void no_original(const char* name);

/// Calls the routine that the program would use without Cairn: the one after this library in the order of search, that
/// of a library which is not in this order, or, in programs linked with --wrap, the real one. Aborts, with one clear
/// message, a program that has none.
template <class T>
void original(const GemmCall<T>& call);
template <class T, Op op>
void original(const TranCall<T, op>& call);
template <class T>
void original(const TrsmCall<T>& call);
template <class T>
void original(const PotrfCall<T>& call);
/// Its calls of p?trsm come back to Cairn.
template <class T>
void original(const PotrsCall<T>& call);
/// C's routine, which Fortran's calls in turn.
template <class T, class Integer>
void original(const Gemr2dCall<T, Integer>& call);

/// `real`, or else the first of these names that another library has; a program that has none ends.
template <class F>
F* next_function(F* real, std::initializer_list<const char*> names) {
  if (real) return real;
  for (const char* name : names)
    if (F* const found = find_symbol<F>(nullptr, name, RTLD_NEXT)) return found;
  no_original(*names.begin());
}

/// While it lives, an original routine runs on this thread.
class InsideOriginal {
 public:
  InsideOriginal();
  ~InsideOriginal();
  InsideOriginal(const InsideOriginal&) = delete;
  InsideOriginal& operator=(const InsideOriginal&) = delete;
};

/// Whether a call goes to the original unseen: because CAIRN_SCALAPACK is off; because an original routine is running
/// further up on this thread's stack, and what it calls itself must not come back to Cairn; or because the program's
/// ScaLAPACK takes integers of 64 bits, of which nothing could be understood.
bool unseen();

}  // namespace cairn::scalapack
