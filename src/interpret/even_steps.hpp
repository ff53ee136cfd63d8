// Schedules in which every step does the same in all lines of its axis: all pieces have one size, roots are the same
// for all lines, and so are the links. What SUMMA and HSUMMA do with sizes that divide evenly.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "interpret/cells.hpp"
#include "interpret/sizes.hpp"
#include "model/machine.hpp"

namespace cairn {

struct EvenStep {
  enum class Kind : std::uint8_t { shift, add, gemm };
  Kind kind = Kind::gemm;
  int axis = 0;
  Int by = 0, origin = 0;                 ///< shift, add: as Shift has it, within the extent
  Who who;                                ///< shift, add
  std::vector<Layout::Where> where;       ///< shift, add: lines that take part, by coordinates on other axes; none: all
  double words = 0;                       ///< of a message, or of what is added
  double seconds = 0;                     ///< gemm
  std::array<Slot, 3> reads{-1, -1, -1};  ///< storages that are waited for; -1: none
  Slot writes = -1;                       ///< a storage
  bool ahead = false;                     ///< shift: cores do not wait for what they pass on (schedule/ahead.hpp)
};

/// The same steps in the same number; nothing if a step is of another kind, or not even.
std::optional<std::vector<EvenStep>> even_steps(const Schedule& schedule, const Machine& machine, ScalarType type,
                                                Sizes& sizes);

/// How many coordinates of an axis are as many units of the machine: lines look the same when they are counted from
/// another coordinate that is so many away.
Int grain(const Grid& grid, int axis, const Machine& machine);

}  // namespace cairn
