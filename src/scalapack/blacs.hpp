// What is used of BLACS and PBLAS, found in the running program: Cairn is linked with no ScaLAPACK.
#pragma once
#include <string>

#include "cairn/comm.hpp"

namespace cairn::scalapack {

/// A process grid as one of its processes sees it; -1 throughout where the context is dead, or not the caller's.
struct ProcessGrid {
  int rows = -1, cols = -1;
  int row = -1, col = -1;
  bool live() const { return rows > 0; }
  int rank() const { return row * cols + col; }
};

/// The grid of a context, without communication. Throws RuntimeError if the program has no BLACS.
ProcessGrid grid_of(int context);

/// The processes of a live grid, numbered along its rows whatever the order of the grid. Collective at the first call
/// for a grid; freed with the grid.
Comm comm_of(int context);

/// Says on stderr, in PBLAS's words if there is one, what is wrong with a call of `routine`.
void warn(int context, const char* routine, const std::string& message);

/// PBLAS's end of a wrong call: the program's own PB_Cabort if it has one, which may return, as PBLAS's testers'
/// does.
void abort(int context, const char* routine, int info);

}  // namespace cairn::scalapack
