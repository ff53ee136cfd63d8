// Whether this MPI library moves data rightly through windows.
#pragma once
#include <string>

#include "cairn/comm.hpp"

namespace cairn {

/// Fetches and sums of known numbers between the ranks, of many sizes and at odd offsets, several at a time. Empty if
/// all is right on all ranks, else what was wrong on the lowest rank where something was; the same on all ranks.
/// Collective the first time, then kept with the communicator.
const std::string& one_sided_trouble(const Comm& comm);

}  // namespace cairn
