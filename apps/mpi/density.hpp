// `cairn density`: what was asked for, what was done, and how it is told.
#pragma once
#include <optional>
#include <string>

#include "function_run.hpp"

namespace cairn::app {

struct DensityArguments : BlockArguments {
  std::string h, s;  ///< files
  std::optional<Int> electrons;
  std::optional<double> mu;  ///< one of both
  std::string method;
  DensityOptions options;
};

/// Everything that the report says.
struct DensityReport : FunctionFacts {
  FileInfo h, s;
  double h_occupancy = 0, s_occupancy = 0;
  DensityMethod method = DensityMethod::sign;
  double electrons = 0, band_energy = 0, chemical_potential = 0, idempotency = 0;
};

/// Reads H and S, finds the density matrix, writes it. Collective; throws the same cairn::Error on all ranks. Where no
/// JSON is wanted, rank 0 prints the files and a line for each iteration as it goes.
DensityReport density(const Comm& world, DensityArguments arguments);

/// The report for people: what comes before the iterations, and the rest.
std::string opening_text(const DensityReport& report);
std::string as_text(const DensityReport& report, const DensityArguments& arguments);
std::string as_json(const DensityReport& report, const DensityArguments& arguments);

}  // namespace cairn::app
