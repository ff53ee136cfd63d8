// Is a product right? A random test that costs O(n²), where computing the product again would cost O(n³).
#pragma once
#include "cairn/matrix.hpp"

namespace cairn {

class Comm;

struct CheckResult {
  /// Largest residual over its threshold, over all rows and rounds; at most 1 if the product is right. NaN or infinite
  /// if the matrices hold such numbers; NaN, too, if sums of products overflow even when divided by 2¹⁰⁰.
  double ratio = 0;
  int rounds = 0;
  double seconds = 0;
  bool passed() const { return ratio <= 1; }
};

/// Freivalds' test of C = alpha·op(A)·op(B) + beta·C0, the matrices in any layouts on `comm`. Multiplies both sides by
/// vectors x of random signs, the same in every run, in double precision, and compares row by row:
///
///   |alpha·op(A)·(op(B)·x) + beta·C0·x − C·x|ᵢ ≤ (c·(k + 5)·u + (2n + k + 10)·2⁻⁵³·c)·sᵢ,
///   s = |alpha|·|op(A)|·(|op(B)|·1) + |beta|·|C0|·1,   u the unit roundoff of T,   c = 1 (real) or 2
///   (complex, where |z| stands for |re z| + |im z|: then a dot product is real dot products of twice the length),
///
/// which bounds the rounding errors of any correct way to multiply (first term: a dot product of length k, in any order
/// [Higham, Accuracy and Stability of Numerical Algorithms, §3.1, §3.6]; second term: of the test itself) where nothing
/// underflows. A single wrong element is found for certain if it is wrong by more than twice the threshold of its row;
/// errors in one row that cancel escape one round with probability at most 1/2. Throws ArgumentError on every rank if
/// sizes do not fit, ranks differ in their arguments, `rounds` is below 1, a buffer is null or too short, or a layout
/// needs more ranks than `comm` has, or does not have each element once, or in copies along an axis of its grid. `C0`
/// may be null if beta is 0. Collective.
template <class T>
CheckResult freivalds(const Comm& comm, Op op_a, Op op_b, T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B,
                      T beta, const DistMatrix<T>* C0, const DistMatrix<T>& C, int rounds = 8);

}  // namespace cairn
