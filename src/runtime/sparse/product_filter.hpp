// Which products of blocks are left out.
#pragma once
#include <span>

namespace cairn {

/// Which products of blocks are done.
struct ProductFilter {
  /// By block row of A: a product a·b is left out if |alpha|·‖a‖·‖b‖ is less, which NaN never is. Empty: all are done.
  /// With eps/max(1, blocks in the block row of A on all ranks), what is left out of a block of C has a norm below eps,
  /// and depends neither on where blocks are nor on how A and B are cut into panels.
  std::span<const double> limits{};
  std::span<const double> norms_a{}, norms_b{};  ///< of the blocks of A and B (`norms`), where there are limits
  bool retain_sparsity = false;                  ///< only blocks that C has already are computed
  bool upper = false;                            ///< only blocks (i, j) of C with i <= j are computed
};

}  // namespace cairn
