// Bring a matrix from one layout to another over MPI, transposed, conjugated and scaled on the way.
// Element types: float, double, std::complex<float>, std::complex<double>.
#pragma once
#include <memory>

#include "cairn/matrix.hpp"
#include "cairn/plan.hpp"
#include "cairn/report.hpp"

namespace cairn {

class Comm;

/// What `rank` of `ranks` will receive when op(A) changes from layout `a` to layout `b`, and hold meanwhile. No word is
/// sent to a rank that holds it already; from each rank that has something comes one message. Needs no matrices. Throws
/// ArgumentError as Redistribution does.
Count count_redistribution(Op op, const Layout& a, const Layout& b, Int ranks, Int rank);

/// `b` with its parts on those of `ranks` ranks on which the fewest words of op(A) must be moved to get there: for a
/// matrix of which it does not matter which rank holds which part. Throws ArgumentError as Redistribution does.
Layout relabelled(Op op, const Layout& a, const Layout& b, Int ranks);

/// B = alpha·op(A) + beta·B between two layouts, made ready once and run many times. Collective in all its members, but
/// not in giving it back. Buffers of messages are shared with all plans of the communicator.
template <class T>
class Redistribution {
 public:
  /// Throws ArgumentError on every rank if the ranks' arguments differ, op(a) and b are not of one size, a layout needs
  /// more ranks than the communicator has, or `a` holds some element twice on ranks that are not copies of each other;
  /// MemoryError if any rank cannot allocate what it sends and receives.
  Redistribution(const Comm& comm, Op op, const Layout& a, const Layout& b);
  ~Redistribution();
  Redistribution(Redistribution&&) noexcept;
  Redistribution& operator=(Redistribution&&) noexcept;

  /// B = alpha·op(A) + beta·B: beta = 0 never reads B, alpha = 0 never reads A. Elements of B that several ranks hold
  /// are updated on each. A and B must not overlap. Throws ArgumentError on every rank if any rank's matrix has another
  /// layout, a null or short buffer or too small a leading dimension, or if alpha or beta differ between ranks;
  /// RuntimeError if MPI fails.
  RunReport run(T alpha, const DistMatrix<T>& A, T beta, const DistMatrix<T>& B);

  /// What this rank receives in every run, unless alpha is 0.
  const Count& count() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  template <class U>
  friend RunReport redistribute(const Comm&, Op, U, const DistMatrix<U>&, U, const DistMatrix<U>&);
};

/// B = alpha·op(A) + beta·B with the matrices where they are. What depends only on the layouts is cached with the
/// communicator (least recently used). Errors as in Redistribution.
template <class T>
RunReport redistribute(const Comm& comm, Op op, T alpha, const DistMatrix<T>& A, T beta, const DistMatrix<T>& B);

/// B = A.
template <class T>
RunReport redistribute(const Comm& comm, const DistMatrix<T>& A, const DistMatrix<T>& B) {
  return redistribute<T>(comm, Op::none, T(1), A, T(0), B);
}

}  // namespace cairn
