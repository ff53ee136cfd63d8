// What is clocked: a schedule on a machine, and what all parts of the clock ask about the two.
#pragma once
#include "interpret/arrive_together.hpp"
#include "interpret/link_levels.hpp"
#include "interpret/sizes.hpp"
#include "schedule/ahead.hpp"

namespace cairn {

struct Clocked {
  Clocked(const Schedule& schedule, const Machine& on, ScalarType scalar)
      : s(schedule),
        machine(on),
        type(scalar),
        does(effects(schedule)),
        early(ahead(schedule)),
        leaves(leaves_with(schedule)),
        cells(cells_of(schedule, on)),
        sizes(schedule, cells),
        links(on, cells),
        together_(arrive_together(schedule)) {}
  Clocked(const Clocked&) = delete;
  Clocked& operator=(const Clocked&) = delete;

  /// Number of what is waited for where a slot is.
  std::size_t value(Slot x) const { return static_cast<std::size_t>(together_[static_cast<std::size_t>(x)]); }
  double bytes(double words) const { return words * static_cast<double>(size_of(type)); }

  const Schedule& s;
  const Machine& machine;
  const ScalarType type;
  const std::vector<Effect> does;         ///< by step
  const std::vector<int> early;           ///< by step, as ahead() has it
  const std::vector<std::size_t> leaves;  ///< by step, as leaves_with() has it
  const Cells cells;
  Sizes sizes;
  Links links;

 private:
  const std::vector<Slot> together_;
};

}  // namespace cairn
