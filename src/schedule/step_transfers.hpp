// What a Redistribute moves between any two ranks. Of a triangle that stays one, nothing else travels.
#pragma once
#include "schedule/schedule.hpp"
#include "schedule/transfers.hpp"

namespace cairn {

Stairs stairs(const Schedule& schedule, const Redistribute& step);
/// What `rank` has already, sends to others, and receives from them.
Transfer kept(const Schedule& schedule, const Redistribute& step, Int rank);
std::vector<Transfer> outgoing(const Schedule& schedule, const Redistribute& step, Int rank);
std::vector<Transfer> incoming(const Schedule& schedule, const Redistribute& step, Int rank);
/// Words that `rank` is to have.
Int words_wanted(const Schedule& schedule, const Redistribute& step, Int rank);

}  // namespace cairn
