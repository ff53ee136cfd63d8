// cairn plan gemm M N K --ranks P, and potrf, trsm and spgemm: what an operation will move, hold and take, without
// running anything.
#include <CLI/CLI.hpp>

#include "cairn/factor_plan.hpp"
#include "commands.hpp"
#include "planner/limits.hpp"

namespace cairn::app {

namespace {

struct Form {
  bool print = false, json = false, limits = false;
};

bool takes_transport(const AnyProblem& problem) {
  return std::holds_alternative<GemmProblem>(problem) || std::holds_alternative<BlockProblem>(problem);
}

void run(PlanningArguments& a, const Form& form) {
  settle(a);
  const auto text = [&](const auto& problem) {
    const auto p = plan(problem, a.options);
    if (form.json) return p.json();
    if (form.print) return p.print();
    return form.limits ? p.explain() + limits_text() : p.explain();
  };
  print_all(std::visit(text, a.problem));
}

}  // namespace

void add_plan(CLI::App& app) {
  CLI::App* plan = app.add_subcommand("plan", "Plan an operation and say what it moves, holds and takes");
  add_operations(*plan, [](CLI::App& operation, const std::shared_ptr<PlanningArguments>& a) {
    if (takes_transport(a->problem)) add_transport_options(operation, *a);
    const auto form = std::make_shared<Form>();
    CLI::Option* print = operation.add_flag("--print", form->print, "Print the schedule instead of the explanation");
    CLI::Option* json = operation.add_flag("--json", form->json, "Print the plan as JSON (docs/plan_json.md)");
    operation.add_flag("--limits", form->limits, "Say at the end how far the planner looks")->excludes(print, json);
    json->excludes(print);
    operation.callback([a, form] { run(*a, *form); });
  });
}

}  // namespace cairn::app
