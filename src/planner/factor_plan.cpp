// What a plan of a factorisation or a solve says of itself.
#include "cairn/error.hpp"
#include "planner/plan_data.hpp"
#include "planner/plan_factor.hpp"
#include "schedule/text.hpp"

namespace cairn {

int look_ahead_of(const FactorPlan& plan) { return plan.data().look_ahead; }
Int working_ranks(const FactorPlan& plan) { return plan.data().collective.grid.size(); }
double flops_of(const FactorPlan& plan) { return flops(plan.data().collective.problem); }

std::string FactorPlan::algorithm() const { return data_->collective.algorithm; }
bool FactorPlan::solves() const { return data_->wire.callers().size() == 2; }
Int FactorPlan::ranks() const { return data_->wire.ranks; }
ScalarType FactorPlan::type() const { return data_->type; }
Count FactorPlan::max_count() const { return cairn::max_count(*data_); }
double FactorPlan::mean_received() const { return data_->totals().mean_received; }
double FactorPlan::received_bound() const {
  return cairn::received_bound(data_->collective.problem, data_->wire.ranks);
}
double FactorPlan::predicted_seconds() const { return data_->times().seconds; }
std::string FactorPlan::print() const { return cairn::print(data_->collective); }

Count FactorPlan::count(Int rank) const {
  require_rank(rank, data_->wire.ranks);
  return count_of(*data_, rank);
}

// The result comes last; of a solve, the triangle is the operand.
Layout FactorPlan::layout_a() const { return data_->a.value_or(data_->wire.layout(data_->wire.callers().front())); }
Layout FactorPlan::layout_b() const {
  if (!solves()) throw ArgumentError("layout_b: of a factorisation, expected a solve");
  return data_->b.value_or(data_->wire.layout(data_->wire.callers().back()));
}

}  // namespace cairn
