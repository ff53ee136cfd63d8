// What a plan of a factorisation or a solve knows: found when somebody asks, once.
#include "cairn/error.hpp"
#include "interpret/replay/replay.hpp"
#include "model/transport.hpp"
#include "planner/plan_data.hpp"
#include "planner/plan_factor.hpp"
#include "schedule/text.hpp"

namespace cairn {

const Totals& FactorPlan::Data::totals() const {
  std::call_once(counted_, [this] { totals_ = count_all(collective, wire, transport()); });
  return totals_;
}
const Times& FactorPlan::Data::times() const {
  if (replays) {
    std::call_once(replayed_, [this] { of_replay_ = replay(wire, machine.by(transport()), type).last; });
    return of_replay_;
  }
  return by_clock();
}
const Times& FactorPlan::Data::by_clock() const {
  std::call_once(clocked_, [this] { of_clock_ = clock(wire, machine.by(transport()), type); });
  return of_clock_;
}

Int FactorPlan::Data::bytes() const {
  const Int window = transport() == Transport::one_sided ? totals().max.peak_words * size_of(type) : 0;
  return bytes_of(collective) + bytes_of(wire) + window;
}

int look_ahead_of(const FactorPlan& plan) { return plan.data().look_ahead; }
Int working_ranks(const FactorPlan& plan) { return plan.data().collective.grid.size(); }
double flops_of(const FactorPlan& plan) { return flops(plan.data().collective.problem); }

std::string FactorPlan::algorithm() const { return data_->collective.algorithm; }
Int FactorPlan::ranks() const { return data_->ranks; }
ScalarType FactorPlan::type() const { return data_->type; }
Count FactorPlan::max_count() const {
  Count most = data_->totals().max;
  if (const auto n = node_words(data_->wire, data_->options, data_->machine)) most.node_words = n->max;
  return most;
}
double FactorPlan::mean_received() const { return data_->totals().mean_received; }
double FactorPlan::received_bound() const { return cairn::received_bound(data_->collective.problem, data_->ranks); }
double FactorPlan::predicted_seconds() const { return data_->times().seconds; }
std::string FactorPlan::print() const { return cairn::print(data_->collective); }

Count FactorPlan::count(Int rank) const {
  require_rank(rank, data_->ranks);
  return cairn::count(data_->collective, data_->wire, rank, data_->transport(),
                      ranks_per_node(data_->options, data_->machine));
}

// The result comes last; of a solve, the triangle is the operand.
Layout FactorPlan::layout_a() const { return data_->a.value_or(data_->wire.layout(data_->wire.callers().front())); }
Layout FactorPlan::layout_b() const {
  const std::vector<Slot> callers = data_->wire.callers();
  if (callers.size() < 2) throw ArgumentError("layout_b: of a factorisation, expected a solve");
  return data_->b.value_or(data_->wire.layout(callers.back()));
}

}  // namespace cairn
