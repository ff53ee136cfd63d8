#include "api/plan_on_this_node.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "planner/choose.hpp"
#include "planner/limits.hpp"
#include "planner/plan_factor.hpp"
#include "runtime/comm_state.hpp"
#include "runtime/measure/node_figures.hpp"
#include "runtime/nodes.hpp"
#include "runtime/transport/lone_messages.hpp"
#include "runtime/transport/self_test.hpp"

namespace cairn {

namespace {

// Not one of a paper, and not a calibrated one.
bool stands_for_any(const Machine& machine) {
  const std::vector<Machine>& all = built_in_machines();
  return (machine.name == "generic" || machine.name == "local") &&
         std::find(all.begin(), all.end(), machine) != all.end();
}

double multiplications(const GemmProblem& p) { return real(p.m) * real(p.n) * real(p.k); }
double multiplications(const FactoriseProblem& p) { return real(p.n) * real(p.n) * real(p.n) / 6; }
double multiplications(const SolveProblem& p) { return real(p.m) * real(p.n) * real(p.order()) / 2; }

bool wants_figures(double multiplied, const Options& o, Int ranks) {
  constexpr double least = 0x1p28;  // of a rank, which take 10 ms of a core
  if (ranks > limits.sharing_compared || multiplied < least * real(ranks)) return false;
  if (!o.transport.empty() || o.ranks_per_node > 0) return false;
  try {
    return stands_for_any(find_machine(o.machine));
  } catch (const Error&) {
    return false;  // whoever plans finds out
  }
}

// By the figures of the node, if they are known and any are wanted.
template <class P>
std::optional<Machine> machine_here(const Comm& comm, const P& problem, const Options& options) {
  const NodeFigures* const figures = node_figures(comm, wants_figures(multiplications(problem), options, comm.size()));
  const Machine machine = find_machine(options.machine);
  if (!figures || !stands_for_any(machine)) return {};
  return on_node(machine, *figures).with_kernels(options.kernels);
}

// The cores of a node carry its messages themselves, so a product does not hide them as the clock says it does.
Plan rather_shared(const Machine& machine, const Plan& plan) {
  const Plan::Data& d = plan.data();
  if (d.transport != Transport::two_sided) return plan;
  const double hidden = d.times().communication - d.times().exposed;
  for (const OtherTransport& o : d.other_transports)
    if (o.transport == Transport::node_shared && !o.algorithm.empty() && o.seconds <= d.times().seconds + hidden) {
      Options options = d.options;
      options.transport = name_of(Transport::node_shared);
      const auto shared = choose_transport(machine, d.problem, options);
      shared->options.transport.clear();
      shared->other_transports = {{Transport::two_sided, d.collective.algorithm, d.times().seconds}};
      return Plan(shared);
    }
  return plan;
}

bool is_worth_windows(double multiplied, const Options& o, Int ranks) {
  constexpr double least = 0x1p25;  // of a rank, which take a millisecond or two of a core
  return multiplied >= least * real(ranks) && o.transport.empty() && !o.memory_words && o.ranks_per_node == 0;
}

// `needed`: whether messages need their sender, as all ranks know alike.
Options by_windows(const Comm& comm, Options options, bool wanted, bool needed) {
  if (!needed || !one_sided_trouble(comm).empty() || !wanted) return options;
  options.transport = name_of(Transport::one_sided);
  // Who fetches a panel keeps nobody else from it, and passes it on to nobody.
  if (options.collectives.find(name_of(Collective::bcast)) == options.collectives.npos)
    options.collectives += options.collectives.empty() ? "bcast=flat" : ", bcast=flat";
  return options;
}

}  // namespace

std::string machine_for(const Comm& comm, const std::string& name) {
  return nodes_of(comm, 0).count == 1 && machine_is_open(name) ? "local" : name;
}

std::shared_ptr<const Machine> machine_of(const Comm& comm) {
  std::shared_ptr<const Machine>& kept = comm.state().machine;
  if (kept) return kept;
  const std::string& kernels = kernels_in_use(comm);
  return kept = std::make_shared<Machine>(made_together(comm, [&] { return find_machine("").with_kernels(kernels); }));
}

std::shared_ptr<const Machine> machine_if_known(const Comm& comm) {
  try {
    return machine_of(comm);
  } catch (const Error&) {
    return {};
  }
}

template <class P>
Options with_transport(const Comm& comm, const P& problem, const Options& options) {
  const bool wanted = is_worth_windows(multiplications(problem), options, comm.size());
  return by_windows(comm, options, wanted, wanted && messages_need_sender(comm));
}

Plan plan_here(const Comm& comm, const GemmProblem& problem, const Options& options) {
  const std::optional<Machine> here = machine_here(comm, problem, options);
  return here ? rather_shared(*here, plan_on(*here, problem, options)) : plan(problem, options);
}

// Ranks whose arguments differ are found out later; what is collective comes before what may throw on one of them.
template <class P>
FactorPlan plan_here(const Comm& comm, const P& problem, const Options& options) {
  const bool wanted = is_worth_windows(multiplications(problem), options, comm.size());
  Options chosen = by_windows(comm, options, wanted, messages_need_sender(comm, wanted));
  const std::string machine = machine_for(comm, options.machine);
  const std::optional<Machine> here = machine_here(comm, problem, options);
  if (here) return plan_on(*here, problem, chosen);
  chosen.machine = machine;
  return plan(problem, chosen);
}

template Options with_transport(const Comm&, const FactoriseProblem&, const Options&);
template Options with_transport(const Comm&, const SolveProblem&, const Options&);
template FactorPlan plan_here(const Comm&, const FactoriseProblem&, const Options&);
template FactorPlan plan_here(const Comm&, const SolveProblem&, const Options&);

}  // namespace cairn
