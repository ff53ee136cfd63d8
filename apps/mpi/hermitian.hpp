// Matrices of which one triangle counts: whether the other is its mirror image, and what the whole is.
#pragma once
#include <string>

#include "cairn/comm.hpp"
#include "cairn/matrix.hpp"

namespace cairn::app {

/// Throws FileError on all ranks unless A is Hermitian but for rounding: no element differs from its mirror image by
/// more than n·ε times the largest finite one; infinity and NaN must be alike. `name` is what A was read from.
/// Collective; takes as much memory as A again, and what redistributing it takes.
template <class T>
void require_hermitian(const Comm& comm, const std::string& name, const DistMatrix<T>& A);

/// Throws FileError on all ranks if an element of that triangle is NaN or infinite, imaginary parts of the diagonal
/// apart, which nobody reads. Collective.
template <class T>
void require_finite(const Comm& comm, const std::string& name, Uplo triangle, const DistMatrix<T>& A);

/// The Hermitian matrix that a triangle of A stands for, in A's layout. Collective.
template <class T>
DistMatrix<T> completed(const Comm& comm, Uplo triangle, const DistMatrix<T>& A);

/// A itself, or in another layout if ranks share some of its elements: each element is held once. Collective.
template <class T>
DistMatrix<T> each_once(const Comm& comm, const DistMatrix<T>& A);

/// ‖B − A·X‖ / (‖A‖·‖X‖·n·ε), the largest of any column, with the largest row sum of A and the largest elements of the
/// vectors as norms; 0 where B is A·X exactly. A backward stable solution has a few at most [HPL takes 16 for wrong,
/// with ‖B‖ beside ‖A‖·‖X‖]. B becomes B − A·X. Collective.
template <class T>
double scaled_residual(const Comm& comm, const DistMatrix<T>& A, const DistMatrix<T>& X, const DistMatrix<T>& B);

}  // namespace cairn::app
