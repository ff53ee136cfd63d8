// cairn cholesky A -o L and cairn solve A b -o x: matrices from files, on ranks that it starts itself if need be.
#include <CLI/CLI.hpp>
#include <memory>

#include "commands_over_mpi.hpp"
#include "factor.hpp"
#include "start.hpp"

namespace cairn::app {

namespace {

void add_matrix(CLI::App& command, FactorArguments& a) {
  command
      .add_option("A", a.a, "Hermitian positive definite matrix: .npy, or Matrix Market, plain or compressed with gzip")
      ->required();
}

void add_options(CLI::App* command, const std::shared_ptr<FactorArguments>& a, const std::string& output,
                 const std::string& check) {
  add_planning_options(*command, a->planning, "cholesky 4x4x2 b=64", "local on one node, generic on several",
                       "those in use");
  add_schedule_options(*command, a->planning);
  add_triangle_option(*command, a->triangle,
                      "Triangle of A that counts, the other may hold anything; else A must be Hermitian, and the lower "
                      "one is taken");
  add_file_options(*command, *a, output, check);
  command->callback([command, a] { run_and_report(*command, *a, factorise); });
}

}  // namespace

void add_cholesky(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("cholesky", "Factorise a positive definite matrix from a file on several ranks");
  const auto a = std::make_shared<FactorArguments>();
  add_matrix(*command, *a);
  add_options(command, a, "The factor: L of A = L·Lᴴ, or U of A = Uᴴ·U with --uplo upper",
              "Check the product of the factors with Freivalds' random test before it is written");
}

void add_solve(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("solve", "Solve A·x = b with a positive definite A from a file on several ranks");
  const auto a = std::make_shared<FactorArguments>();
  add_matrix(*command, *a);
  command->add_option("b", a->b, "Right-hand sides: a vector, or a matrix of several columns")->required();
  add_options(command, a, "The solution x, as many columns as b",
              "Print the scaled residual of b - A·x, and write nothing if it is too large");
}

}  // namespace cairn::app
