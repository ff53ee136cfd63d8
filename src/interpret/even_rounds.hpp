// The rounds of an even schedule: steps up to a product. Two rounds follow each other alike if the one is the other
// with its roots moved, each along its axis.
#pragma once
#include "interpret/even_steps.hpp"

namespace cairn {

class EvenRounds {
 public:
  EvenRounds(const std::vector<EvenStep>& steps, const Schedule& schedule);

  struct Round {
    std::size_t first = 0, end = 0;  ///< steps
    std::vector<Int> frame;          ///< by axis: the coordinate from which the round's roots count
    std::vector<Slot> live;          ///< storages that are received before the round and read in it or later
    int kind = 0;                    ///< equal: the same steps, as seen from the frames
  };
  std::size_t size() const { return rounds_.size(); }
  const Round& operator[](std::size_t round) const { return rounds_[round]; }
  /// Number of rounds, from `earlier` on, after which the same follows as after as many from `later` on.
  std::size_t alike(std::size_t earlier, std::size_t later) const;
  /// What the frame of a round is ahead of that of another, by axis.
  std::vector<Int> ahead(std::size_t round, std::size_t of) const;
  /// Whether a round of the same kind follows.
  bool recurs(std::size_t round) const;
  /// Whether nobody reads a storage after this step any more, which reads it and does not write it.
  bool last_read(std::size_t step, Slot storage) const { return last_read_[static_cast<std::size_t>(storage)] == step; }

 private:
  void find_frame(Round& round, const std::vector<Int>& before) const;
  std::vector<Int> spelling(const Round& round, std::vector<Slot>& live) const;

  const std::vector<EvenStep>& steps_;
  const Grid& grid_;
  std::vector<Round> rounds_;
  std::vector<std::size_t> last_read_, last_of_kind_;
};

}  // namespace cairn
