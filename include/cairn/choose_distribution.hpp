// Which of several distributions suits products of a block-sparse matrix: counted from its pattern, then chosen.
// Element types: float, double, std::complex<float>, std::complex<double>.
#pragma once
#include <span>
#include <vector>

#include "cairn/block_sparse.hpp"

namespace cairn {

/// What X·X costs if X and the result lie so, and nothing is filtered.
struct DistributionCost {
  /// Words of a rank of X in the mean, on as many layers as make them fewest; of sums as expected. With those by
  /// which X is brought to where it can be multiplied, but for mirror images that X does not store.
  double received = 0;
  double busiest = 1;  ///< multiplications of the busiest rank over the mean of X's ranks, on one layer
};

/// Of each candidate, counted from the pattern of X, wherever X lies. Collective. Throws ArgumentError on every rank if
/// X is not square in the same blocks, or a distribution is one that BlockSparse refuses.
template <class T>
std::vector<DistributionCost> distribution_costs(const BlockSparse<T>& X,
                                                 std::span<const BlockDistribution> candidates);

/// The candidate with the fewest words among those whose busiest rank multiplies at most a tenth more than that of the
/// most even one; of equals the first. Collective. Throws as distribution_costs, and if there is no candidate.
template <class T>
BlockDistribution choose_distribution(const BlockSparse<T>& X, std::span<const BlockDistribution> candidates);

/// The same of three candidates for all ranks of X: `dealt` on a grid as square as possible, and block rows, or block
/// columns, cut in their order into strips of equally many, since neighbours in a matrix often are neighbours in space.
template <class T>
BlockDistribution choose_distribution(const BlockSparse<T>& X);

}  // namespace cairn
