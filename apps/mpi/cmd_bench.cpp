// cairn bench gemm: algorithms × transports × shapes, side by side in one run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "bench.hpp"
#include "cairn/error.hpp"
#include "cairn/files.hpp"
#include "commands.hpp"
#include "commands_over_mpi.hpp"
#include "io/atomic_file.hpp"
#include "model/machine.hpp"
#include "number_checks.hpp"
#include "start.hpp"

namespace cairn::app {

namespace {

void on_ranks(const Comm& world, const BenchArguments& a) {
  if (!a.output.empty()) require_writable(world, a.output, Int{1} << 20, "-o");
  const BenchReport report = bench_gemm(world, a);
  const std::string text = a.csv ? as_csv(report) : a.json ? as_json(report) : as_text(report);
  if (a.output.empty()) return print_once(world, text);
  if (world.rank() == 0) io::write_whole(a.output, text);
}

/// What can be refused before any rank starts.
void require_sense(const BenchArguments& a) {
  scalar_type_named(a.type);
  find_machine(a.machine);
  cases_of(a, 1);
  ways_of(a);
}

[[noreturn]] void run(const CLI::App& command, const BenchArguments& a) {
  require_sense(a);
  run_on_ranks(command, a.ranks, a.csv || a.json, [&](const Comm& world) { on_ranks(world, a); });
}

void add_what(CLI::App* gemm, BenchArguments& a) {
  gemm->add_option("--algorithms", a.algorithms,
                   "Spellings, separated by ';': \"cosma; summa 1x2 b=256\"; \"planner\" is the planner's choice. Else "
                   "that and every algorithm");
  gemm->add_option("--transports", a.transports, "Separated by ','; else the planner's choice");
  gemm->add_option("--look-ahead", a.look_ahead, "Depths, separated by ','; else the planner's choice");
  gemm->add_option("--collectives", a.collectives, "As in --collectives of plan; else chosen");
  gemm->add_option("--shapes", a.shapes, "Out of square, largeK, largeM, flat")->capture_default_str();
  gemm->add_option("--regime", a.regime, "How sizes follow from ranks and memory: strong, limited or extra")
      ->capture_default_str();
  gemm->add_option("--memory", a.memory, "Memory of a rank, from which the sizes follow: 2GiB, 500MB, 100000words")
      ->capture_default_str();
  gemm->add_option("--sizes", a.sizes, "Instead of shapes: MxNxK, separated by ','");
  gemm->add_option("--type", a.type, "float32, float64, complex64 or complex128")->capture_default_str();
}

}  // namespace

void add_bench(CLI::App& app) {
  CLI::App* bench = app.add_subcommand("bench", "Measure ways to compute the same thing, side by side");
  bench->require_subcommand(1);
  CLI::App* gemm = bench->add_subcommand("gemm", "C = A·B by several algorithms, in turn in one run");
  auto a = std::make_shared<BenchArguments>();
  add_what(gemm, *a);
  add_ranks_option(*gemm, a->ranks);
  gemm->add_option("--ranks-per-node", a->ranks_per_node, "Take so many consecutive ranks for a node")
      ->transform(number<Int>(0));
  gemm->add_option("--repeats", a->repeats, "Rounds, in each of which every way runs once")
      ->transform(number<int>(1))
      ->capture_default_str();
  gemm->add_option("--machine", a->machine, "Machine for plans and predictions: a name, or a file of `cairn calibrate`")
      ->capture_default_str();
  gemm->add_flag("--scalapack", a->scalapack, "Also p?gemm of ScaLAPACK, with its best block size (Open MPI only)");
  gemm->add_flag("--check", a->check, "Check every way's product with Freivalds' random test");
  gemm->add_flag("--times-only", a->times_only, "Do not also run without products and without messages");
  CLI::Option* csv = gemm->add_flag("--csv", a->csv, "As CSV");
  gemm->add_flag("--json", a->json, "As JSON")->excludes(csv);
  gemm->add_option("-o,--output", a->output, "Write to this file instead of standard output");
  gemm->callback([gemm, a] { run(*gemm, *a); });
}

}  // namespace cairn::app
