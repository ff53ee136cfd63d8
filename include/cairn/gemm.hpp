// Multiply distributed matrices over MPI. Element types: float, double, std::complex<float>, std::complex<double>.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "cairn/matrix.hpp"
#include "cairn/options.hpp"
#include "cairn/plan.hpp"
#include "cairn/report.hpp"

namespace cairn {

class Comm;

/// plan() for the ranks of a communicator, whatever problem.ranks says, and at the rates of the kernels that they use
/// if options.kernels is empty. For long products on one node the node is measured, once, to choose the transport
/// (docs/node_shared.md). Collective. Throws ArgumentError on every rank, with the first one's reason, if any
/// rank has no plan.
Plan plan(const Comm& comm, GemmProblem problem, Options options = {});

/// A plan made ready on a communicator: buffers, datatypes and offsets are settled once, then run many times.
/// Collective in all its members, but not in giving it back. Same inputs and same plan give the same bits, except that
/// one-sided transport adds up the ranks' parts of a sum in whatever order they come.
template <class T>
class Multiplication {
 public:
  /// Throws ArgumentError on every rank if the ranks' plans differ, or are for another number of ranks or element type,
  /// or if BLAS, whose integers have 32 bits, would meet more than 2^31 - 1 rows or columns on a rank; MemoryError if
  /// any rank has no memory for its buffers.
  Multiplication(const Comm& comm, Plan plan);
  ~Multiplication();
  Multiplication(Multiplication&&) noexcept;
  Multiplication& operator=(Multiplication&&) noexcept;

  /// C = alpha·op(A)·op(B) + beta·C with BLAS's rules: beta = 0 never reads C, alpha = 0 never reads A and B. The
  /// matrices are in the plan's layouts: layout_a(), layout_b(), layout_c().
  /// Throws ArgumentError on every rank if any rank's matrix has another layout, a null or short buffer or a leading
  /// dimension that is too small, or above 2^31 - 1, or if alpha or beta differ between ranks; RuntimeError, with the
  /// step's label, if MPI fails. C is as it was after an ArgumentError, unless beta = 0: then it may hold anything.
  RunReport run(T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B, T beta, const DistMatrix<T>& C);

  /// The same for callers whose ranks have compared their arguments already: nothing is looked at, neither layouts and
  /// buffers here nor whether the ranks agree on alpha and beta. Saves a reduction over all ranks.
  RunReport run_agreed(T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B, T beta, const DistMatrix<T>& C);

  /// Carry out only a part in later runs, to measure what it costs: C is then meaningless. The same on all ranks.
  void restrict_to(RunPart part);

  /// Matrices in the plan's layouts, where the transport likes them best. With node-shared, A and B lie in memory that
  /// all ranks of a node read, and nothing is copied within a node, if other ranks need them as they are: all calls
  /// then return the same memory, zero at the first, which lives as long as a matrix or this object, and the
  /// communicator, does. It is read by run() on other ranks too: write to it only between runs. Otherwise, and for C
  /// always, each call is DistMatrix::own. Collective.
  DistMatrix<T> own_a();
  DistMatrix<T> own_b();
  DistMatrix<T> own_c();

  const Plan& plan() const;
  /// How words travel: as planned, unless the MPI library cannot.
  std::string_view transport() const;
  /// Why not the transport that was asked for, the same on all ranks; empty if it is in use.
  const std::string& obstacle() const;
  const Comm& comm() const;
  /// What this rank will receive, compute and hold with this transport and these nodes.
  const Count& count() const;
  /// Words of the buffers that this rank's plan needs; with its parts of A, B and C, count().peak_words. All plans of a
  /// communicator share them: together they take what the largest needs.
  /// With node-shared this rank's share of the memory of its node, allocated by the first run, and less with own_a()
  /// and own_b().
  Int arena_words() const;
  /// About as many bytes of memory as this takes while it does not run, beside the buffers that all plans share: the
  /// most of any rank, told alike by all.
  Int bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// C = alpha·op(A)·op(B) + beta·C with the matrices where they are; C must not overlap with A or B. Plans are cached
/// with the communicator (least recently used), so repeated products of the same shape and layouts plan once. Errors as
/// in plan() and Multiplication::run().
template <class T>
RunReport gemm(const Comm& comm, Op op_a, Op op_b, T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B, T beta,
               const DistMatrix<T>& C, const Options& options = {});

/// C = A·B.
template <class T>
RunReport multiply(const Comm& comm, const DistMatrix<T>& A, const DistMatrix<T>& B, const DistMatrix<T>& C,
                   const Options& options = {}) {
  return gemm<T>(comm, Op::none, Op::none, T(1), A, B, T(0), C, options);
}

}  // namespace cairn
