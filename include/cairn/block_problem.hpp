// Which product of block-sparse matrices is to be planned before their patterns are known: sizes and densities.
#pragma once
#include <cstdint>
#include <optional>

#include "cairn/types.hpp"

namespace cairn {

/// Rows or columns of a matrix in blocks of one size.
struct BlockDim {
  Int blocks = 0, size = 1;
  Int elements() const { return blocks * size; }
};

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
};

}  // namespace cairn
