// Trace-resetting purification of fourth order [niklasson-2003]: from
// a linear function of the Hamiltonian in an orthogonal basis, by polynomials that take [0, 1] to itself and keep the
// trace, to a projector on as many states as asked for.
#include <complex>
#include <utility>

#include "base/scalars.hpp"
#include "functions/density.hpp"
#include "functions/iterations.hpp"

namespace cairn {

namespace {

// One polynomial of the sequence: x² if gamma is below 0, 2x − x² if it is above 6, else x²·(4x − 3x²) + gamma·x²·(1 −
// x)², which grows steadily on [0, 1] for 0 ≤ gamma ≤ 6.
constexpr double most = 6;
// McWeeny's 3x² − 2x³, the last polynomial: gamma is no more than noise by then, and x² or 2x − x² would square only
// what is off 0, or off 1.
constexpr double of_mcweeny = 3;
double polynomial(double gamma, double x) {
  const double square = x * x;
  if (gamma < 0) return square;
  if (gamma > most) return 2 * x - square;
  return square * (4 * x - 3 * square + gamma * (1 - x) * (1 - x));
}

// The eigenvalue between 0 and 1 of the first iterate that the sequence leaves halfway.
double halfway(const std::vector<double>& gammas) {
  double low = 0, high = 1;
  constexpr int bits = 60;
  for (int i = 0; i < bits; ++i) {
    const double middle = (low + high) / 2;
    double x = middle;
    for (double gamma : gammas) x = polynomial(gamma, x);
    (x < 0.5 ? low : high) = middle;
  }
  return (low + high) / 2;
}

template <class T>
class Purification {
 public:
  Purification(Products<T>& products, BlockSparse<T> F, Int states)
      : products_(products),
        spectrum_(spectrum_of(F)),
        states_(static_cast<double>(states)),
        X_(std::move(F)),
        square_(X_),
        work_(X_),
        held_(products, {&X_, &square_, &work_}) {
    X_.scale(static_cast<T>(-1 / spectrum_.width()));
    X_.add_to_diagonal(static_cast<T>(spectrum_.high / spectrum_.width()));
  }

  const BlockSparse<T>& run() {
    products_.begin("purification", "a gap above the states that are occupied");
    for (;;) {
      products_.multiply(T(1), X_, X_, T(0), square_);
      work_ = square_;
      work_.add(T(-1), X_);
      const double off = work_.norm(Norm::frobenius);
      const Residual residual = products_.residual_of_projector(work_);
      gammas_.push_back(residual.small ? of_mcweeny : gamma(off * off));
      advance(gammas_.back());
      if (products_.converged(residual, X_)) return X_;
    }
  }
  double chemical_potential() const { return spectrum_.high - halfway(gammas_) * spectrum_.width(); }

 private:
  // Such that the trace becomes the number of states: tr x²(4x − 3x²) + gamma·tr x²(1 − x)², the latter ‖X² − X‖².
  double gamma(double off) const {
    const double cube = std::real(X_.dot(square_)), fourth = std::real(square_.dot(square_));
    const double missing = states_ - (4 * cube - 3 * fourth);
    return off > 0 ? missing / off : 0;
  }
  void advance(double gamma) {
    if (gamma < 0) {
      std::swap(X_, square_);
    } else if (gamma > most) {
      X_.scale(T(2));
      X_.add(T(-1), square_);
    } else {
      work_ = square_;  // 4x − 3x² + gamma·(1 − 2x + x²)
      work_.scale(static_cast<T>(gamma - 3));
      work_.add(static_cast<T>(4 - 2 * gamma), X_);
      work_.add_to_diagonal(static_cast<T>(gamma));
      products_.multiply(T(1), square_, work_, T(0), X_);
    }
  }

  Products<T>& products_;
  const Spectrum spectrum_;
  const double states_;
  BlockSparse<T> X_, square_, work_;
  const typename Products<T>::Held held_;
  std::vector<double> gammas_;
};

}  // namespace

template <class T>
Occupied<T> purified(Products<T>& products, const BlockSparse<T>& H, const BlockSparse<T>& S, Int states) {
  const typename Products<T>::Held arguments(products, {&H, &S});
  const BlockSparse<T> Z = inverse_sqrt_of(products, S);
  const typename Products<T>::Held basis(products, {&Z});
  BlockSparse<T> F = products.product(Z, products.product(H, Z), Symmetry::hermitian);
  products.require("the first iterates", [&] { return 3 * words_of(F); });
  Purification<T> purification(products, std::move(F), states);
  BlockSparse<T> P = products.product(products.product(Z, purification.run()), Z, Symmetry::hermitian);
  return {std::move(P), purification.chemical_potential()};
}

#define CAIRN_INSTANTIATE(T) \
  template Occupied<T> purified(Products<T>&, const BlockSparse<T>&, const BlockSparse<T>&, Int);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
