// How many words of values a rank holds while panels of block-sparse matrices are multiplied.
#pragma once
#include <array>
#include <vector>

#include "schedule/memory_parts.hpp"
#include "schedule/panel_schedule.hpp"

namespace cairn {

/// What one rank after another holds of panels, with the messages that bring sums. What a rank gets of a sum is found
/// once, whoever sends it.
class PanelMemories {
 public:
  PanelMemories(const PanelValues& values, const SizedPanels& sizes);
  MemoryParts of(Int rank);
  /// Of the fullest rank.
  MemoryParts fullest();

 private:
  struct Messages {
    Int sent = 0, arriving = 0;
  };
  /// What a rank gets of a term of a sum: all words, and those of the largest panel.
  struct Part {
    Int words = -1, largest = 0;  // -1: not known yet
  };

  /// Of a value, where these parts of A and B lie here.
  Int held(Slot x, Int rank, const std::array<Region, 2>& here) const;
  Messages of_sums(std::size_t step, Int rank);
  Part part(Slot src, const Region& r) const;
  const Part& part_of(std::size_t step, const Move& m, Int rank);

  const PanelValues& v_;
  const Schedule& s_;
  const SizedPanels& sizes_;
  std::vector<std::vector<Slot>> begin_, end_;  // by step: values that are held from its start on, and until its end
  std::vector<bool> passed_round_;              // by storage: whether it comes from ranks that got it from others
  std::vector<std::vector<Part>> parts_;        // by step, then rank
};

inline MemoryParts panel_memory(const PanelValues& values, const SizedPanels& sizes, Int rank) {
  return PanelMemories(values, sizes).of(rank);
}

}  // namespace cairn
