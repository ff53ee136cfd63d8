// What a block-sparse product moves and computes in each step: which panels, between which ranks.
#pragma once
#include <cstdint>
#include <vector>

#include "schedule/panel_schedule.hpp"

namespace cairn {

/// A product of block-sparse matrices, carried out by a schedule whose elements are panels: everything that ranks do,
/// found once.
class PanelFlow {
 public:
  /// A panel that arrives; panels travel one by one, as runtime/sparse/panel_run.hpp sends them.
  struct Arrival {
    std::int32_t from, to;
    std::int32_t row, col;
    float share;  ///< of its words that is expected to travel: less than 1 where somebody says which blocks `to` needs
  };
  struct Step {
    Slot src = -1, dst = -1;          ///< of what moves
    std::vector<Arrival> arrivals{};  ///< by receiver
    std::vector<double> flops{};      ///< of what computes, by rank: as expected if blocks are anywhere
  };

  /// `k` says how many elements the panels of the inner dimension have, `sums` how much of C is computed.
  PanelFlow(const PanelValues& values, const SizedPanels& sizes, const PanelParts& k, const ExpectedSums& sums);

  const PanelValues& values() const { return v_; }
  const SizedPanels& sizes() const { return sizes_; }
  const std::vector<Step>& steps() const { return steps_; }
  /// Whether all panels travel as a whole.
  bool whole() const;

 private:
  const PanelOwners& owners_of(Slot x);
  void follow(const Redistribute& x, Step& step);
  void follow(const Move& m, Step& step);
  void follow(const Compute& x, Step& step);
  double flops(const Compute& x, Int rank) const;

  const PanelValues& v_;
  const Schedule& s_;
  const SizedPanels& sizes_;
  const PanelParts& k_;
  const ExpectedSums& sums_;
  std::map<Slot, PanelOwners> owners_;
  std::vector<Step> steps_;
};

}  // namespace cairn
