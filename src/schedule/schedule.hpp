// A schedule: a grid, values written once, and labelled steps. Immutable once built.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cairn/layout.hpp"
#include "schedule/step.hpp"

namespace cairn {

/// A value: its layout, and either storage of its own or a view of another slot's.
struct SlotInfo {
  enum class Kind : std::uint8_t {
    input,   ///< the caller's memory, only read
    output,  ///< the caller's memory, written
    scratch  ///< in the plan's arena, between its first write and its last read
  };
  std::string name;
  Layout layout;
  Kind kind = Kind::scratch;
  Slot view_of = -1;  ///< the slot whose storage this one is part of, or -1
  bool operator==(const SlotInfo&) const = default;
};

struct LabelledStep {
  Step step;
  std::string source;  ///< the builder line that made it, "cosma.cpp:41"
  bool operator==(const LabelledStep&) const = default;
};

struct Schedule {
  std::string algorithm;  ///< its one-line spelling, "cosma pm2,pn2,pk2,sk4"
  Int m = 0, n = 0, k = 0;
  Int ranks = 1;  ///< ranks of the communicator; those at or beyond grid.size() only redistribute
  Grid grid;
  std::vector<SlotInfo> slots;
  std::vector<LabelledStep> steps;

  const SlotInfo& operator[](Slot s) const { return slots[static_cast<std::size_t>(s)]; }
  const Layout& layout(Slot s) const { return (*this)[s].layout; }
  /// The slot whose storage `s` lives in: itself unless it is a view.
  Slot storage(Slot s) const {
    while ((*this)[s].view_of >= 0) s = (*this)[s].view_of;
    return s;
  }
  /// First slot called `name`; throws ScheduleError if there is none.
  Slot find(std::string_view name) const;
  bool operator==(const Schedule&) const = default;
};

/// About as many bytes as a schedule takes, and what a rank makes ready to carry it out: the same on all ranks.
Int bytes_of(const Schedule& schedule);

/// Number of the step as an error message shows it: "step 37/3073 allgather A[…] -> A1[…] along j (cosma.cpp:41)".
std::string label(const Schedule& schedule, std::size_t step);

/// Calls visit(lo, hi) for the intervals of positions that `who` names.
template <class Visit>
void for_each_interval(const Who& who, Visit visit) {
  if (who.run >= who.every) return visit(who.lo, who.hi);
  for (Int lo = who.lo; lo < who.hi; lo += who.every) visit(lo, std::min(lo + who.run, who.hi));
}

/// Whether `rank`'s index on the axis, counted from `origin`, is one of `who` (Shift and Add).
inline bool takes_part(const Grid& grid, Int rank, int axis, const Affine& origin, const Who& who) {
  return who.has(wrap(grid.index(rank, axis) - origin.at(grid, rank), grid.extent(axis)));
}

}  // namespace cairn
