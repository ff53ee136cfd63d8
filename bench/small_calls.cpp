// run: 2
// What it costs to call ScaLAPACK's pdgemm through Cairn, for matrices so small that nothing can be gained:
// microseconds a call of n × n × n products, directly and through libcairn_scalapack, in turn. With
// CAIRN_SCALAPACK=always Cairn multiplies, by a cached plan, where it would otherwise hand back.
#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "cairn/scalapack.h"
#include "runtime/measure/sampling.hpp"

namespace {

using Gemm = decltype(&cairn_pdgemm);

template <class F>
F loaded(void* library, const char* name) {
  const F found = reinterpret_cast<F>(reinterpret_cast<std::uintptr_t>(dlsym(library, name)));
  if (!found) {
    fmt::print(stderr, "small_calls: no {} in {}\n", name, CAIRN_SCALAPACK_LIBRARY);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return found;
}

double microseconds(Gemm gemm, int n, const std::vector<double>& A, std::vector<double>& C, const int* desc) {
  const double one = 1, zero = 0;
  const int first = 1;
  const double start = MPI_Wtime();
  gemm("N", "N", &n, &n, &n, &one, A.data(), &first, &first, desc, A.data(), &first, &first, desc, &zero, C.data(),
       &first, &first, desc);
  return 1e6 * (MPI_Wtime() - start);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  void* const library = dlopen(CAIRN_SCALAPACK_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    fmt::print(stderr, "small_calls: {}\n", dlerror());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  int context = 0;
  loaded<void (*)(int, int, int*)>(library, "Cblacs_get")(-1, 0, &context);
  loaded<void (*)(int*, const char*, int, int)>(library, "Cblacs_gridinit")(&context, "Row", 1, ranks);
  const Gemm direct = loaded<Gemm>(library, "pdgemm_");
  if (rank == 0) fmt::print("n,ScaLAPACK,through Cairn,median of differences\n");
  for (int n : {16, 32, 64, 128}) {
    const int desc[9] = {1, context, n, n, 32, 32, 0, 0, n};
    const std::vector<double> A(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 1);
    std::vector<double> C(A.size());
    std::array<std::vector<double>, 3> us;
    for (int i = 0; i < 2001; ++i) {
      const double plain = microseconds(direct, n, A, C, desc), through = microseconds(&cairn_pdgemm, n, A, C, desc);
      us[0].push_back(plain), us[1].push_back(through), us[2].push_back(through - plain);
    }
    if (rank == 0)
      fmt::print("{},{:.2f},{:.2f},{:.2f}\n", n, cairn::median(us[0]), cairn::median(us[1]), cairn::median(us[2]));
  }
  MPI_Finalize();
}
