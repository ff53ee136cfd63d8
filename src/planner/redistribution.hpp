// What it costs to bring the caller's matrices to where an algorithm wants them, and C back.
#pragma once
#include <functional>

#include "algorithms/registry.hpp"
#include "cairn/options.hpp"
#include "model/machine.hpp"

namespace cairn {

/// Whether the caller's layouts are given for any of A, B, C.
bool has_layouts(const GemmProblem& problem);
/// Whether, moreover, ranks are so few that what redistributions cost is compared.
bool compares_layouts(const GemmProblem& problem);

/// Seconds for all redistributions of a schedule, as the clock has it.
double redistribution_seconds(const Schedule& schedule, const Machine& machine, ScalarType type);

/// The consecutive ranks among which it makes no difference to machine and transport who acts at which position: 1 if
/// nothing is gained where they trade places.
Int interchangeable_ranks(const GemmProblem& problem, const Machine& machine, const Options& options);

/// What `make` makes of the problem; where `unit` ranks are interchangeable with them relabelled, if that moves fewer
/// words between the caller's layouts and the algorithm's own.
MadeAlgorithm relabelled(const GemmProblem& problem, Int unit,
                         const std::function<MadeAlgorithm(const GemmProblem&)>& make);

}  // namespace cairn
