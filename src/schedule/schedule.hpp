// A schedule: a grid, values written once, and labelled steps. Immutable once built.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/layout.hpp"
#include "model/problem.hpp"
#include "schedule/size_provider.hpp"
#include "schedule/step.hpp"

namespace cairn {

/// A value: its layout, and either storage of its own or a view of another slot's.
struct SlotInfo {
  enum class Role : std::uint8_t {
    operand,      ///< the caller's memory, only read
    result,       ///< the caller's memory, written
    panel,        ///< in the plan's arena, between its first write and its last read: elements of operands
    partial_sum,  ///< likewise: sums that are not complete
    buffer        ///< likewise: what arrives to be added, or to be put in its place
  };
  enum class Memory : std::uint8_t { host };
  std::string name;
  Layout layout;
  Role role = Role::panel;
  Slot view_of = -1;  ///< the slot whose storage this one is part of, or -1
  Uplo shape = Uplo::full;
  Memory memory = Memory::host;
  std::shared_ptr<const SizeProvider> sizes{};  ///< none: all elements of the layout

  /// The part of it, which is slot `self`, with this layout.
  SlotInfo part(Slot self, Layout its) const { return {name, std::move(its), role, self, shape, memory, sizes}; }
  /// Whether it lies in the caller's memory.
  bool callers() const { return role == Role::operand || role == Role::result; }
  bool operator==(const SlotInfo&) const = default;
};

/// "input", "output", "panel", "partial" or "buffer"
std::string_view name_of(SlotInfo::Role role);

struct LabelledStep {
  Step step;
  std::string source;  ///< the builder line that made it, "cosma.cpp:41"
  bool operator==(const LabelledStep&) const = default;
};

struct Schedule {
  std::string algorithm;  ///< its one-line spelling, "cosma pm2,pn2,pk2,sk4"
  Problem problem;
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
  /// Words of a value that a rank holds.
  Int words(Slot s, Int rank) const;
  /// Words of some rows × columns of a value.
  Int words(Slot s, const IndexSet& rows, const IndexSet& cols) const {
    return (*this)[s].sizes ? (*this)[s].sizes->words(rows, cols) : rows.size() * cols.size();
  }
  /// Whether all values have all elements of their layouts.
  bool dense() const;
  /// First slot called `name`; throws ScheduleError if there is none.
  Slot find(std::string_view name) const;
  /// The caller's matrices in their own layouts, in the order of the problem: operands, then the result.
  std::vector<Slot> callers() const;
  bool operator==(const Schedule&) const = default;
};

/// Whether the elements of a slot lie in the caller's memory and never change during a run.
inline bool is_input(const Schedule& s, Slot x) { return s[s.storage(x)].role == SlotInfo::Role::operand; }

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
