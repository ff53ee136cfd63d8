#include "scalapack/integers.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "cairn/comm.hpp"
#include "scalapack/gemm.hpp"
#include "scalapack/settings.hpp"
#include "scalapack/symbol.hpp"

extern "C" [[gnu::weak]] void __real_pdgemm_(CAIRN_GEMM_ARGUMENTS(double), std::size_t, std::size_t);

namespace cairn::scalapack {

namespace {

// The file that ScaLAPACK is in, or the program if that is linked statically; empty if there is none. Every ScaLAPACK
// has pdgemm.
std::string_view file_of_scalapack() {
#define CAIRN_QUOTED(spelling) #spelling,
  for (const char* name : {CAIRN_FOR_EACH_SPELLING(CAIRN_QUOTED, pdgemm, PDGEMM)}) {
#undef CAIRN_QUOTED
    auto* const gemm = find_symbol(&__real_pdgemm_, name, RTLD_NEXT);
    Dl_info file{};
    if (gemm && dladdr(reinterpret_cast<void*>(gemm), &file)) return file.dli_fname;
  }
  return {};
}

bool first_rank() {
  int running = 0, rank = 0;
  MPI_Initialized(&running);
  if (running) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

}  // namespace

bool names_64_bits(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);  // the path may have lib64, or x86_64
  if (name.find(".so") == name.npos) return false;
  for (const char* mark : {"ilp64", "scalapack64", "scalapack_64", "scalapack-64"})
    if (name.find(mark) != name.npos) return true;
  return false;
}

bool integers_have_64_bits() {
  static const bool found = [] {
    const std::string_view file = file_of_scalapack();
    const bool has_64 = names_64_bits(file);
    if (has_64 && settings().verbose && first_rank())
      fmt::print(stderr, "cairn: all calls are handed back: {} takes integers of 64 bits\n", file);
    return has_64;
  }();
  return found;
}

}  // namespace cairn::scalapack
