// cairn simulate gemm M N K --ranks P: counts and clocks all ranks of a multiplication, without matrices and without
// MPI.
#include <cstdio>
#include <fstream>
#include <memory>

#include "cairn/error.hpp"
#include "cairn/simulate.hpp"
#include "commands.hpp"
#include "io/atomic_file.hpp"

namespace cairn::app {

namespace {

struct SimulateArguments {
  GemmProblem problem;
  Options options;
  std::string type = "float64", memory, timeline;
  std::vector<Int> timeline_ranks{0};
  bool json = false;
};

void run(SimulateArguments& a) {
  a.problem.type = scalar_type_named(a.type);
  if (!a.memory.empty()) a.options.memory_words = words_of_memory(a.memory, a.problem.type);
  const Simulation s = simulate(a.problem, a.options);
  const std::string trace = a.timeline.empty() ? "" : simulate_timeline(a.problem, a.options, a.timeline_ranks);
  std::fputs((a.json ? s.json() : s.text()).c_str(), stdout);
  if (a.timeline.empty()) return;
  io::AtomicFile file(a.timeline);
  std::ofstream out(file.temporary(), std::ios::binary);
  if (!(out << trace) || !out.flush()) throw FileError(a.timeline + ": could not be written");
  out.close();
  file.commit();
}

}  // namespace

void add_simulate(CLI::App& app) {
  CLI::App* simulate = app.add_subcommand("simulate", "Count and clock an operation on any number of ranks");
  simulate->require_subcommand(1);
  CLI::App* gemm = simulate->add_subcommand("gemm", "C = A·B with A M x K, B K x N, C M x N");
  auto a = std::make_shared<SimulateArguments>();
  gemm->add_option("M", a->problem.m, "Rows of A and C")->required();
  gemm->add_option("N", a->problem.n, "Columns of B and C")->required();
  gemm->add_option("K", a->problem.k, "Columns of A, rows of B")->required();
  gemm->add_option("--ranks", a->problem.ranks, "Number of ranks")->required();
  gemm->add_option("--memory", a->memory, "Most that a rank may hold: 2GiB, 500MB, bytes, or 100000words");
  gemm->add_option("--type", a->type, "float32, float64, complex64 or complex128")->capture_default_str();
  gemm->add_option("--algorithm", a->options.algorithm,
                   "One-line spelling, \"summa 32x32 b=256\", or a name; else chosen");
  gemm->add_option("--look-ahead", a->options.look_ahead, "Rounds whose panels travel early");
  gemm->add_option("--collectives", a->options.collectives, "\"bcast=chain:8, allgather=ring\"; else by default");
  gemm->add_option("--machine", a->options.machine, "Machine to simulate: a name or a JSON file")
      ->capture_default_str();
  gemm->add_option("--timeline", a->timeline, "File for a Chrome trace of the ranks of --timeline-ranks");
  gemm->add_option("--timeline-ranks", a->timeline_ranks, "Ranks of the timeline, \"0,1,5\"")
      ->delimiter(',')
      ->capture_default_str();
  gemm->add_flag("--json", a->json, "Print JSON (docs/plan_json.md)");
  gemm->callback([a] { run(*a); });
}

}  // namespace cairn::app
