// Factorise distributed matrices and solve with them over MPI.
// Element types: float, double, std::complex<float>, std::complex<double>.
#pragma once
#include <memory>
#include <string_view>

#include "cairn/factor_plan.hpp"
#include "cairn/matrix.hpp"
#include "cairn/report.hpp"

namespace cairn {

class Comm;

/// plan() for the ranks of a communicator, whatever problem.ranks says, and at the rates of the kernels that they use
/// if options.kernels is empty. Collective. Throws ArgumentError on every rank, with the first one's reason, if any
/// rank has no plan.
FactorPlan plan(const Comm& comm, FactoriseProblem problem, Options options = {});
FactorPlan plan(const Comm& comm, SolveProblem problem, Options options = {});

/// What planned factorisations and solves have in common.
template <class T>
class PlannedInPlace {
 public:
  const FactorPlan& plan() const;
  /// How words travel: as planned, unless the MPI library cannot.
  std::string_view transport() const;

 protected:
  PlannedInPlace(const Comm& comm, const FactorPlan& plan, bool factorises);
  ~PlannedInPlace();
  PlannedInPlace(PlannedInPlace&&) noexcept;
  PlannedInPlace& operator=(PlannedInPlace&&) noexcept;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A planned Cholesky factorisation made ready on a communicator, and run many times. Collective in all its members,
/// but not in giving it back.
template <class T>
class Factorisation : public PlannedInPlace<T> {
 public:
  /// Throws ArgumentError on every rank if the ranks' plans differ, or are for another number of ranks, another element
  /// type or another operation; MemoryError if any rank has no memory for its buffers.
  Factorisation(const Comm& comm, const FactorPlan& plan) : PlannedInPlace<T>(comm, plan, true) {}

  /// A = L·Lᴴ or Uᴴ·U: the factor takes the place of the triangle of A that the plan names; the other triangle
  /// stays as it is, bit by bit, and nothing that is in it matters. RunReport::info is LAPACK's, the same on all ranks:
  /// 0, or k if the leading minor of order k is not positive, or no number; then the triangle holds no factor. A is in
  /// layout_a() of the plan. Throws ArgumentError on every rank if any rank's matrix has another layout, a null or
  /// short buffer or a leading dimension that is too small, or above 2^31 - 1; RuntimeError if MPI fails.
  RunReport run(const DistMatrix<T>& A);
};

/// A planned solve with a triangle made ready on a communicator, and run many times. Likewise.
template <class T>
class TriangularSolve : public PlannedInPlace<T> {
 public:
  TriangularSolve(const Comm& comm, const FactorPlan& plan) : PlannedInPlace<T>(comm, plan, false) {}

  /// X of op(A)·X = alpha·B, or of X·op(A) = alpha·B, takes the place of B. The other triangle of A, and a diagonal of
  /// ones, are not read; alpha = 0 does not read A and B. RunReport::info is LAPACK's, the same on all ranks: 0, or k
  /// if element k of the diagonal is zero; then B is as it was. Errors as in Factorisation::run, and an ArgumentError
  /// if alpha differs between ranks.
  RunReport run(T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B);
};

/// The Cholesky factor of a Hermitian positive definite matrix, of which one triangle is given, in its place; returns
/// RunReport::info as Factorisation has it. Plans are cached with the communicator. Errors as in plan() and
/// Factorisation::run().
template <class T>
RunReport cholesky(const Comm& comm, Uplo triangle, const DistMatrix<T>& A, const Options& options = {});

/// X of op(A)·X = alpha·B (left) or X·op(A) = alpha·B (right) in the place of B, with A triangular. A and B must not
/// overlap. Likewise.
template <class T>
RunReport solve_triangular(const Comm& comm, Side side, Uplo triangle, Op op, Diag diag, T alpha,
                           const DistMatrix<T>& A, const DistMatrix<T>& B, const Options& options = {});

/// X of A·X = B in the place of B, with A Hermitian and positive definite; its factor takes the place of its triangle.
/// If RunReport::info is not 0 there is no factor, and B is as it was. The report adds up all parts; the algorithm and
/// the trace of `options` are those of the factorisation. What can be refused is refused before A changes. A and B must
/// not overlap.
template <class T>
RunReport solve_spd(const Comm& comm, Uplo triangle, const DistMatrix<T>& A, const DistMatrix<T>& B,
                    const Options& options = {});

}  // namespace cairn
