// Which products of blocks are left out.
#pragma once
#include <algorithm>
#include <span>

#include "cairn/blocks.hpp"

namespace cairn {

/// What a product must not be smaller than to be done, in a block row of A that has so many blocks on all ranks.
inline double limit_of_row(double eps, BlockIndex blocks) { return eps / std::max<BlockIndex>(1, blocks); }

/// Which products of blocks are done.
struct ProductFilter {
  /// By block row of A: a product a·b is left out if |alpha|·‖a‖·‖b‖ is less, which NaN never is. Empty: all are done.
  /// With limit_of_row(eps, …), what is left out of a block of C has a norm below eps, and depends neither on where
  /// blocks are nor on how A and B are cut into panels.
  std::span<const double> limits{};
  std::span<const double> norms_a{}, norms_b{};  ///< of the blocks of A and B (`norms`), where there are limits
  bool retain_sparsity = false;                  ///< only blocks that C has already are computed
  bool upper = false;                            ///< only blocks (i, j) of C with i <= j are computed
};

}  // namespace cairn
