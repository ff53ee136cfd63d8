// cairn plan gemm M N K --ranks P: what a multiplication will move, hold and take, without running anything.
#include <cstdio>
#include <memory>

#include "cairn/plan.hpp"
#include "commands.hpp"

namespace cairn::app {

namespace {

struct PlanArguments {
  GemmProblem problem;
  Options options;
  std::string type = "float64", memory;
  Int nodes = 0;  // 0: not said
  bool print = false, json = false;
};

void run(PlanArguments& a) {
  a.problem.type = scalar_type_named(a.type);
  if (!a.memory.empty()) a.options.memory_words = words_of_memory(a.memory, a.problem.type);
  a.options.ranks_per_node = ranks_per_node(a.problem.ranks, a.nodes);
  const Plan p = plan(a.problem, a.options);
  const std::string text = a.json ? p.json() : a.print ? p.print() : p.explain();
  std::fputs(text.c_str(), stdout);
}

}  // namespace

void add_plan(CLI::App& app) {
  CLI::App* plan = app.add_subcommand("plan", "Plan an operation and say what it moves, holds and takes");
  plan->require_subcommand(1);
  CLI::App* gemm = plan->add_subcommand("gemm", "C = A·B with A M x K, B K x N, C M x N");
  auto a = std::make_shared<PlanArguments>();
  gemm->add_option("M", a->problem.m, "Rows of A and C")->required();
  gemm->add_option("N", a->problem.n, "Columns of B and C")->required();
  gemm->add_option("K", a->problem.k, "Columns of A, rows of B")->required();
  gemm->add_option("--ranks", a->problem.ranks, "Number of ranks")->required();
  gemm->add_option("--memory", a->memory, "Most that a rank may hold: 2GiB, 500MB, bytes, or 100000words");
  gemm->add_option("--type", a->type, "float32, float64, complex64 or complex128")->capture_default_str();
  gemm->add_option("--algorithm", a->options.algorithm,
                   "One-line spelling, \"cosma pm2,pn2,pk2,sk4\", or a name; else chosen");
  gemm->add_option("--prefer", a->options.prefer,
                   "time, or words: the fewest among plans that the machine's figures cannot tell apart")
      ->capture_default_str();
  gemm->add_option("--transport", a->options.transport,
                   "How words travel: two-sided, one-sided or node-shared; else two-sided");
  gemm->add_option("--nodes", a->nodes, "Nodes that the ranks are spread over evenly; else as the machine has them")
      ->check(CLI::PositiveNumber);
  gemm->add_option("--look-ahead", a->options.look_ahead, "Rounds whose panels travel early; else chosen");
  gemm->add_option("--max-idle", a->options.max_idle, "Largest share of ranks that may be idle, 0 to 1; else chosen");
  gemm->add_option("--machine", a->options.machine, "Machine to predict time for: a name or a JSON file")
      ->capture_default_str();
  CLI::Option* print = gemm->add_flag("--print", a->print, "Print the schedule instead of the explanation");
  gemm->add_flag("--json", a->json, "Print the plan as JSON (docs/plan_json.md)")->excludes(print);
  gemm->callback([a] { run(*a); });
}

}  // namespace cairn::app
