// Density matrices at a chemical potential, and the bisection for the one that occupies so many states.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "functions/density.hpp"
#include "functions/iterations.hpp"

namespace cairn {

namespace {

template <class T>
class Bisection {
 public:
  Bisection(Products<T>& products, DensityMethod method, const BlockSparse<T>& H, const BlockSparse<T>& S, double unit)
      : products_(products),
        method_(method),
        unit_(unit),
        S_(S),
        arguments_(products, {&H, &S}),
        basis_(method == DensityMethod::sign ? inverse_sqrt_of(products, S) : inverse_of(products, S)),
        A_(in_basis(H)),
        X_(copy_of_a()),
        held_(products, {&basis_, &A_, &X_}),
        // NOLINTNEXTLINE(clang-analyzer-optin.cplusplus.UninitializedObject): what products return is whole
        spectrum_(spectrum_of(A_)) {}

  // At a chemical potential as the caller gave it.
  Occupied<T> at(double asked) {
    const double mu = asked / unit_;
    if (S_.m() > 0 && !(mu > spectrum_.low && mu < spectrum_.high))
      throw ArgumentError(fmt::format("chemical potential: {}, expected one within the spectrum, from {:.6g} to {:.6g}",
                                      asked, told(spectrum_.low), told(spectrum_.high)));
    const double found = occupy(mu), all = static_cast<double>(S_.m());
    if (all > 0 && !(found > most_off && found < all - most_off))
      throw ArgumentError(
          fmt::format("chemical potential: {}, expected one within the spectrum: {} of {} states lie "
                      "below it",
                      asked, found < most_off ? 0 : S_.m(), S_.m()));
    return {density(), mu};
  }

  Occupied<T> of_states(Int states) {
    double low = spectrum_.low, high = spectrum_.high;
    const double wanted = static_cast<double>(states);
    bool was_right = false;
    for (int i = 0; i < most; ++i) {
      const double mu = states == 0 ? low : states == S_.m() ? high : low + (high - low) / 2;
      const Count found = count_below(mu);
      const bool right = std::abs(found.states - wanted) < most_off;
      if (right && found.trouble.empty()) return {density(), mu};
      if (!found.trouble.empty()) {
        require_decided(found, states, mu);
        // The count is right, but an energy next to mu kept the iteration from converging. Another mu is farther from
        // it; if that was tried already, there is no hope.
        if ((right && was_right) || mu <= low || mu >= high) throw ConvergenceError(found.trouble);
        was_right = right;
      }
      (found.states < wanted ? low : high) = mu;
    }
    throw ConvergenceError(fmt::format(
        "electrons: no chemical potential gives {}, fewer below {:.9g} and more above {:.9g}: the states there have "
        "the same energy",
        2 * states, told(low), told(high)));
  }

 private:
  static constexpr const char* no_energy = "no energy at the chemical potential";
  static constexpr int most = 50;           // as many bits
  static constexpr double most_off = 0.25;  // states; half an electron

  // An energy as the caller knows it.
  double told(double energy) const { return unit_ * energy; }

  // States below mu. If the iteration did not converge, trouble says so, and they are off by `doubt` at most.
  struct Count {
    double states = 0, doubt = 0;
    std::string trouble{};
  };
  Count count_below(double mu) {
    try {
      return {occupy(mu)};
    } catch (const ConvergenceError& e) {
      if (!products_.exhausted()) throw;
      return in_doubt(e.what());
    }
  }
  // Of the last iterate. A state of which it has the share p, from 0 to 1, is occupied in the end if p > ½; that
  // differs from p by min(p, 1 − p) ≤ 2p(1 − p).
  Count in_doubt(std::string trouble) const {
    const double all = static_cast<double>(S_.m()), trace = std::real(X_.trace()),
                 of_square = std::real(X_.dot(X_.transposed(Op::adjoint)));
    if (method_ == DensityMethod::sign) return {(all - trace) / 2, (all - of_square) / 2, std::move(trouble)};
    return {trace, 2 * (trace - of_square), std::move(trouble)};
  }
  // That `states` are fewer than those below mu, or more, whichever way those in doubt are counted.
  void require_decided(const Count& found, Int states, double mu) const {
    const double least = found.states - found.doubt + most_off, greatest = found.states + found.doubt - most_off;
    if (const auto wanted = static_cast<double>(states); !(wanted > least && wanted < greatest)) return;
    throw ConvergenceError(fmt::format(
        "electrons: no chemical potential gives {}: from {:.0f} to {:.0f} states lie below {:.9g}, and those in doubt "
        "have the same energy or need more iterations ({})",
        2 * states, std::floor(least), std::ceil(greatest), told(mu), found.trouble));
  }

  // S^(-½)·H·S^(-½), or S⁻¹·H.
  BlockSparse<T> in_basis(const BlockSparse<T>& H) {
    if (method_ != DensityMethod::sign) return products_.product(basis_, H);
    return products_.product(basis_, products_.product(H, basis_), Symmetry::hermitian);
  }
  // If it fits beside A and the basis.
  BlockSparse<T> copy_of_a() const {
    products_.require("the first iterates", [&] { return words_of(basis_) + 2 * words_of(A_); });
    return A_;
  }
  // X becomes the projector on what is below mu, in the basis or as P/2; returns how many states that are. If no
  // iteration is left X is that of the sign, or PS.
  double occupy(double mu) {
    X_ = A_;
    return method_ == DensityMethod::sign ? by_sign(mu) : by_mcweeny(mu);
  }
  double by_sign(double mu) {
    X_.add_to_diagonal(static_cast<T>(-mu));
    to_sign(products_, X_, no_energy);
    X_.scale(T(-0.5));
    X_.add_to_diagonal(T(0.5));
    return std::real(X_.trace());
  }
  // P ← 3PSP − 2PSPSP. X is PS, which says how far P is off whatever the basis; X² − X = (PSP − P)·S has few blocks in
  // the end.
  double by_mcweeny(double mu) {
    const double slope = std::min(0.5 / (spectrum_.high - mu), 0.5 / (mu - spectrum_.low));
    X_.scale(static_cast<T>(-slope));
    X_.add_to_diagonal(static_cast<T>(0.5 + slope * mu));
    BlockSparse<T> P = products_.product(X_, basis_, Symmetry::hermitian), PSP = P, off = P, E = X_;
    const typename Products<T>::Held held(products_, {&P, &PSP, &off, &E});
    products_.begin("purification", no_energy, Growth::at_first);
    for (;;) {
      products_.multiply(T(1), P, S_, T(0), X_);
      products_.multiply(T(1), X_, P, T(0), PSP);
      off = PSP;
      off.add(T(-1), P);
      products_.multiply(T(1), off, S_, T(0), E);
      const Residual residual = products_.residual_of_projector(E);
      P = PSP;
      products_.multiply(T(-2), X_, PSP, T(3), P);
      if (products_.converged(residual, P)) break;
    }
    X_ = std::move(P);
    return std::real(X_.dot(S_));
  }
  BlockSparse<T> density() {
    if (method_ != DensityMethod::sign) return std::move(X_);
    return products_.product(products_.product(basis_, X_), basis_, Symmetry::hermitian);
  }

  Products<T>& products_;
  const DensityMethod method_;
  const double unit_;
  const BlockSparse<T>& S_;
  const typename Products<T>::Held arguments_;
  const BlockSparse<T> basis_, A_;  // S^(-½) for the sign, S⁻¹ for McWeeny's
  BlockSparse<T> X_;
  const typename Products<T>::Held held_;
  const Spectrum spectrum_;
};

}  // namespace

template <class T>
Occupied<T> occupied_below(Products<T>& products, DensityMethod method, const BlockSparse<T>& H,
                           const BlockSparse<T>& S, std::optional<Int> states, double mu, double unit) {
  Bisection<T> bisection(products, method, H, S, unit);
  return states ? bisection.of_states(*states) : bisection.at(mu);
}

#define CAIRN_INSTANTIATE(T)                                                                                     \
  template Occupied<T> occupied_below(Products<T>&, DensityMethod, const BlockSparse<T>&, const BlockSparse<T>&, \
                                      std::optional<Int>, double, double);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
