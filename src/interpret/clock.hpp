// Seconds that a schedule takes on a machine: docs/clock.md says how they are found, and what is left out.
#pragma once
#include <functional>

#include "model/machine.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// Predicted seconds; the parts are those of the rank that finishes last.
struct Times {
  double seconds = 0;
  double communication = 0;  ///< it receives, and would wait if it had nothing else to do
  double computation = 0;    ///< its core multiplies
  double steps = 0;          ///< its core works through steps: own work, overheads, copies
  double exposed = 0;        ///< its core waits for data: seconds − computation − steps
  Int rank = 0;              ///< which one it is
};

/// Over the ranks of the grid.
struct Spread {
  double min = 0, mean = 0, max = 0;
};

/// What all ranks do.
struct Timing {
  Times last;
  Spread finish, computation, communication, steps;
  Spread exposed;  ///< waits until its own last step
  Spread idle;     ///< from its last step to the end of all
};

/// Something that a rank's core or port was busy with, or waited for.
struct Activity {
  enum class Kind : std::uint8_t { multiply, wait, receive };
  Kind kind;
  Int rank;
  std::size_t step;
  double start, end;
  Int from = -1;  ///< wait, receive: the rank that the data came from, where it is one
};
using Watch = std::function<void(const Activity&)>;

/// What becomes of messages that a rank has posted and that are not yet on their way.
enum class Ports : std::uint8_t {
  divided,  ///< they travel at once, in both directions, each at a share of the port's rate, as on real networks
  in_turn   ///< a rank's messages of one step follow those of the steps before, as in the papers' formulas [hsumma-2014
            ///< §4.1]
};

/// How closely ranks are followed that nobody watches.
struct Care {
  std::size_t most_cells = std::size_t{1} << 16U;  ///< beyond, ports carry messages in order (docs/clock.md)
  bool every_round = false;  ///< beyond, too: go through every line and round, also where it recurs moved and later
};

/// Steps in program order, every rank by itself where anything tells ranks apart, else by classes of coordinates.
/// Communication is posted when the core reaches it, starts when both ends have reached it, and keeps the sender's port
/// and the receiver's, which work at the same time; only a step that reads what it brings waits for it. `watch` hears
/// of all activities of all ranks if it is given.
Timing clock_all(const Schedule& wire, const Machine& machine, ScalarType type, const Watch& watch = {},
                 Ports ports = Ports::divided, Care care = {});
Times clock(const Schedule& wire, const Machine& machine, ScalarType type, Ports ports = Ports::divided);

}  // namespace cairn
