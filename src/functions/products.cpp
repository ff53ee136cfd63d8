#include "functions/products.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <set>

#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

template <class T>
void Products<T>::multiply(T alpha, const Matrix& A, const Matrix& B, T beta, Matrix& C) {
  BlockProductOptions options{.filter_eps = options_.eps};
  const Int beside = options_.memory_words ? over_ranks(comm_, MPI_MAX, held_but({&A, &B, &C})) : 0;
  if (options_.memory_words) options.memory_words = std::max<Int>(0, *options_.memory_words - beside);
  try {
    const BlockProductReport did = cairn::multiply(Op::none, Op::none, alpha, A, B, beta, C, options);
    ++products_;
    flops_ += static_cast<double>(did.flops), seconds_ += did.seconds;
    received_ += static_cast<double>(did.received + did.redistributed);
    predicted_ += did.predicted + static_cast<double>(did.redistributed);
  } catch (const MemoryError& e) {
    const std::string told = fmt::format("too few for iteration {} of {}, which holds {} beside a product ({})",
                                         iterations_.size() - begun_ + 1, stage_, beside, e.what());
    throw MemoryError(fmt::format("memory: {} words, {}; later products may need more, as matrices fill up",
                                  *options_.memory_words, told));
  }
}

template <class T>
BlockSparse<T> Products<T>::product(const Matrix& A, const Matrix& B, Symmetry symmetry) {
  Matrix C(comm_, A.rows(), B.cols(), A.where(), symmetry);
  multiply(T(1), A, B, T(0), C);
  return C;
}

template <class T>
void Products<T>::require_room(const char* what, Int words) const {
  const Int all = over_ranks(comm_, MPI_MAX, held_but({}) + words);
  if (all > *options_.memory_words)
    throw MemoryError(fmt::format("memory: {} word{}, too few for {}, expected at least {}", *options_.memory_words,
                                  *options_.memory_words == 1 ? "" : "s", what, all));
}

// Of this rank.
template <class T>
Int Products<T>::held_but(const std::set<const Matrix*>& others) const {
  Int words = 0;
  const std::set<const Matrix*> held(held_.begin(), held_.end());  // each once
  for (const Matrix* x : held)
    if (!others.contains(x)) words += words_of(*x);
  return words;
}

template <class T>
void Products<T>::begin(std::string stage, std::string expected, Growth growth) {
  stage_ = std::move(stage), expected_ = std::move(expected), growth_ = growth, exhausted_ = false;
  begun_ = iterations_.size();
}

template <class T>
Iteration Products<T>::since_the_last(double residual, const Matrix& iterate) {
  std::array<double, 3> sums{flops_, received_, predicted_};
  over_ranks(comm_, MPI_SUM, sums);
  Iteration i;
  i.stage = stage_, i.number = static_cast<int>(iterations_.size() - begun_) + 1;
  i.residual = residual, i.occupancy = iterate.occupancy();
  i.products = products_, i.flops = static_cast<Int>(sums[0]);
  i.received = sums[1] / comm_.size(), i.predicted = sums[2] / comm_.size();
  i.most_received = over_ranks(comm_, MPI_MAX, received_), i.seconds = over_ranks(comm_, MPI_MAX, seconds_);
  products_ = 0, flops_ = received_ = predicted_ = seconds_ = 0;
  return i;
}

template <class T>
void Products<T>::note(double residual, const Matrix& iterate) {
  iterations_.push_back(since_the_last(residual, iterate));
  std::exception_ptr thrown;
  std::optional<std::string> problem;
  try {
    if (options_.watch) options_.watch(iterations_.back());
  } catch (const std::exception& e) {
    thrown = std::current_exception(), problem = fmt::format("watch: {}", e.what());
  } catch (...) {
    thrown = std::current_exception(), problem = "watch: it threw what is no std::exception";
  }
  try {
    comm_.agree(problem);
  } catch (const ArgumentError& e) {
    if (thrown) std::rethrow_exception(thrown);
    throw RuntimeError(e.what());
  }
}

// A mean over all eigenvalues is small as well where one of many has not moved yet.
template <class T>
Residual Products<T>::residual_of(const Matrix& E, double factor) const {
  constexpr double rounding = 16 * LimitsOf<T>::epsilon();
  constexpr double most = 1.0 / 16, each = 1.0 / 4;  // nothing has converged yet, however large eps is
  const double mean = factor * root_mean_square(E), norm = mean * std::sqrt(static_cast<double>(E.m()));
  if (!(mean * mean < std::max(std::min(options_.eps, most), rounding))) return {mean, false};
  return {mean, norm < each || factor * E.norm(Norm::gershgorin) < each};
}

template <class T>
bool Products<T>::stagnates() const {
  const std::size_t all = iterations_.size();
  constexpr double near = 1.0 / 2;
  return all - begun_ >= 2 && iterations_[all - 1].residual < near &&
         iterations_[all - 1].residual > iterations_[all - 2].residual / 2;
}

template <class T>
bool Products<T>::converged(const Residual& residual, const Matrix& iterate) {
  note(residual.mean, iterate);
  constexpr double epsilon = LimitsOf<T>::epsilon();
  // Where eigenvalues leave the range that converges, each iteration raises residuals to a power, so that they
  // soon are beyond what rounding errors leave of a matrix, however large they may become before it converges.
  const double hopeless = growth_ == Growth::none ? 2 : 1 / epsilon;
  if (!(residual.mean < hopeless))
    throw ConvergenceError(
        fmt::format("{}: the iteration diverges, expected {}; its residuals are {}", stage_, expected_, residuals()));
  if (residual.small) return true;
  exhausted_ = iterations_.back().number >= options_.max_iterations;
  if (exhausted_)
    throw ConvergenceError(fmt::format(
        "{}: not converged after {} {}, expected {}, {}more iterations (max_iterations); its residuals are {}", stage_,
        options_.max_iterations, options_.max_iterations == 1 ? "iteration" : "iterations", expected_,
        options_.eps > 0 ? fmt::format("a smaller eps than {:g}, or ", options_.eps) : "or ", residuals()));
  return false;
}

template <class T>
void Products<T>::require_nonzero(double norm, const Matrix& S) const {
  if (norm == 0 && S.m() > 0) throw ConvergenceError(fmt::format("{}: S is zero, expected {}", stage_, expected_));
}

template <class T>
void Products<T>::require_kept(Int there, Int all) const {
  std::array<double, 2> sums{static_cast<double>(there), static_cast<double>(all)};
  over_ranks(comm_, MPI_SUM, sums);
  if (sums[0] == sums[1]) return;
  throw ConvergenceError(
      fmt::format("{}: only {:.0f} of {:.0f} blocks on the diagonal are left, others are smaller than eps, {:g}: "
                  "expected a smaller eps, or S in a unit in which its diagonal is about 1",
                  stage_, sums[0], sums[1], options_.eps));
}

// "1, 0.5, …, 0.3, 0.2": the first, and the last ones.
template <class T>
std::string Products<T>::residuals() const {
  constexpr std::size_t first = 3, last = 5;
  std::string text;
  const std::size_t all = iterations_.size() - begun_;
  for (std::size_t i = 0; i < all; ++i) {
    if (i >= first && i + last < all) {
      if (i == first) text += ", …";
      continue;
    }
    text += fmt::format("{}{:.3g}", i > 0 ? ", " : "", iterations_[begun_ + i].residual);
  }
  return text;
}

template <class T>
double root_mean_square(const BlockSparse<T>& X) {
  return X.m() == 0 ? 0 : X.norm(Norm::frobenius) / std::sqrt(static_cast<double>(X.m()));
}

#define CAIRN_INSTANTIATE(T)  \
  template class Products<T>; \
  template double root_mean_square(const BlockSparse<T>&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
