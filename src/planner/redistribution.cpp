#include "planner/redistribution.hpp"

#include <algorithm>
#include <numeric>

#include "interpret/redistribution.hpp"
#include "model/transport.hpp"
#include "planner/limits.hpp"
#include "schedule/effect.hpp"

namespace cairn {

bool has_layouts(const GemmProblem& p) { return p.a || p.b || p.c; }
bool compares_layouts(const GemmProblem& p) { return has_layouts(p) && p.ranks <= limits.compared_ranks; }

double redistribution_seconds(const Schedule& s, const Machine& machine, ScalarType type) {
  double sum = 0;
  for (const Effect& e : effects(s))
    if (const Redistribute* x = as_redistribution(e)) sum += redistribution_seconds(s, *x, machine, type);
  return sum;
}

// Ranks that share memory read each other's parts where they lie.
Int interchangeable_ranks(const GemmProblem& p, const Machine& machine, const Options& o) {
  if (!has_layouts(p) || p.ranks > limits.relabelled_ranks || transport_named(o.transport) == Transport::node_shared)
    return 1;
  Int unit = machine.levels.size() > 1 ? machine.levels.front().ranks : p.ranks;
  if (o.ranks_per_node > 0) unit = unit < p.ranks ? std::gcd(unit, o.ranks_per_node) : o.ranks_per_node;
  unit = std::min(unit, p.ranks);
  return unit <= limits.relabelled_unit ? unit : 1;
}

MadeAlgorithm relabelled(const GemmProblem& p, Int unit, const std::function<MadeAlgorithm(const GemmProblem&)>& make) {
  MadeAlgorithm made = make(p);
  if (unit == 1 || made.held || !redistributes(made.schedule)) return made;
  Relabelling relabelling = least_moving(p, made.schedule, unit);
  if (relabelling.labels.empty()) return made;
  GemmProblem of_positions = p;
  for (auto* l : {&of_positions.a, &of_positions.b, &of_positions.c})
    if (*l) *l = relabelling.labels.of_positions(**l);
  made = make(of_positions);
  made.relabelling = std::move(relabelling);
  return made;
}

}  // namespace cairn
