// What a plan would do on a modelled machine, rank by rank.
#include "bind.hpp"
#include "cairn/plan_json.hpp"
#include "cairn/simulate.hpp"
#include "planner/plan_blocks.hpp"
#include "planner/plan_data.hpp"
#include "planner/plan_factor.hpp"

namespace cairn::python {

namespace {

AnyProblem problem_of_any(const AnyPlan& plan) {
  if (const auto* p = std::get_if<Plan>(&plan)) return p->problem();
  if (const auto* p = std::get_if<BlockPlan>(&plan)) return p->problem();
  return problem_of(std::get<FactorPlan>(plan).data());
}

// Those that lead to the same plan, on another machine if one is named.
Options options_of(const AnyPlan& plan, const std::optional<std::string>& machine) {
  Options options = std::visit(
      [](const auto& p) {
        Options o = p.data().options;
        o.algorithm = p.algorithm();
        if constexpr (requires { p.data().look_ahead; }) o.look_ahead = p.data().look_ahead;
        return o;
      },
      plan);
  if (machine) options.machine = *machine;
  return options;
}

}  // namespace

void bind_simulations(nb::module_& m) {
  const nb::call_guard<nb::gil_scoped_release> released;
  m.def(
      "simulate",
      [](const AnyPlan& plan, const std::optional<std::string>& machine) {
        const Simulation made = simulate(problem_of_any(plan), options_of(plan, machine));
        return std::pair(made.json(), made.text());
      },
      nb::arg("plan"), nb::arg("machine").none(), released, "What it found, as JSON and as the command prints it.");
  m.def(
      "timeline",
      [](const AnyPlan& plan, const std::optional<std::string>& machine, const std::vector<Int>& ranks) {
        return simulate_timeline(problem_of_any(plan), options_of(plan, machine), ranks);
      },
      nb::arg("plan"), nb::arg("machine").none(), nb::arg("ranks"), released);
}

}  // namespace cairn::python
