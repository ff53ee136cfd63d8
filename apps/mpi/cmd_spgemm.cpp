// cairn spgemm A B -o C: two block-sparse matrices from files, on ranks that it starts itself if need be.
#include <CLI/CLI.hpp>
#include <memory>

#include "block_multiply.hpp"
#include "cairn/error.hpp"
#include "commands_over_mpi.hpp"
#include "number_checks.hpp"
#include "start.hpp"

namespace cairn::app {

void add_spgemm(CLI::App& app) {
  CLI::App* command = app.add_subcommand("spgemm", "Multiply two block-sparse matrices from files on several ranks");
  const auto a = std::make_shared<BlockMultiplyArguments>();
  const auto flags = std::make_shared<ProductFlags>();
  command->add_option("A", a->a, "Left matrix: Matrix Market, which may be compressed with gzip, or .cbs")->required();
  command->add_option("B", a->b, "Right matrix")->required();
  add_operands(*command, *a, *flags);
  command
      ->add_option(
          "--eps", a->options.filter_eps,
          "Leave out products that would change no block of C by more than this, and blocks of C of a smaller norm")
      ->transform(number<double>(0))
      ->capture_default_str();
  CLI::Option* pattern = command->add_flag("--retain-sparsity", a->options.retain_sparsity,
                                           "Compute no blocks but those of the file --c-in");
  command->add_option("--algorithm", a->options.algorithm,
                      "One-line spelling, \"fetch25d 2x2 layers=1x2\"; else chosen");
  command->add_option("--transport", a->options.transport,
                      "How panels of A and B travel: two-sided or one-sided; else chosen");
  CLI::Option* plan = command->add_flag(
      "--plan", a->plan, "Say what the product will do, from the blocks that are there, and multiply nothing");
  command->add_flag("--check", a->check, "Check the product with Freivalds' random test before it is written")
      ->excludes(plan)
      ->excludes(pattern);
  add_block_options(*command, *a, "The product C", "the files");
  plan->excludes(command->get_option("--output"));
  command->callback([command, a, flags] {
    understand(*flags, *a, a->options.retain_sparsity);
    if (a->options.retain_sparsity && a->c_in.empty())
      throw ArgumentError("--retain-sparsity: expected --c-in FILE with the blocks that are computed");
    run_and_report(*command, *a, block_multiply);
  });
}

}  // namespace cairn::app
