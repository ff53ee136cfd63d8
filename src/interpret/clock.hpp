// Seconds that a schedule takes on a machine: latency and bandwidth per level, two lanes per rank.
#pragma once
#include "model/machine.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// Predicted seconds; the parts are those of the rank that finishes last.
struct Times {
  double seconds = 0;
  double communication = 0;  ///< its network lane is busy
  double computation = 0;    ///< its core multiplies
  double steps = 0;          ///< its core works through steps
  double exposed = 0;        ///< its core waits for data: seconds − computation − steps
  Int rank = 0;              ///< which one it is
};

/// Steps in program order. Communication is posted when the core reaches it and occupies the network lanes of those
/// who exchange; only a step that reads what it brings waits for it. Each rank by itself on up to 4096 ranks or where
/// all links are alike, else by classes of coordinates.
Times clock(const Schedule& wire, const Machine& machine, ScalarType type);

}  // namespace cairn
