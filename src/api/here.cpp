#include "api/here.hpp"

#include <algorithm>

#include "cairn/error.hpp"
#include "planner/plan_data.hpp"
#include "runtime/measure/node_figures.hpp"

namespace cairn {

namespace {

// Not one of a paper, and not a calibrated one.
bool stands_for_any(const Machine& machine) {
  const std::vector<Machine>& all = built_in_machines();
  return (machine.name == "generic" || machine.name == "local") &&
         std::find(all.begin(), all.end(), machine) != all.end();
}

bool wants_figures(const GemmProblem& p, const Options& o, Int ranks) {
  constexpr double least = 0x1p28;  // products of a rank, which take 10 ms of a core
  const auto products = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
  if (ranks > most_sharing_ranks || products < least * static_cast<double>(ranks)) return false;
  if (!o.transport.empty() || o.ranks_per_node > 0) return false;
  try {
    return stands_for_any(find_machine(o.machine));
  } catch (const Error&) {
    return false;  // whoever plans finds out
  }
}

// The cores of a node carry its messages themselves, so a product does not hide them as the clock says it does.
Plan rather_shared(const Machine& machine, const Plan& plan) {
  const Plan::Data& d = plan.data();
  if (d.transport != Transport::two_sided) return plan;
  const double hidden = d.times.communication - d.times.exposed;
  for (const OtherTransport& o : d.other_transports)
    if (o.transport == Transport::node_shared && !o.algorithm.empty() && o.seconds <= d.times.seconds + hidden) {
      Options options = d.options;
      options.transport = name_of(Transport::node_shared);
      auto shared = std::make_shared<Plan::Data>(plan_on(machine, d.problem, options).data());
      shared->options.transport.clear();
      shared->other_transports = {{Transport::two_sided, d.collective.algorithm, d.times.seconds}};
      return Plan(shared);
    }
  return plan;
}

}  // namespace

Plan plan_here(const Comm& comm, const GemmProblem& problem, const Options& options) {
  const NodeFigures* const figures = node_figures(comm, wants_figures(problem, options, comm.size()));
  const Machine machine = find_machine(options.machine);
  if (!figures || !stands_for_any(machine)) return plan(problem, options);
  const Machine here = on_node(machine, *figures).with_kernels(options.kernels);
  return rather_shared(here, plan_on(here, problem, options));
}

}  // namespace cairn
