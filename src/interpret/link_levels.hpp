// At which of a machine's levels two ranks meet.
#pragma once
#include <vector>

#include "interpret/cells.hpp"
#include "model/machine.hpp"

namespace cairn {

class Links {
 public:
  Links(const Machine& machine, const Cells& cells);

  /// Whether all ranks of the grid meet at the innermost level.
  bool alike() const { return alike_; }
  std::size_t level(Int a, Int b) const {
    if (alike_) return 0;
    std::size_t l = 0;
    while (l + 1 < machine_.levels.size() && a / machine_.levels[l].ranks != b / machine_.levels[l].ranks) ++l;
    return l;
  }
  /// By receiver, level to its sender; null if all are alike.
  const std::uint8_t* levels(const Move& move);
  /// Ranks of a line along an axis, `rank` not included, that it meets at each level.
  std::vector<Int> peers(Int rank, int axis) const;
  /// Messages of `bytes` each to all others of a line, or from them: seconds for which they keep the rank's port, the
  /// latency of the farthest, and what they take of its core.
  struct Kept {
    double seconds = 0, latency = 0, overhead = 0;
  };
  Kept kept(Int rank, int axis, double bytes) const;
  const Machine::Level& at(std::size_t level) const { return machine_.levels[level]; }

 private:
  struct Known {
    int axis;
    Affine by;
    std::vector<std::uint8_t> levels;
  };
  const Machine& machine_;
  const Cells& cells_;
  bool alike_;
  std::vector<Known> known_;
};

}  // namespace cairn
