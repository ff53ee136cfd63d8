// Whether this MPI library moves data rightly through windows.
#pragma once
#include <functional>
#include <span>
#include <string>

#include "cairn/comm.hpp"

namespace cairn {

/// Fetches and sums of known numbers between the ranks, of many sizes and at odd offsets, several at a time. Empty if
/// all is right on all ranks, else what was wrong on the lowest rank where something was; the same on all ranks.
/// Collective the first time, then kept with the communicator. `damage`, for tests, changes what a rank has received
/// before it is compared.
const std::string& one_sided_trouble(const Comm& comm, const std::function<void(std::span<double>)>& damage = {});

}  // namespace cairn
