// cairn simulate gemm M N K --ranks P: counts and clocks all ranks of a multiplication, without matrices and without
// MPI.
#include <cstdio>
#include <memory>

#include "cairn/simulate.hpp"
#include "commands.hpp"

namespace cairn::app {

namespace {

struct SimulateArguments {
  GemmArguments gemm;
  std::string timeline;
  std::vector<Int> timeline_ranks{0};
  bool json = false;
};

void run(SimulateArguments& a) {
  a.gemm.problem.type = scalar_type_named(a.gemm.type);
  settle(a.gemm);
  const Simulation s = simulate(a.gemm.problem, a.gemm.options);
  if (!a.timeline.empty()) write_whole(a.timeline, simulate_timeline(a.gemm.problem, a.gemm.options, a.timeline_ranks));
  std::fputs((a.json ? s.json() : s.text()).c_str(), stdout);
}

}  // namespace

void add_simulate(CLI::App& app) {
  CLI::App* simulate = app.add_subcommand("simulate", "Count and clock an operation on any number of ranks");
  simulate->require_subcommand(1);
  CLI::App* gemm = simulate->add_subcommand("gemm", "C = A·B with A M x K, B K x N, C M x N");
  auto a = std::make_shared<SimulateArguments>();
  add_gemm_arguments(*gemm, a->gemm);
  add_planning_options(*gemm, a->gemm);
  gemm->get_option("--look-ahead")
      ->description("Rounds whose panels travel early; else none, or chosen together with the algorithm's cuts");
  gemm->add_option("--timeline", a->timeline, "File for a Chrome trace of the ranks of --timeline-ranks");
  gemm->add_option("--timeline-ranks", a->timeline_ranks, "Ranks of the timeline, \"0,1,5\"")
      ->delimiter(',')
      ->capture_default_str();
  gemm->add_flag("--json", a->json, "Print JSON (docs/plan_json.md)");
  gemm->callback([a] { run(*a); });
}

}  // namespace cairn::app
