// cairn simulate gemm M N K --ranks P, and potrf, trsm and spgemm: counts and clocks all ranks of an operation, without
// matrices and without MPI.
#include <CLI/CLI.hpp>

#include "cairn/simulate.hpp"
#include "commands.hpp"
#include "io/atomic_file.hpp"
#include "number_checks.hpp"

namespace cairn::app {

namespace {

struct Form {
  std::string timeline;
  std::vector<Int> timeline_ranks{0};
  bool json = false;
};

void run(PlanningArguments& a, const Form& form) {
  settle(a);
  const Simulation s = simulate(a.problem, a.options);
  if (!form.timeline.empty())
    io::write_whole(form.timeline, simulate_timeline(a.problem, a.options, form.timeline_ranks));
  print_all(form.json ? s.json() : s.text());
}

}  // namespace

void add_simulate(CLI::App& app) {
  CLI::App* simulate = app.add_subcommand("simulate", "Count and clock an operation on any number of ranks");
  add_operations(*simulate, [](CLI::App& operation, const std::shared_ptr<PlanningArguments>& a) {
    const auto form = std::make_shared<Form>();
    CLI::Option* timeline =
        operation.add_option("--timeline", form->timeline, "File for a Chrome trace of the ranks of --timeline-ranks");
    operation.add_option("--timeline-ranks", form->timeline_ranks, "Ranks of the timeline, \"0,1,5\"")
        ->delimiter(',')
        ->transform(number<Int>())
        ->needs(timeline)
        ->capture_default_str();
    operation.add_flag("--json", form->json, "Print JSON (docs/plan_json.md)");
    operation.callback([a, form] { run(*a, *form); });
  });
}

}  // namespace cairn::app
