// Products of one computation, filtered alike, counted and told of iteration by iteration.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "cairn/matrix_functions.hpp"

namespace cairn {

/// Whether residuals of an iteration that converges may grow first. They are of matrices that have no orthogonal
/// eigenvectors then: eigenvalues go to their limits steadily, but the norm can be larger than all of them.
enum class Growth : std::uint8_t { none, at_first };

/// How far an iterate of order n is off, as E says, which goes to zero.
struct Residual {
  double mean = 0;     ///< ‖E‖_F/√n, about the size of E's eigenvalues
  bool small = false;  ///< the square of the mean no longer counts, and of no eigenvalue is as much as a quarter left
};

/// What the residual of a projector X is of X² − X: it is that of 1 − 2X as a sign, whose E is 1 − (1 − 2X)².
constexpr double of_projector = 4;

template <class T>
class Products {
 public:
  using Matrix = BlockSparse<T>;
  Products(const Comm& comm, const FunctionOptions& options) : comm_(comm), options_(options) {}

  const FunctionOptions& options() const { return options_; }
  /// Throws MemoryError on every rank unless `what`, of which words() are this rank's, fits beside the matrices that
  /// are held. Collective if there is a limit.
  template <class Words>
  void require(const char* what, Words words) const {
    if (options_.memory_words) require_room(what, words());
  }

  /// C = alpha·A·B + beta·C.
  void multiply(T alpha, const Matrix& A, const Matrix& B, T beta, Matrix& C);
  /// A·B, where A is; stored as Hermitian where it is known to be.
  Matrix product(const Matrix& A, const Matrix& B, Symmetry symmetry = Symmetry::general);

  /// The iterations that follow are those of `stage`; if they do not converge, `expected` says what may be wrong.
  void begin(std::string stage, std::string expected, Growth growth = Growth::none);
  /// Of factor·E.
  Residual residual_of(const Matrix& E, double factor = 1) const;
  /// Of X where `off` is X² − X, with X = P·S or the same in the basis of S^(-½).
  Residual residual_of_projector(const Matrix& off) const { return residual_of(off, of_projector); }
  /// Ends an iteration: what was done since the last has led to `iterate`; `residual` is that of the iterate before,
  /// its mean.
  void note(double residual, const Matrix& iterate);
  /// Whether that was the last, as the residual is small. Throws ConvergenceError if there is no hope, or no iteration
  /// is left.
  bool converged(const Residual& residual, const Matrix& iterate);
  /// Whether the residuals of this stage are no longer those of its iteration, which would have made the last one much
  /// smaller, but of rounding errors or the filter.
  bool stagnates() const;
  /// Throws ConvergenceError if S has elements, and `norm`, a norm of it, is 0.
  void require_nonzero(double norm, const Matrix& S) const;
  /// Throws ConvergenceError if of `all` blocks, which cannot be zero, only so many are `there`; both of this rank.
  void require_kept(Int there, Int all) const;
  /// Whether this stage ended as no iteration was left.
  bool exhausted() const { return exhausted_; }

  std::vector<Iteration> take() { return std::move(iterations_); }

  /// Matrices that count against the memory while this lives.
  class Held {
   public:
    Held(Products& products, std::initializer_list<const Matrix*> matrices)
        : products_(products), before_(products.held_.size()) {
      for (const Matrix* x : matrices) products.held_.push_back(x);
    }
    ~Held() { products_.held_.resize(before_); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

   private:
    Products& products_;
    std::size_t before_;
  };

 private:
  void require_room(const char* what, Int words) const;
  Int held_but(const std::set<const Matrix*>& others) const;
  Iteration since_the_last(double residual, const Matrix& iterate);
  std::string residuals() const;

  const Comm& comm_;
  const FunctionOptions& options_;
  std::vector<const Matrix*> held_;
  std::string stage_, expected_;
  Growth growth_ = Growth::none;
  bool exhausted_ = false;
  std::vector<Iteration> iterations_;
  std::size_t begun_ = 0;  // iterations before this stage
  // since the last iteration, of this rank
  Int products_ = 0;
  double flops_ = 0, received_ = 0, predicted_ = 0, seconds_ = 0;
};

/// Of this rank's blocks.
template <class T>
Int words_of(const BlockSparse<T>& A) {
  return static_cast<Int>(A.local().values.size());
}

/// ‖X‖_F/√n of a matrix of order n: about the size of its eigenvalues.
template <class T>
double root_mean_square(const BlockSparse<T>& X);

}  // namespace cairn
