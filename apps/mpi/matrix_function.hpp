// `cairn inverse`, `inverse-sqrt`, `sign`: what was asked for, what was done, and how it is told.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "function_run.hpp"

namespace cairn::app {

enum class MatrixFunction : std::uint8_t { inverse, inverse_sqrt, sign };
/// What the library calls its argument.
inline const char* argument_of(MatrixFunction function) { return function == MatrixFunction::sign ? "A" : "S"; }

struct MatrixFunctionArguments : BlockArguments {
  MatrixFunction function = MatrixFunction::inverse;
  std::string file;
  bool check = false;
  FunctionOptions options;
};

/// Everything that the report says.
struct MatrixFunctionReport : FunctionFacts {
  FileInfo file;
  double file_occupancy = 0;
  std::optional<double> error;  ///< of the result, if it was checked: ‖1 − …‖_F/√n
};

/// Reads A, finds the function of it, writes that. Collective; throws the same cairn::Error on all ranks. Where no JSON
/// is wanted, rank 0 prints the file and a line for each iteration as it goes.
MatrixFunctionReport matrix_function(const Comm& world, MatrixFunctionArguments arguments);

/// The report for people: what comes before the iterations, and the rest.
std::string opening_text(const MatrixFunctionReport& report, MatrixFunction function);
std::string as_text(const MatrixFunctionReport& report, const MatrixFunctionArguments& arguments);
std::string as_json(const MatrixFunctionReport& report, const MatrixFunctionArguments& arguments);

}  // namespace cairn::app
