// What a plan of a factorisation or a solve knows.
#pragma once
#include <map>
#include <vector>

#include "algorithms/triangular.hpp"
#include "cairn/any_problem.hpp"
#include "cairn/factor_plan.hpp"
#include "planner/plan_data.hpp"

namespace cairn {

struct FactorPlan::Data : PlannedSchedule {
  std::optional<Layout> a, b;  ///< the caller's
  /// How all collectives of a kind are carried out, where one way was found to be the fastest for all.
  using Ways = std::map<Collective, How>;
  Ways ways;

  /// The next best, best first: what they take, and enough to make them again; of those that are only sketched, how
  /// many times as long they take as this one's sketch, how many times its words, and what a rank holds at least.
  struct Other {
    struct Sketched {
      double seconds, received, held;
    };
    std::string algorithm;
    int look_ahead = 0;
    Ways ways{};
    double seconds = 0;
    bool about = false;  ///< as many times the plan's seconds as the clock says, where the plan was replayed
    std::optional<Sketched> sketched{};
  };
  std::vector<Other> others;
  bool leaves_out_larger = false;  ///< whether others were not compared since they do not fit into the memory
};

/// What it plans.
AnyProblem problem_of(const FactorPlan::Data& plan);
/// One of the next best as it was compared with the plan, which keeps none of their schedules.
FactorPlan made_again(const FactorPlan::Data& plan, const FactorPlan::Data::Other& other);

/// Throws ArgumentError about sizes, ranks, layouts and options that no plan can have.
void require_arguments(const FactoriseProblem& problem, const Options& options);
void require_arguments(const SolveProblem& problem, const Options& options);

}  // namespace cairn
