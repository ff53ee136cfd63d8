// Which messages share a port. A rank of a tree posts the messages for all its children one after another, without
// waiting: they travel at once, each at a share of the port's rate, and all arrive when the last one does.
#pragma once
#include <map>
#include <vector>

#include "interpret/sizes.hpp"

namespace cairn {

class PortShares {
 public:
  PortShares(const Schedule& schedule, const Cells& cells, Sizes& sizes);

  /// By position of the receiver, counted from the origin, of the Shift that is step number `step`: the time for which
  /// its sender's port is kept, over that of this message, if it is the first of those that it sends at once; 0 for the
  /// others of them. Null where every sender sends one message at a time.
  const float* of(std::size_t step);

 private:
  using Table = std::vector<std::vector<float>>;  // by Shift of a batch, then position; empty: all 1
  std::size_t end_of_batch(std::size_t first) const;
  Table table(std::size_t first, std::size_t end) const;

  const Schedule& s_;
  const Cells& cells_;
  Sizes& sizes_;
  std::map<std::vector<Int>, Table> known_;
  Table other_;  // of a batch that is not like others
  const Table* now_ = nullptr;
  std::size_t first_ = 0, end_ = 0;  // the batch of now_
};

}  // namespace cairn
