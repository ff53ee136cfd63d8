// Which variants of a factorisation or a solve promise most by their sketches, before any schedule is made.
#pragma once
#include <vector>

#include "algorithms/triangular.hpp"
#include "cairn/factor_problem.hpp"
#include "planner/plan_data.hpp"

namespace cairn {

double flops(const FactoriseProblem& problem);
double flops(const SolveProblem& problem);

/// How long a sketch promises to take.
template <class P>
double promised_seconds(const Machine& machine, const P& problem, const Sketch& sketch);

/// Sketches of all variants on so many of the problem's ranks that leave no more idle than the options allow, in the
/// order in which plans look at them: best first.
template <class P>
std::vector<Sketch> promising(const Machine& machine, const P& problem, const Options& options, Int ranks);

}  // namespace cairn
