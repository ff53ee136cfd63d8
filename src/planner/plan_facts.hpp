// What is known of plans, for those who report it.
#pragma once
#include "cairn/block_plan.hpp"
#include "cairn/factor_plan.hpp"
#include "cairn/plan.hpp"
#include "interpret/clock.hpp"
#include "interpret/count.hpp"

namespace cairn {

/// plan() on a given machine instead of options.machine.
Plan plan_on(const Machine& machine, const GemmProblem& problem, const Options& options);
FactorPlan plan_on(const Machine& machine, const FactoriseProblem& problem, const Options& options);
FactorPlan plan_on(const Machine& machine, const SolveProblem& problem, const Options& options);
BlockPlan plan_on(const Machine& machine, const BlockProblem& problem, const Options& options);

/// The three lower bounds, for the memory that the plan may use, or else the memory it does use.
struct PlanBounds {
  double memory_words = 0;
  double sequential = 0, theorem2 = 0, tight = 0;
  /// What the plan does, over the bound: sequential: all words that all ranks touch; theorem2: words that the rank with
  /// the most touches, its own parts of A, B, C included; tight: words received. 1 where both are 0.
  double sequential_ratio = 1, theorem2_ratio = 1, tight_ratio = 1;
};
PlanBounds plan_bounds(const Plan& plan);

/// Products by which the next panels travel ahead.
int look_ahead_of(const Plan& plan);
int look_ahead_of(const FactorPlan& plan);
/// Over all ranks.
const Totals& totals_of(const Plan& plan);
const Times& times_of(const Plan& plan);

/// Share of the ranks' time, if all computed as long as the busiest, in which they do compute.
double utilisation(const Totals& totals, Int ranks);

/// Those that have a place on its grid; the others are idle.
Int working_ranks(const FactorPlan& plan);
/// Of all ranks, operations on numbers of its type.
double flops_of(const FactorPlan& plan);

}  // namespace cairn
