// cairn plan gemm M N K --ranks P: what a multiplication will move, hold and take, without running anything.
#include <cstdio>
#include <memory>

#include "commands.hpp"

namespace cairn::app {

namespace {

struct PlanArguments {
  GemmArguments gemm;
  bool print = false, json = false;
};

void run(PlanArguments& a) {
  a.gemm.problem.type = scalar_type_named(a.gemm.type);
  settle(a.gemm);
  const Plan p = plan(a.gemm.problem, a.gemm.options);
  const std::string text = a.json ? p.json() : a.print ? p.print() : p.explain();
  std::fputs(text.c_str(), stdout);
}

}  // namespace

void add_plan(CLI::App& app) {
  CLI::App* plan = app.add_subcommand("plan", "Plan an operation and say what it moves, holds and takes");
  plan->require_subcommand(1);
  CLI::App* gemm = plan->add_subcommand("gemm", "C = A·B with A M x K, B K x N, C M x N");
  auto a = std::make_shared<PlanArguments>();
  add_gemm_arguments(*gemm, a->gemm);
  add_planning_options(*gemm, a->gemm);
  add_transport_options(*gemm, a->gemm);
  CLI::Option* print = gemm->add_flag("--print", a->print, "Print the schedule instead of the explanation");
  gemm->add_flag("--json", a->json, "Print the plan as JSON (docs/plan_json.md)")->excludes(print);
  gemm->callback([a] { run(*a); });
}

}  // namespace cairn::app
