// What it costs to bring the caller's matrices to where an algorithm wants them, and C back.
#pragma once
#include "cairn/problem.hpp"
#include "planner/cosma_cost.hpp"

namespace cairn {

/// Whether the caller's layouts are given for any of A, B, C.
bool has_layouts(const GemmProblem& problem);

/// The same product in the algorithm's own layouts.
GemmProblem native(const GemmProblem& problem);
Schedule native_cosma(const GemmProblem& problem, const CosmaWay& way);

/// Seconds for an algorithm whose schedule in its own layouts is `native`, all ranks at once as the clock has it; 0
/// where every matrix may stay. Words are exact, messages those of a few ranks. Cost: ranks × pieces.
double redistribution_seconds(const GemmProblem& problem, const Machine& machine, const Schedule& native);

}  // namespace cairn
