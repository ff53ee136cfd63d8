// `cairn density`: what was asked for, what was done, and how it is told.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cairn/files.hpp"
#include "cairn/matrix_functions.hpp"
#include "launch.hpp"

namespace cairn::app {

struct DensityArguments {
  std::string h, s, output;  ///< files; no output: nothing is written
  std::string blocks;        ///< as parse_block_sizes takes them; empty: the file H knows them
  std::optional<Int> electrons;
  std::optional<double> mu;  ///< one of both
  std::string method, type, memory;
  DensityOptions options;
  int ranks = 0;  ///< 0: not said
  bool json = false;
};

/// Everything that the report says.
struct DensityReport {
  FileInfo h, s;
  BlockSizes blocks;
  ScalarType type = ScalarType::float64;
  int ranks = 1;
  double h_occupancy = 0, s_occupancy = 0;
  DensityMethod method = DensityMethod::sign;
  double electrons = 0, band_energy = 0, chemical_potential = 0, idempotency = 0, occupancy = 0;
  std::vector<Iteration> iterations;
  Iteration sum;  ///< of all iterations: products, flops, words, seconds
  double prepare = 0, read = 0, density = 0, write = 0, all = 0;  ///< seconds
  double dense = 0;  ///< seconds that a dense solution takes on one core, about

  /// Whether that is less than what the cores spent here.
  bool dense_is_faster() const { return dense < density * ranks; }
};

/// Reads H and S, finds the density matrix, writes it. Collective; throws the same cairn::Error on all ranks. Where no
/// JSON is wanted, rank 0 prints the files and a line for each iteration as it goes.
DensityReport density(const Comm& world, DensityArguments arguments, const Terminal& terminal);

/// The report for people in three parts: before, for each iteration, after.
std::string opening_text(const DensityReport& report, const Terminal& terminal);
std::string iteration_text(const Iteration& iteration);
std::string closing_text(const DensityReport& report, const DensityArguments& arguments, const Terminal& terminal);
std::string as_json(const DensityReport& report, const DensityArguments& arguments);

}  // namespace cairn::app
