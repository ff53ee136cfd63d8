// Who should have which part, each rank at most one.
#pragma once
#include <functional>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

/// For each part, now at rank homes[part], the rank that is to have it: of all ways that save most words one that
/// leaves most parts where they are. `saved(rank, part)` are the words that need not be moved if the rank has the part.
/// There are no more parts than ranks. Cost: ranks × parts, and a flow of least cost on as many arcs as save words.
std::vector<Int> assign(const std::vector<Int>& homes, Int ranks, const std::function<Int(Int rank, Int part)>& saved);

}  // namespace cairn
