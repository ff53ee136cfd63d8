// cairn calibrate -o machine.json: what the clock should know of this machine.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>

#include "cairn/error.hpp"
#include "calibrate.hpp"
#include "commands.hpp"
#include "commands_over_mpi.hpp"
#include "io/atomic_file.hpp"
#include "number_checks.hpp"
#include "start.hpp"

namespace cairn::app {

namespace {

void on_ranks(const Comm& world, const CalibrateArguments& a) {
  const Calibration c = calibrate(world, a);
  const std::string json = print_machine(c.machine);
  if (world.rank() == 0 && !a.output.empty()) io::write_whole(a.output, json);
  print_once(world, a.json ? json : as_text(c, a));
  if (world.size() == 1 && (a.json || !a.output.empty()))
    std::fprintf(stderr,
                 "cairn: one rank sends no messages, so they cost nothing on this machine; for plans of several ranks, "
                 "calibrate with --ranks 2 or more\n");
}

[[noreturn]] void run(const CLI::App& command, const CalibrateArguments& a) {
  if (!(a.seconds > 0) || !std::isfinite(a.seconds))
    throw ArgumentError(fmt::format("--seconds {}: expected a number above 0", a.seconds));
  run_on_ranks(command, a.ranks, a.json, [&](const Comm& world) { on_ranks(world, a); });
}

}  // namespace

void add_calibrate(CLI::App& app) {
  CLI::App* calibrate = app.add_subcommand("calibrate", "Measure this machine, for predictions of time");
  auto a = std::make_shared<CalibrateArguments>();
  calibrate->add_option("-o,--output", a->output, "JSON file for --machine; else only the table is printed");
  calibrate->add_option("--name", a->name, "What the file calls the machine; else \"calibrated\"");
  calibrate->add_option("--ranks", a->ranks, "Ranks to start, all busy at once; else as many as cores, at most 4")
      ->transform(number<int>(1));
  calibrate->add_option("--seconds", a->seconds, "About how long it may take")
      ->transform(number<double>())
      ->capture_default_str();
  calibrate->add_flag("--json", a->json, "Print the file instead of the table");
  calibrate->callback([calibrate, a] { run(*calibrate, *a); });
}

}  // namespace cairn::app
