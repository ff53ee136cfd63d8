// cairn multiply A B -o C: two matrices from files, on ranks that it starts itself if need be.
#include <CLI/CLI.hpp>
#include <memory>

#include "commands_over_mpi.hpp"
#include "multiply.hpp"
#include "start.hpp"

namespace cairn::app {

void add_multiply(CLI::App& app) {
  CLI::App* command = app.add_subcommand("multiply", "Multiply two matrices from files on several ranks");
  const auto a = std::make_shared<MultiplyArguments>();
  const auto flags = std::make_shared<ProductFlags>();
  command->add_option("A", a->a, "Left matrix: .npy, or Matrix Market, plain or compressed with gzip")->required();
  command->add_option("B", a->b, "Right matrix")->required();
  add_planning_options(*command, a->planning, "cosma pm2,pn2,pk2,sk4", "generic", "those in use");
  add_schedule_options(*command, a->planning);
  add_transport_options(*command, a->planning);
  add_operands(*command, *a, *flags);
  add_file_options(*command, *a, "Product", "Check the product with Freivalds' random test before it is written");
  command->callback([command, a, flags] {
    understand(*flags, *a);
    run_and_report(*command, *a, multiply);
  });
}

}  // namespace cairn::app
