// The vocabulary shared by every header: sizes, index ranges, scalar types.
#pragma once
#include <algorithm>
#include <compare>
#include <complex>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace cairn {

/// Every size, index, count of words and count of messages. Checked when handed to MPI or BLAS.
using Int = std::int64_t;

/// Half-open interval [lo, hi) of global indices.
struct Range {
  Int lo = 0, hi = 0;
  Int size() const { return std::max<Int>(0, hi - lo); }
  bool empty() const { return hi <= lo; }
  auto operator<=>(const Range&) const = default;
};

inline Range intersect(Range a, Range b) { return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)}; }

/// Piece `i` of `r` cut evenly into `parts`; the first size % parts pieces are one longer.
inline Range piece(Range r, Int parts, Int i) {
  const Int each = r.size() / parts, longer = r.size() % parts;
  const Int lo = r.lo + i * each + std::min(i, longer);
  return {lo, lo + each + (i < longer ? 1 : 0)};
}

/// Ordered list of disjoint, non-empty intervals. The order is the order of local storage: the
/// local index of an element is the number of elements listed before it.
class IndexSet {
 public:
  IndexSet() = default;
  IndexSet(Range r) : first_(r.empty() ? Range{} : r), size_(r.size()) {}
  IndexSet(std::initializer_list<Range> pieces) {
    for (Range r : pieces) push_back(r);
  }

  /// Append an interval (dropped if empty, merged if it continues the last one).
  void push_back(Range r);
  Int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// As long as this set is there and stays as it is.
  std::span<const Range> pieces() const {
    return several_.empty() ? std::span(&first_, size_ > 0 ? 1 : 0) : std::span(several_);
  }
  /// The elements of both, in the order of this set.
  IndexSet intersect(const IndexSet& other) const;
  /// Whether there are elements of both.
  bool meets(const IndexSet& other) const;
  /// Those that the other has not, in the order of this set.
  IndexSet without(const IndexSet& other) const;
  /// Local index of global index `g`, or -1.
  Int local(Int g) const;
  bool contains(const IndexSet& other) const;
  bool operator==(const IndexSet&) const = default;

 private:
  // Nearly all sets are one interval, which needs no memory of its own.
  Range first_;
  std::vector<Range> several_;  // all of them, if there is more than one
  Int size_ = 0;
};

/// Storage order of a local part: columns contiguous (as in Fortran and LAPACK) or rows contiguous.
enum class Order : std::uint8_t { col, row };

/// What is done to an operand before it is used, as in BLAS: nothing, transpose, conjugate transpose.
enum class Op : std::uint8_t { none, transpose, adjoint };

/// What a matrix A is known to be, so that one of its triangles says all: A = Aᵀ, A = −Aᵀ or A = Aᴴ.
enum class Symmetry : std::uint8_t { general, symmetric, antisymmetric, hermitian };

/// Which elements (i, j) of a matrix count, by their global indices: LAPACK's UPLO.
enum class Uplo : std::uint8_t {
  full,
  lower,  ///< i ≥ j
  upper   ///< i ≤ j
};
/// Whether a triangular matrix stands on the left or on the right of what is solved for.
enum class Side : std::uint8_t { left, right };
/// Whether the diagonal of a triangular matrix is stored, or is all ones and not read.
enum class Diag : std::uint8_t { stored, unit };

/// Scalar types of matrix elements. One word is one element of the type at hand.
enum class ScalarType : std::uint8_t { float32, float64, complex64, complex128 };

template <class T>
inline constexpr ScalarType scalar_type_of = ScalarType::float64;
template <>
inline constexpr ScalarType scalar_type_of<float> = ScalarType::float32;
template <>
inline constexpr ScalarType scalar_type_of<std::complex<float>> = ScalarType::complex64;
template <>
inline constexpr ScalarType scalar_type_of<std::complex<double>> = ScalarType::complex128;

/// Bytes of one element.
Int size_of(ScalarType type);
/// "float32", "float64", "complex64" or "complex128" (NumPy's names).
std::string_view name_of(ScalarType type);

}  // namespace cairn
