// ScaLAPACK's p?gemm, to compare with: loaded when it is asked for, so that nothing of Cairn is linked with it.
#pragma once
#include <array>

#include "cairn/comm.hpp"
#include "cairn/layout.hpp"
#include "cairn/types.hpp"

namespace cairn {

/// C = A·B by pdgemm (psgemm, pcgemm, pzgemm), m × k by k × n in square blocks dealt over pr × pc ranks.
template <class T>
class Scalapack {
 public:
  /// Collective. Throws RuntimeError, the same on all ranks, if this is not Open MPI, which Debian's
  /// libscalapack-openmpi is built for, or if that library cannot be loaded.
  Scalapack(const Comm& comm, Int m, Int n, Int k, Int pr, Int pc, Int block);
  ~Scalapack();
  Scalapack(const Scalapack&) = delete;
  Scalapack& operator=(const Scalapack&) = delete;

  const Layout& layout_a() const { return layouts_[0]; }
  const Layout& layout_b() const { return layouts_[1]; }
  const Layout& layout_c() const { return layouts_[2]; }
  /// This rank's parts, dense, by columns. Collective.
  void run(const T* A, const T* B, T* C) const;

 private:
  using Gemm = void(const char* op_a, const char* op_b, const int* m, const int* n, const int* k, const T* alpha,
                    const T* A, const int* ia, const int* ja, const int* desc_a, const T* B, const int* ib,
                    const int* jb, const int* desc_b, const T* beta, T* C, const int* ic, const int* jc,
                    const int* desc_c);

  Comm comm_;
  Gemm* gemm_ = nullptr;
  std::array<int, 3> sizes_{};
  int context_ = 0;
  std::array<Layout, 3> layouts_;
  std::array<std::array<int, 9>, 3> descriptors_{};
};

}  // namespace cairn
