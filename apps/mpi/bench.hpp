// `cairn bench gemm`: what is measured, and how it is told.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cairn/comm.hpp"
#include "cairn/plan.hpp"

namespace cairn::app {

struct BenchArguments {
  std::string algorithms, transports, shapes = "square,largeK,largeM,flat", regime = "strong", sizes, look_ahead;
  std::string memory = "32MiB", type = "float64", collectives, machine = "local", output;
  int ranks = 0;  ///< 0: not said
  int repeats = 7;
  Int ranks_per_node = 0;
  bool scalapack = false, check = false, times_only = false, csv = false, json = false;
};

/// A product to be measured.
struct BenchCase {
  std::string shape;  ///< one of the paper's, or "asked" for sizes given
  Int m = 0, n = 0, k = 0;
};

/// A way to compute it.
struct BenchWay {
  Options options;
  bool asked = false;  ///< by name: then it is an error if it cannot be planned
};

/// What one way took for one case: figures of the rank where they are largest, medians over the rounds.
struct BenchRow {
  BenchCase what;
  std::string algorithm, transport;
  int look_ahead = 0;
  Int words = 0, messages = 0, node_words = 0;  ///< received by the rank with the most
  double seconds = 0;
  double gflops = 0;  ///< of all ranks together
  double speed = 1;   ///< median over rounds of: seconds of the first row of this case, or of ScaLAPACK, over these
  std::optional<double> predicted;          ///< seconds by the clock; none for ScaLAPACK
  std::optional<double> computing, moving;  ///< seconds without messages, and without products
  std::optional<double> residual;           ///< of Freivalds' test, over its threshold
  std::vector<double> rounds;               ///< seconds, as they were measured

  /// Share of the messages' time that the products hide: 1 − (both − products alone)/messages alone. None where
  /// messages take less than 2 % of the time, or were not measured alone.
  std::optional<double> hidden() const;
  std::optional<double> predicted_over_measured() const;
};

struct BenchReport {
  ScalarType type = ScalarType::float64;
  int ranks = 1, repeats = 0;
  std::string regime, machine, kernels, baseline;
  std::vector<BenchRow> rows;
  std::vector<std::string> notes;  ///< what was left out, and why
};

/// Cases and ways that the arguments ask for. Throw ArgumentError listing the names there are.
std::vector<BenchCase> cases_of(const BenchArguments& arguments, int ranks);
std::vector<BenchWay> ways_of(const BenchArguments& arguments);

/// Collective; throws the same cairn::Error on all ranks.
BenchReport bench_gemm(const Comm& world, const BenchArguments& arguments);

std::string as_text(const BenchReport& report);
std::string as_csv(const BenchReport& report);
std::string as_json(const BenchReport& report);

}  // namespace cairn::app
