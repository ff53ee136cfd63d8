#include "scalapack/original.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "cairn/comm.hpp"
#include "scalapack/integers.hpp"
#include "scalapack/settings.hpp"

// Fortran passes the lengths of its two strings at the end. ScaLAPACK in C ignores them, other libraries may not.
#define CAIRN_DECLARE_REAL(T, lower, UPPER) \
  extern "C" [[gnu::weak]] void __real_##lower##_(CAIRN_GEMM_ARGUMENTS(T), std::size_t, std::size_t);
CAIRN_FOR_EACH_GEMM(CAIRN_DECLARE_REAL)
#undef CAIRN_DECLARE_REAL

namespace cairn::scalapack {

namespace {

template <class T>
using Gemm = void(CAIRN_GEMM_ARGUMENTS(T), std::size_t, std::size_t);

[[gnu::tls_model("initial-exec")]] thread_local int depth = 0;

[[noreturn]] void give_up(const std::string& why) {
  fmt::print(stderr, "cairn: {}\n", why);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

template <class T>
Gemm<T>* find_gemm();
#define CAIRN_QUOTED(spelling) #spelling,
#define CAIRN_DEFINE_FIND(T, lower, UPPER)                                                                    \
  template <>                                                                                                 \
  Gemm<T>* find_gemm<T>() {                                                                                   \
    return next_function<Gemm<T>>(&__real_##lower##_, {CAIRN_FOR_EACH_SPELLING(CAIRN_QUOTED, lower, UPPER)}); \
  }
CAIRN_FOR_EACH_GEMM(CAIRN_DEFINE_FIND)
#undef CAIRN_DEFINE_FIND
#undef CAIRN_QUOTED

}  // namespace

void no_original(const char* name) {
  give_up(fmt::format("{} was not found after Cairn's: expected a program that is linked with ScaLAPACK, too", name));
}

// ScaLAPACK's routines call each other two or three deep.
InsideOriginal::InsideOriginal() {
  constexpr int deepest = 16;
  if (++depth > deepest)
    give_up("the routine that was taken for ScaLAPACK's calls Cairn's, which calls it again: expected ScaLAPACK");
}
InsideOriginal::~InsideOriginal() { --depth; }

bool unseen() { return settings().use == Settings::Use::never || depth > 0 || integers_have_64_bits(); }

template <class T>
void original_gemm(const GemmCall<T>& call) {
  static Gemm<T>* const gemm = find_gemm<T>();
  const InsideOriginal inside;
  const auto& [CAIRN_GEMM_NAMES] = call;
  gemm(CAIRN_GEMM_NAMES, 1, 1);
}

#define CAIRN_INSTANTIATE(T, lower, UPPER) template void original_gemm(const GemmCall<T>&);
CAIRN_FOR_EACH_GEMM(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn::scalapack
