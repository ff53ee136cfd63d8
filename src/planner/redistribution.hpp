// What it costs to bring the caller's matrices to where a COSMA grid wants them, and C back.
#pragma once
#include "cairn/problem.hpp"
#include "planner/cosma_cost.hpp"

namespace cairn {

/// Whether the caller's layouts are given for any of A, B, C.
bool has_layouts(const GemmProblem& problem);

/// Seconds, all ranks at once as the clock has it; 0 where every matrix may stay. Words are exact, messages those of a
/// few ranks. Cost: ranks × pieces.
double redistribution_seconds(const GemmProblem& problem, const Machine& machine, const CosmaWay& way);

}  // namespace cairn
