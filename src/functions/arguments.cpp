#include "functions/arguments.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>

#include "api/arguments.hpp"
#include "api/block_arguments.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "local/sparse/symmetry.hpp"

namespace cairn {

namespace {

std::optional<std::string> problem_with(const FunctionOptions& o) {
  constexpr int most = 7;
  if (!(o.eps >= 0) || !std::isfinite(o.eps)) return fmt::format("eps: {}, expected a finite number, 0 or more", o.eps);
  if (o.order < 2 || o.order > most) return fmt::format("order: {}, expected 2 to {}", o.order, most);
  if (o.max_iterations < 1) return fmt::format("max_iterations: {}, expected 1 or more", o.max_iterations);
  if (o.memory_words && *o.memory_words < 0)
    return fmt::format("memory_words: {}, expected 0 or more", *o.memory_words);
  return {};
}

}  // namespace

void require_options(const Comm& comm, const FunctionOptions& o) {
  comm.agree(problem_with(o), "options of the matrix function",
             fmt::format("eps {}, order {}, max_iterations {}, memory_words {}", o.eps, o.order, o.max_iterations,
                         or_none(o.memory_words)));
}

template <class T>
void require_square(const BlockSparse<T>& A, const char* name) {
  A.comm().agree(unless_square(name, A));
  if (!std::isfinite(A.norm(Norm::max)))
    throw ArgumentError(fmt::format("{}: it holds NaN or infinity, expected finite numbers", name));
}

template <class T>
double unit_of(const BlockSparse<T>& A) {
  const double most = A.norm(Norm::max);
  constexpr double largest = LimitsOf<T>::max_exponent - 1;  // which is representable
  return most > 0 ? std::exp2(std::min(largest, std::round(std::log2(most)))) : 1;
}

template <class T>
void take_unit(BlockSparse<T>& X, double unit) {
  X.divide(static_cast<T>(unit));
  if (!std::isfinite(X.norm(Norm::max)))
    throw ConvergenceError(
        "S: elements of the result are infinite, as those of S are so small: expected a larger unit");
}

template <class T>
HermitianArgument<T>::HermitianArgument(const BlockSparse<T>& A, const char* name) : given_(A) {
  require_square(A, name);
  if (A.symmetry() == of_type<T>(Symmetry::hermitian)) return;
  copy_ = A.stored_as(Symmetry::hermitian, name);
}

#define CAIRN_INSTANTIATE(T)                                        \
  template void require_square(const BlockSparse<T>&, const char*); \
  template double unit_of(const BlockSparse<T>&);                   \
  template void take_unit(BlockSparse<T>&, double);                 \
  template class HermitianArgument<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
