#include "functions/arguments.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numeric>

#include "api/arguments.hpp"
#include "api/block_arguments.hpp"
#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "local/sparse/symmetry.hpp"
#include "runtime/over_ranks.hpp"

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

// What is on its way is there once more; what stays on one rank moves, but for copies.
template <class T>
Int words_to_make(Made made, const BlockSparse<T>& A, const BlockDistribution& where) {
  const std::size_t me = place(A.comm().rank());
  std::vector<Int> to(place(A.comm().size()));
  A.for_each([&](BlockIndex i, BlockIndex j, MatrixView<const T> x) {
    const Int words = x.rows * x.cols;
    if (made != Made::images) to[place(where.owner(i, j))] += words;
    if (made == Made::images || (made == Made::both && i != j)) to[place(where.owner(j, i))] += words;
  });
  const Int here = std::accumulate(to.begin(), to.end(), Int{0}), stays = to[me];
  over_ranks(A.comm(), MPI_SUM, to);
  const Int result = to[me], leave = here - stays, arrive = result - stays;
  const bool moves = made == Made::same || (made == Made::both && where.ranks() == 1);
  return (moves ? 0 : here) + leave + arrive + result;
}

namespace {

template <class T>
std::optional<BlockSparse<T>> hermitian_copy(const Products<T>& products, const BlockSparse<T>& A, const char* name) {
  require_square(A, name);
  if (A.symmetry() == of_type<T>(Symmetry::hermitian)) return {};
  products.require(copies, [&] {
    if (A.symmetry() == Symmetry::general) return words_to_make(Made::images, A, A.where());
    return 3 * words_to_make(Made::both, A, A.where());  // expanded, and then that one's mirror images
  });
  return A.stored_as(Symmetry::hermitian, name);
}

}  // namespace

template <class T>
HermitianArgument<T>::HermitianArgument(Products<T>& products, const BlockSparse<T>& A, const char* name)
    : products_(products), given_(A), copy_(hermitian_copy(products, A, name)), held_(products, {&**this}) {}

template <class T>
BlockSparse<T> HermitianArgument<T>::as_given(BlockSparse<T> result) const {
  if (given_.symmetry() != Symmetry::general) return result;
  products_.require("the result with all its blocks",
                    [&] { return words_of(result) + words_to_make(Made::both, result, result.where()); });
  return result.expanded();
}

#define CAIRN_INSTANTIATE(T)                                                         \
  template void require_square(const BlockSparse<T>&, const char*);                  \
  template double unit_of(const BlockSparse<T>&);                                    \
  template void take_unit(BlockSparse<T>&, double);                                  \
  template Int words_to_make(Made, const BlockSparse<T>&, const BlockDistribution&); \
  template class HermitianArgument<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
