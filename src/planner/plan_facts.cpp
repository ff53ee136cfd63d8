// What explain() says of a plan, as numbers.
#include "base/arithmetic.hpp"
#include "model/bounds.hpp"
#include "planner/plan_data.hpp"

namespace cairn {

PlanBounds plan_bounds(const Plan::Data& p) {
  const GemmProblem& g = p.problem;
  PlanBounds b;
  const double ranks = real(g.ranks);
  b.memory_words = real(p.options.memory_words.value_or(p.totals().max.peak_words));
  b.sequential = sequential_bound(g.m, g.n, g.k, b.memory_words);
  b.theorem2 = parallel_bound(g.m, g.n, g.k, g.ranks, b.memory_words);
  b.tight = received_bound(g.m, g.n, g.k, g.ranks);
  const double matrices = real(g.m) * real(g.k) + real(g.k) * real(g.n) + real(g.m) * real(g.n);
  const double received = real(p.totals().max.received);
  b.sequential_ratio = ratio(p.totals().mean_received * ranks + matrices, b.sequential);
  b.theorem2_ratio = ratio(real(p.totals().most_touched), b.theorem2);
  b.tight_ratio = ratio(received, b.tight);
  return b;
}

PlanBounds plan_bounds(const Plan& plan) { return plan_bounds(plan.data()); }
int look_ahead_of(const Plan& plan) { return plan.data().look_ahead; }
const Totals& totals_of(const Plan& plan) { return plan.data().totals(); }
const Times& times_of(const Plan& plan) { return plan.data().times(); }

double utilisation(const Totals& t, Int ranks) {
  if (t.max.flops == 0) return 1;
  return t.total_flops / (real(t.max.flops) * real(ranks));
}

}  // namespace cairn
