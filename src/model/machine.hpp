// What the clock knows of a machine: how long messages take at each level, and how fast local work runs.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/types.hpp"
#include "model/kernels.hpp"
#include "model/transport.hpp"

namespace cairn {

struct Machine {
  /// A measured message: how long `bytes` take from the sender's call to their arrival.
  struct Message {
    double bytes = 0, seconds = 0;
    bool operator==(const Message&) const = default;
  };
  /// Ranks that can talk to each other at these figures: those of one unit of `ranks` consecutive ranks. LogGP
  /// [communication-avoiding-overlapping-2012 §III-C]: a message of s bytes takes o of the sender's core, keeps the
  /// sender's port for g + s·G, arrives L later, having kept the receiver's port for as long, and takes o of its core.
  struct Level {
    std::string name;
    Int ranks = 0;                    ///< 0: unlimited
    double latency_seconds = 0;       ///< L
    double seconds_per_byte = 0;      ///< G, for one rank while all ranks communicate
    double overhead_seconds = 0;      ///< o, of the sender's core and of the receiver's, for each message
    double gap_seconds = 0;           ///< g, between two messages of one port
    std::vector<Message> messages{};  ///< ascending sizes; if given, they say what s bytes take instead of G

    /// Seconds for which a message keeps a port: g + s·G, or what the table says beyond L, at least g.
    double port_seconds(double bytes) const;
    /// Seconds from sending a message to its arrival, without o, where nothing is in its way: L + port_seconds.
    double message_seconds(double bytes) const { return latency_seconds + port_seconds(bytes); }
    /// Whether messages stay in memory that ranks share.
    bool within_node() const { return name == "node" || name == "memory"; }
    bool operator==(const Level&) const = default;
  };
  /// Measured share of the peak at which m × n by k products run, on a grid of sizes, k fastest.
  struct Efficiency {
    std::vector<double> m, n, k, values;  ///< ascending sizes; m·n·k values in (0, 1]
    bool empty() const { return values.empty(); }
    /// Between the sizes linear in their logarithms; beyond them as at the nearest.
    double at(double m, double n, double k) const;
    bool operator==(const Efficiency&) const = default;
  };
  /// A product runs at flops_per_second times its efficiency: what the table says, or without a table d/(d + half_size)
  /// where d is its smallest dimension.
  struct Gemm {
    std::array<double, 4> flops_per_second{};  ///< one rank's peak, by ScalarType; real operations
    double half_size = 0;                      ///< smallest dimension at which half the peak is reached
    Efficiency efficiency{};
    std::string kernels{};                   ///< that the peaks are of; empty: not known, or those of no BLAS
    std::vector<KernelRate> kernel_rates{};  ///< one core's with several kernels: what counts is how they compare
    bool operator==(const Gemm&) const = default;
  };
  /// What a collective was measured to take: not used by the clock, which takes collectives apart into messages, but
  /// to say how well it does so.
  struct Collective {
    std::string name;  ///< as options name it, "bcast=binomial"
    Int ranks = 0;
    double bytes = 0;  ///< of the largest message that a rank contributes or receives
    double seconds = 0;
    bool operator==(const Collective&) const = default;
  };

  /// What it costs that the ranks of a node work in each other's memory.
  struct Shared {
    double read_seconds_per_byte = 0;  ///< a product reads an operand from another rank's memory: what that adds
    double wait_seconds = 0;           ///< a step waits until others have come far enough, if they have
    bool operator==(const Shared&) const = default;
  };

  std::string name;
  std::string source;         ///< where the figures come from
  std::vector<Level> levels;  ///< innermost first; the last is unlimited
  Gemm gemm;
  double read_seconds_per_byte = 0;  ///< a product reads an operand from the caller's matrix: what that adds
  double copy_seconds_per_byte = 0;  ///< one rank copies in its node's memory while all ranks do
  std::optional<Shared> shared{};    ///< nothing: not known, and node-shared is planned only if it is asked for
  std::vector<Level> one_sided{};    ///< as levels, for blocks fetched one-sided; empty: the same as for levels
  std::vector<Collective> collectives{};
  double step_seconds = 0;  ///< a rank's own work per step, beside communication and computation
  double precision = 0;     ///< predictions that differ by a smaller share are taken for equal

  /// Seconds for one rank's m × k by k × n.
  double gemm_seconds(Int m, Int n, Int k, ScalarType type) const;
  /// Seconds for so many multiplications and additions of two elements each, at the peak.
  double peak_seconds(double products, ScalarType type) const;
  /// Number of the innermost level of which one unit holds `ranks` ranks.
  std::size_t level_of(Int ranks) const;
  /// The innermost level of which one unit holds both ranks.
  const Level& between(Int a, Int b) const;
  /// As that transport's words see it: with one_sided for levels, where these are known and meant.
  Machine by(Transport transport) const;
  /// As a process sees it whose BLAS uses such kernels: peaks as they were measured with these, or else scaled by what
  /// kernels do in a cycle. The same for an empty name, and where that is not known, as of the machines of papers.
  /// Throws ArgumentError for a name that neither the machine nor kernel_names() has.
  Machine with_kernels(std::string_view kernels) const;
  /// Ranks of one node: of the largest unit that shares memory, the one called "node" or else the innermost limited
  /// one; 0 if all ranks share it.
  Int ranks_per_node() const;
  bool operator==(const Machine&) const = default;
};

/// Whether nobody names the machine: this name is empty, and the environment variable CAIRN_MACHINE, too.
bool machine_is_open(const std::string& name);
/// A built-in machine by its name, or one read from a JSON file; for an empty name the one that the environment
/// variable CAIRN_MACHINE names, or else "generic". Throws ArgumentError naming the built-in ones, FileError saying in
/// one sentence what is wrong with the file.
Machine find_machine(const std::string& name_or_path);
std::vector<std::string> machine_names();

/// JSON as documented in docs/plan_json.md; `where` names the text in errors (FileError). parse(print(m)) == m.
Machine parse_machine(std::string_view json, const std::string& where);
std::string print_machine(const Machine& machine);

/// The built-in machines, in the order of machine_names().
const std::vector<Machine>& built_in_machines();

}  // namespace cairn
