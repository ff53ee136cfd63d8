// What the clock knows of a machine: latency and bandwidth per level, and how fast local products run.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

struct Machine {
  /// Ranks that can talk to each other at these figures: those of one unit of `ranks` consecutive ranks.
  struct Level {
    std::string name;
    Int ranks = 0;  ///< 0: unlimited
    double latency_seconds = 0;
    double seconds_per_byte = 0;  ///< for one rank while all ranks communicate
    bool operator==(const Level&) const = default;
  };
  /// A product whose smallest dimension is d runs at flops_per_second · d/(d + half_size).
  struct Gemm {
    std::array<double, 4> flops_per_second{};  ///< one rank's peak, by ScalarType; real operations
    double half_size = 0;                      ///< smallest dimension at which half the peak is reached
    bool operator==(const Gemm&) const = default;
  };

  std::string name;
  std::string source;         ///< where the figures come from
  std::vector<Level> levels;  ///< innermost first; the last is unlimited
  Gemm gemm;
  double step_seconds = 0;  ///< a rank's own work per step, beside communication and computation
  double precision = 0;     ///< predictions that differ by a smaller share are taken for equal

  /// Seconds for one rank's m × k by k × n.
  double gemm_seconds(Int m, Int n, Int k, ScalarType type) const;
  /// Seconds for so many multiplications and additions of two elements each, at the peak.
  double peak_seconds(double products, ScalarType type) const;
  /// Number of the innermost level of which one unit holds `ranks` ranks.
  std::size_t level_of(Int ranks) const;
  bool operator==(const Machine&) const = default;
};

/// A built-in machine by its name, or one read from a JSON file. Throws ArgumentError naming the built-in ones,
/// FileError saying in one sentence what is wrong with the file.
Machine find_machine(const std::string& name_or_path);
std::vector<std::string> machine_names();

/// JSON as documented in docs/plan_json.md; `where` names the text in errors (FileError).
Machine parse_machine(std::string_view json, const std::string& where);
std::string print_machine(const Machine& machine);

}  // namespace cairn
