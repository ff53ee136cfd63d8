// Moves that do the same in all lines of their axis: all pieces have one size, roots are the same for all lines, and so
// are the links. What SUMMA and HSUMMA do with sizes that divide evenly.
#pragma once
#include <optional>
#include <vector>

#include "interpret/clocked_schedule.hpp"

namespace cairn {

/// A move between single ranks, along a line.
struct EvenMove {
  int axis = 0;
  Int by = 0, origin = 0;  ///< within the extent
  Who who;
  std::vector<Layout::Where> where;  ///< lines that take part, by coordinates on other axes; none: all
  double words = 0;                  ///< of a message, or of what is copied
};

/// Nothing if the move is of another kind, or not even.
std::optional<EvenMove> even_move(Clocked& clocked, const Move& move);

/// How many coordinates of an axis are as many units of the machine: lines look the same when they are counted from
/// another coordinate that is so many away.
Int grain(const Grid& grid, int axis, const Machine& machine);

}  // namespace cairn
