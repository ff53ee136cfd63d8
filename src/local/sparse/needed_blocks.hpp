// Which blocks of a panel another rank has something to multiply with.
#pragma once
#include <vector>

#include "local/sparse/block_panel.hpp"

namespace cairn {

/// What a rank that has all of A, or of B, that a panel of the other one is multiplied with says of that panel: blocks
/// of the inner dimension that meet anything; and where products are filtered, how large the norm is that they are
/// multiplied with. Norms are those by which a filter leaves out a·b if ‖a‖·‖b‖ < 1: of A they are multiplied by
/// |alpha| and divided by the limit of the block row.
class NeededBlocks {
 public:
  enum class Side : std::uint8_t { A, B };
  struct Filter {
    double alpha = 1;  ///< its modulus
    double eps = 0;    ///< 0: nothing is filtered
  };

  explicit NeededBlocks(Filter filter) : filter_(filter) {}
  /// As another rank has said.
  NeededBlocks(Filter filter, std::vector<BlockIndex> numbers);

  /// Needed are blocks that meet those of this panel of A, or of B.
  template <class T>
  void meet(Side side, BlockPanel<T>& panel);
  /// What is sent: blocks of the inner dimension, ascending, then their norms, rounded up to float.
  std::vector<BlockIndex> numbers() const;
  /// Of a panel of A, or of B, what is needed. It shares the panel's values. No product is missed by rounding.
  template <class T>
  BlockPanel<T> of(Side side, BlockPanel<T>& panel) const;

 private:
  struct Block {
    BlockIndex inner;
    float norm;
  };
  template <class T>
  double norm(Side side, const BlockPanel<T>& panel, std::size_t row, std::size_t block) const;
  bool needed(BlockIndex inner, double norm) const;

  Filter filter_;
  std::vector<Block> blocks_;  // ascending
};

}  // namespace cairn
