// ScaLAPACK's p?gemm, to compare with: loaded when it is asked for, so that nothing of Cairn is linked with it.
#pragma once
#include <memory>

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
  Scalapack(Scalapack&&) noexcept;

  Layout layout_a() const;
  Layout layout_b() const;
  Layout layout_c() const;
  /// This rank's parts, dense, by columns. Collective.
  void run(const T* A, const T* B, T* C) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
