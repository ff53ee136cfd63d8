// Which transport.
#pragma once
#include "planner/draft.hpp"

namespace cairn {

/// Transports worth a plan of their own: the one asked for; else two-sided, and those of which the machine has figures.
std::vector<Transport> transports_worth_a_plan(const Machine& machine, const GemmProblem& problem,
                                               const Options& options);

/// The best plan of the fastest of them. Throws MemoryError if none fits.
Draft choose_transport(const Machine& machine, const GemmProblem& problem, const Options& options);

}  // namespace cairn
