// What follows from the blocks (i, j) with i <= j of a matrix that is symmetric, antisymmetric or Hermitian.
#pragma once
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>

#include "base/scalars.hpp"
#include "local/sparse/blocks_view.hpp"

namespace cairn {

/// A real matrix that is Hermitian is symmetric.
template <class T>
constexpr Symmetry of_type(Symmetry symmetry) {
  return std::is_floating_point_v<T> && symmetry == Symmetry::hermitian ? Symmetry::symmetric : symmetry;
}

/// The element of op of the matrix at the place of its element x, for a matrix of that symmetry.
template <class T>
T operated(Op op, Symmetry symmetry, T x) {
  if (op == Op::none) return x;
  const T transposed = mirrored(symmetry, x);
  return op == Op::adjoint ? conjugated(transposed) : transposed;
}

/// What is wrong with a number that Hermitian matrices are multiplied with, or get on their diagonal.
template <class T>
std::optional<std::string> unless_real(const char* name, Symmetry symmetry, T x) {
  if (symmetry != Symmetry::hermitian || std::imag(x) == 0) return {};
  return std::string(name) + ": a complex number, expected a real one for a matrix that is Hermitian";
}

/// The same blocks of op of the matrix.
template <class T>
Blocks<T> operated(Op op, Symmetry symmetry, Blocks<T> upper);

/// The blocks of op of the matrix within these rows and columns: those of `upper`, and their mirror images. Values come
/// in the order of rows, and are put to memory(how many there are).
template <class T>
BlockPattern whole(Op op, Symmetry symmetry, const BlocksView<T>& upper, BlockRange rows, BlockRange cols,
                   const std::function<T*(Int)>& memory);

/// How far elements are from those that they should equal: sums of squares in a unit in which what is as large as
/// `largest` neither overflows nor vanishes. What is not finite is off by infinity, or by NaN, unless the other one is
/// the same, and does not count among what there is.
class OffSymmetry {
 public:
  explicit OffSymmetry(double largest);
  template <class T>
  void add(T x, T expected) {
    add_real(std::real(x), std::real(expected));
    if constexpr (!std::is_floating_point_v<T>) add_real(std::imag(x), std::imag(expected));
  }
  /// Of the differences, and of the elements.
  std::array<double, 2> squares{};
  /// Frobenius's norm of the differences over that of the elements; 0 if nothing differs.
  double ratio() const { return squares[0] == 0 ? 0 : std::sqrt(squares[0] / squares[1]); }
  /// Whether it is `closeness` at most. NaN is not.
  bool within(double closeness) const { return squares[0] <= closeness * closeness * squares[1]; }

 private:
  void add_real(double x, double expected);
  double scale_;
};

/// Of a block on the diagonal and its mirror image.
template <class T>
OffSymmetry off_symmetry(Symmetry symmetry, const T* block, Int order);

/// A block on the diagonal becomes the mean of itself and its mirror image, which has the symmetry exactly.
template <class T>
void make_exact(Symmetry symmetry, T* block, Int order);
/// All of those on the diagonal.
template <class T>
void make_exact(Symmetry symmetry, Blocks<T>& blocks);

}  // namespace cairn
