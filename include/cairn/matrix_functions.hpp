// Functions of block-sparse matrices, by iterations of products that leave out what is small, up to the density matrix
// of electronic structure. Element types: float, double, std::complex<float>, std::complex<double>.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/block_sparse.hpp"
#include "cairn/error.hpp"

namespace cairn {

/// There is no result: an iteration does not converge, or no chemical potential parts so many electrons from the rest.
/// The message has the residuals, or the energies.
class ConvergenceError : public RuntimeError {
 public:
  using RuntimeError::RuntimeError;
};

/// What an iteration did, the same on all ranks.
struct Iteration {
  std::string stage;         ///< "inverse", "sign", …
  int number = 1;            ///< in its stage
  double residual = 0;       ///< of the iterate before it, see each function; the last is below √eps
  double occupancy = 0;      ///< of the iterate after it
  Int products = 0;          ///< of matrices
  Int flops = 0;             ///< of all ranks
  double received = 0;       ///< words, the mean of the ranks; so is `predicted`
  double predicted = 0;      ///< see BlockProductReport
  double most_received = 0;  ///< words of the rank that received most
  double seconds = 0;        ///< of the slowest rank
};

struct FunctionOptions {
  /// Of every product, see BlockProductOptions; an iteration ends once the square of its residual is below this, and
  /// below 1/16, and no eigenvalue of E, of which the residual is the norm, is above ¼. If it is too small for the
  /// element type, rounding errors decide.
  double eps = 1e-6;
  /// Of the iterations for inverse, inverse square root and sign: errors shrink to their `order`th power, with `order`
  /// products, or one more for the inverse square root. 2 to 7.
  int order = 2;
  /// ConvergenceError with the residuals beyond.
  int max_iterations = 100;
  /// Words that a rank may hold at most, arguments and results included.
  std::optional<Int> memory_words{};
  /// Called after each iteration on every rank that has one. If it throws on any rank, the iteration ends on all: a
  /// rank where it did throws the same, and the others throw RuntimeError, which says what the first such rank threw.
  std::function<void(const Iteration&)> watch{};
};

/// A result and how it came about.
template <class T>
struct Iterated {
  BlockSparse<T> value;
  std::vector<Iteration> iterations{};
};

// All are collective; arguments stay as they are. They throw, the same on all ranks, ArgumentError for options out of
// range and matrices that are not square, have other blocks in their rows than in their columns, or hold NaN or
// infinity; MemoryError; and ConvergenceError. n is the order.

/// S⁻¹ of a Hermitian positive definite matrix: X ← X·(1 + R + R² + …), R = 1 − S·X, of residual ‖R‖_F/√n, from X =
/// 1/‖S‖, with S divided by a power of two that makes its largest element about 1. [hotelling-1943]
template <class T>
Iterated<T> inverse(const BlockSparse<T>& S, const FunctionOptions& options = {});

/// S^(-½) of a Hermitian positive definite matrix, by the coupled iteration of Newton and Schulz for it and S^½; the
/// residual is ‖1 − S^(-½)·S^½‖_F/√n. [higham-2008 (6.35)]
template <class T>
Iterated<T> inverse_sqrt(const BlockSparse<T>& S, const FunctionOptions& options = {});

/// The matrix with A's eigenvectors that has the eigenvalue 1 where A's is positive, -1 where it is negative; A's are
/// real. X ← X·(1 + E/2 + 3E²/8 + …), E = 1 − X², the residual ‖E‖_F/√n, from A/min(‖A‖_F, ‖A‖); of order 2 this is
/// ½X·(3 − X²). [higham-2008 (5.29)]
/// Where eigenvectors are far from orthogonal, residuals grow before they shrink.
template <class T>
Iterated<T> sign(const BlockSparse<T>& A, const FunctionOptions& options = {});

/// How a density matrix is found. Their residuals are ‖1 − X²‖_F/√n of the sign X = 1 − P·S, which is 1 − S^½·P·S^½ in
/// the basis of S^(-½). eps is meant for an S with a largest element of about 1: others count as if a power of two had
/// made it so. An H whose elements are smaller does, too; a larger one counts as it is.
enum class DensityMethod : std::uint8_t {
  sign,     ///< P = Z·(1 − sign(Z·H·Z − µ))·Z with Z = S^(-½) [vandevondele-2012]
  mcweeny,  ///< P/2 ← 3QSQ − 2QSQSQ with Q = P/2 [mcweeny-1960]
  trs4,     ///< trace-resetting purification of fourth order in the basis of S^(-½) [niklasson-2003]
};
/// "sign", "mcweeny", "trs4".
const char* name_of(DensityMethod method);
/// The one of that name, if there is one.
std::optional<DensityMethod> density_method_named(std::string_view name);

struct DensityOptions : FunctionOptions {
  /// If not said: trs4 where electrons are given, sign for a chemical potential, which trs4 cannot take.
  std::optional<DensityMethod> method{};
};

/// In closed shells: an even number.
struct Electrons {
  Int count = 0;
};
/// Halfway between energies, say, in the unit of H.
struct ChemicalPotential {
  double energy = 0;
};

/// P = 2·Σ c·cᴴ, exactly Hermitian, over the eigenvectors c of H·c = E·S·c with cᴴSc = 1 and the lowest energies E: PSP
/// = 2P.
template <class T>
struct DensityMatrix {
  BlockSparse<T> P;
  DensityMethod method = DensityMethod::sign;
  double electrons = 0;           ///< tr(PS)
  double band_energy = 0;         ///< tr(PH), of all electrons
  double chemical_potential = 0;  ///< above the energies that are occupied, below the others
  double idempotency = 0;         ///< ‖PSP/2 − P‖_F/‖P‖_F before the last step, which squares it
  std::vector<Iteration> iterations{};
};

/// Of a Hermitian H and a Hermitian positive definite S, in the same blocks; P lies as S does. For a number of
/// electrons sign and mcweeny bisect the chemical potential; one that is an energy takes max_iterations, and then a
/// bisection goes on by how many states lie below it and how many do not. All end with a step of McWeeny's, unless P is
/// no farther off than rounding errors. Beside what all functions throw: ArgumentError for a number of electrons that
/// is odd or more than the states hold, a chemical potential outside of the spectrum; ConvergenceError if no chemical
/// potential parts so many electrons from the rest.
template <class T>
DensityMatrix<T> density_matrix(const BlockSparse<T>& H, const BlockSparse<T>& S, Electrons electrons,
                                const DensityOptions& options = {});
template <class T>
DensityMatrix<T> density_matrix(const BlockSparse<T>& H, const BlockSparse<T>& S, ChemicalPotential mu,
                                const DensityOptions& options = {});

}  // namespace cairn
