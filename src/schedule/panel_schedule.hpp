// A schedule of a dense product whose elements are panels of block-sparse matrices.
#pragma once
#include <array>

#include "schedule/panel_sizes.hpp"
#include "schedule/passes/passes.hpp"
#include "schedule/transfers.hpp"

namespace cairn {

/// On one rank: what does not depend on the sizes of panels, and serves many products.
struct PanelSchedule {
  enum Matrix : std::uint8_t { A, B, C };
  /// Of a Redistribute.
  struct Transfers {
    Transfer kept;
    std::vector<Transfer> outgoing, incoming;
  };

  PanelSchedule(Schedule carried_out, Int rank);

  const Schedule wire;
  const Uses uses;
  const std::vector<Matrix> of;            ///< by slot with storage of its own: whose elements it has
  const std::vector<Transfers> transfers;  ///< of the rank, by step

  Matrix matrix(Slot x) const { return of[static_cast<std::size_t>(wire.storage(x))]; }
  /// Whether C is computed elsewhere than where it lies.
  bool sums_travel() const {
    return std::any_of(uses.does.begin(), uses.does.end(),
                       [&](const Effect& e) { return !as_compute(e) && matrix(access(e).writes) == C; });
  }
};

/// A schedule with sizes of its panels of A, B and C, to be counted.
Schedule with_sizes(Schedule s, const std::array<std::shared_ptr<const PanelSizes>, 3>& sizes);

}  // namespace cairn
