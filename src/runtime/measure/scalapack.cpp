#include "runtime/measure/scalapack.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/scalars.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/environment.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

template <class T>
constexpr const char* gemm_name = "pdgemm_";
template <>
constexpr const char* gemm_name<float> = "psgemm_";
template <>
constexpr const char* gemm_name<std::complex<float>> = "pcgemm_";
template <>
constexpr const char* gemm_name<std::complex<double>> = "pzgemm_";

/// The library and what is used of it; never unloaded, as MPI keeps addresses in it.
struct Library {
  void* handle = nullptr;
  std::string why_not;
  int (*system_handle)(MPI_Comm) = nullptr;
  void (*grid_init)(int* context, const char* order, int rows, int cols) = nullptr;
  void (*grid_exit)(int context) = nullptr;

  template <class F>
  void find(F*& function, const char* name) {
    function = reinterpret_cast<F*>(reinterpret_cast<std::uintptr_t>(dlsym(handle, name)));
    if (function == nullptr && why_not.empty()) why_not = fmt::format("it has no {}", name);
  }
  Library() {
    if (!mpi_library().starts_with("Open MPI")) {
      why_not = fmt::format("expected a run under Open MPI, for which libscalapack-openmpi is built, found {}",
                            mpi_library());
      return;
    }
    for (const char* name : {"libscalapack-openmpi.so", "libscalapack-openmpi.so.2.2", "libscalapack-openmpi.so.2.1"})
      if (handle == nullptr) handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      why_not = "libscalapack-openmpi.so cannot be loaded; Debian has it in the package libscalapack-openmpi-dev";
      return;
    }
    find(system_handle, "Csys2blacs_handle");
    find(grid_init, "Cblacs_gridinit");
    find(grid_exit, "Cblacs_gridexit");
  }
};

Library& library() {
  static Library the_library;
  return the_library;
}

}  // namespace

template <class T>
Scalapack<T>::Scalapack(const Comm& comm, Int m, Int n, Int k, Int pr, Int pc, Int block) : comm_(comm) {
  Library& lib = library();
  if (lib.why_not.empty()) lib.find(gemm_, gemm_name<T>);
  // A file may be there on one node and not on another.
  fail_together(comm, Trouble::Kind::runtime,
                lib.why_not.empty() ? std::nullopt : std::optional("ScaLAPACK: " + lib.why_not));
  const auto small = [](Int x) { return to_int(x, "sizes for ScaLAPACK"); };
  sizes_ = {small(m), small(n), small(k)};
  context_ = lib.system_handle(comm.raw());
  lib.grid_init(&context_, "Row", small(pr), small(pc));
  const std::array<std::array<Int, 2>, 3> shapes{{{m, k}, {k, n}, {m, n}}};
  for (std::size_t x = 0; x < shapes.size(); ++x) {
    const auto [rows, cols] = shapes[x];
    layouts_[x] = Layout::block_cyclic(rows, cols, {block, block, pr, pc});
    const Int ld = std::max<Int>(1, layouts_[x].rows_at(comm.rank()).size());
    descriptors_[x] = {1, context_, small(rows), small(cols), small(block), small(block), 0, 0, small(ld)};
  }
}

template <class T>
Scalapack<T>::~Scalapack() {
  if (!mpi_has_ended())
    library().grid_exit(context_);  // the handle of the communicator stays: BLACS gives the same one to all grids
}

template <class T>
void Scalapack<T>::run(const T* A, const T* B, T* C) const {
  const auto& [m, n, k] = sizes_;
  const auto& d = descriptors_;
  const T one(1), zero(0);
  const int first = 1;
  gemm_("N", "N", &m, &n, &k, &one, A, &first, &first, d[0].data(), B, &first, &first, d[1].data(), &zero, C, &first,
        &first, d[2].data());
}

#define CAIRN_INSTANTIATE(T) template class Scalapack<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
