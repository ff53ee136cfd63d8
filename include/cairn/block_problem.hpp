// Which product of block-sparse matrices is to be planned before their patterns are known: sizes and densities.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "cairn/blocks.hpp"
#include "cairn/types.hpp"

namespace cairn {

/// Rows or columns of a matrix in blocks.
struct BlockDim {
  Int blocks = 0;
  Int size = 1;                ///< of each block; if they differ, their mean, rounded
  std::optional<Int> total{};  ///< rows or columns of all blocks, if they differ
  /// Of blocks of these sizes.
  static BlockDim of(std::span<const BlockIndex> sizes);
  Int elements() const { return total.value_or(blocks * size); }
};

struct ProductPanels;  // private to the library

/// C = A·B with A m × k, B k × n and C m × n, in blocks that are dealt over `ranks` ranks as BlockDistribution::dealt
/// deals them. Each block of A is there with probability `occupancy_a`, each of B with `occupancy_b`, whatever others
/// are.
struct BlockProblem {
  BlockDim m, n, k;
  double occupancy_a = 1, occupancy_b = 1;
  /// Share of the blocks of C that are computed, before small ones are dropped. Absent: 1 − (1 − ab)^k, which random
  /// patterns of A and B lead to.
  std::optional<double> occupancy_c{};
  Int ranks = 1;
  ScalarType type = ScalarType::float64;
  /// Products are filtered: messages say, too, how many blocks the rows of A have.
  bool filtered = false;
  /// Panels of A and B are as large as in random patterns of this seed. Absent: as large as is expected.
  std::optional<std::uint64_t> seed{};
  /// Of matrices that are there, as block_product_plan.hpp finds them: panels on the grid of C are as large as they
  /// are, and there is no choice of another grid.
  std::shared_ptr<const ProductPanels> panels{};
};

}  // namespace cairn
