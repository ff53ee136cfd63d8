// Choosing among all algorithms, and among transports.
#pragma once
#include "planner/draft_plan.hpp"

namespace cairn {

/// The plan that the options ask for, by one transport: a spelling as it is, the best of a bare name, or the best of
/// all. Throws MemoryError if none fits.
Draft choose(const Drafts& drafts);

/// The best plan of the fastest transport worth a plan of its own: the one asked for; else two-sided, and those of
/// which the machine has figures. Throws MemoryError if none fits.
Draft choose_transport(const Machine& machine, const GemmProblem& problem, const Options& options);

}  // namespace cairn
