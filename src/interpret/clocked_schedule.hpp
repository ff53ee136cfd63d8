// What is clocked: a schedule on a machine, and what all parts of the clock ask about the two.
#pragma once
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
        cells(cells_of(schedule, on)),
        sizes(schedule, cells),
        links(on, cells) {}
  Clocked(const Clocked&) = delete;
  Clocked& operator=(const Clocked&) = delete;

  std::size_t storage(Slot x) const { return static_cast<std::size_t>(s.storage(x)); }
  double bytes(double words) const { return words * static_cast<double>(size_of(type)); }

  const Schedule& s;
  const Machine& machine;
  const ScalarType type;
  const std::vector<Effect> does;  ///< by step
  const std::vector<int> early;    ///< by step, as ahead() has it
  const Cells cells;
  Sizes sizes;
  Links links;
};

}  // namespace cairn
