// cairn inverse A -o X, cairn inverse-sqrt A, cairn sign A: functions of block-sparse matrices from files, on ranks
// that it starts itself if need be.
#include <CLI/CLI.hpp>
#include <memory>

#include "commands_over_mpi.hpp"
#include "matrix_function.hpp"
#include "start.hpp"

namespace cairn::app {

namespace {

void add(CLI::App& app, MatrixFunction function, const char* name, const char* what, const char* argument) {
  CLI::App* command = app.add_subcommand(
      name, std::string(what) + " of a block-sparse matrix from a file, by products on several ranks");
  const auto a = std::make_shared<MatrixFunctionArguments>();
  a->function = function;
  command
      ->add_option(argument_of(function), a->file,
                   std::string(argument) + ": Matrix Market, which may be compressed with gzip, or .cbs")
      ->required();
  add_function_options(*command, a->options);
  add_block_options(*command, *a, "The result X", std::string("the file ") + argument_of(function));
  command->add_flag("--check", a->check, "Report the error of the result, computed without filtering");
  command->callback([command, a] { run_and_report(*command, *a, matrix_function); });
}

}  // namespace

void add_matrix_functions(CLI::App& app) {
  add(app, MatrixFunction::inverse, "inverse", "Find the inverse", "Hermitian positive definite matrix");
  add(app, MatrixFunction::inverse_sqrt, "inverse-sqrt", "Find the inverse square root",
      "Hermitian positive definite matrix");
  add(app, MatrixFunction::sign, "sign", "Find the sign", "Matrix with real eigenvalues, none of them zero");
}

}  // namespace cairn::app
