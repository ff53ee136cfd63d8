// cairn multiply A B -o C: two matrices from files, on ranks that it starts itself if need be.
#include <CLI/CLI.hpp>
#include <memory>

#include "commands_over_mpi.hpp"
#include "multiply.hpp"
#include "start.hpp"

namespace cairn::app {

namespace {

void on_ranks(const Comm& world, const MultiplyArguments& a) {
  advise(world, a);
  const MultiplyReport report = multiply(world, a);
  print_once(world, a.json ? as_json(report, a) : as_text(report, a, terminal()));
}

[[noreturn]] void run(const CLI::App& command, const MultiplyArguments& a) {
  run_on_ranks(command, a.ranks, a.json, [&](const Comm& world) { on_ranks(world, a); });
}

}  // namespace

void add_multiply(CLI::App& app) {
  CLI::App* multiply = app.add_subcommand("multiply", "Multiply two matrices from files on several ranks");
  const auto a = std::make_shared<MultiplyArguments>();
  const auto flags = std::make_shared<ProductFlags>();
  multiply->add_option("A", a->a, "Left matrix: .npy, or Matrix Market, plain or compressed with gzip")->required();
  multiply->add_option("B", a->b, "Right matrix")->required();
  add_planning_options(*multiply, a->planning, "cosma pm2,pn2,pk2,sk4");
  add_schedule_options(*multiply, a->planning);
  add_idle_option(*multiply, a->planning);
  add_transport_options(*multiply, a->planning);
  add_operands(*multiply, *a, *flags);
  add_file_options(*multiply, *a, "Product", "Check the product with Freivalds' random test before it is written");
  multiply->callback([multiply, a, flags] {
    understand(*flags, *a);
    run(*multiply, *a);
  });
}

}  // namespace cairn::app
