// What an operation would move, hold and take on any number of ranks of a modelled machine, rank by rank. Needs no MPI,
// no BLAS and no matrices. docs/clock.md says what the clock assumes.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "cairn/any_problem.hpp"
#include "cairn/options.hpp"

namespace cairn {

struct Simulation {
  /// Over ranks, idle ones included in counts.
  struct Figures {
    double min = 0, mean = 0, max = 0;
  };
  /// The chain of computations and messages that the rank which finishes last has waited for.
  struct Path {
    double computation = 0, communication = 0, other = 0;  ///< seconds; they add up to `seconds`
    std::vector<Int> ranks;                                ///< that it passes through, from the first to the last
  };

  AnyProblem problem;
  std::string algorithm;  ///< one-line spelling
  std::string machine;    ///< name
  Int ranks_used = 0;     ///< those of the grid; times are over these
  int look_ahead = 0;
  bool exact = true;  ///< whether counts are exact: else they are those expected, or drawn, of random patterns

  Figures received;    ///< words, by each collective's definition
  Figures wire_words;  ///< words, point to point
  Figures messages;    ///< received point to point
  Figures flops;
  Figures memory;  ///< words held at most: own parts of the matrices, and the arena

  double seconds = 0;      ///< until the last rank has finished
  Int last_rank = 0;       ///< which one it is
  Figures computation;     ///< seconds in which a rank multiplies, factorises or solves
  Figures communication;   ///< seconds that it would wait for messages if it had nothing else to do
  Figures exposed;         ///< seconds that it does wait
  Figures steps;           ///< seconds of its own work: copies, overheads, steps
  Figures idle;            ///< seconds from its own end to the end of all
  double hidden = 0;       ///< share of the communication that is not waited for, 0 to 1
  double utilisation = 0;  ///< flops over what all of the problem's ranks could do at their peak in `seconds`
  bool replayed = false;   ///< message by message, as the executor runs; otherwise clocked step by step
  Path path;               ///< empty where ranks or steps are too many to follow

  std::string text() const;
  /// Keys are documented in docs/plan_json.md.
  std::string json() const;
};

/// Simulates what plan() chooses for these Options and two-sided messages. Throws ArgumentError and MemoryError as
/// plan() does.
Simulation simulate(const AnyProblem& problem, const Options& options = {});

/// The same as a Chrome trace: what the given ranks compute, receive and wait for, and when.
std::string simulate_timeline(const AnyProblem& problem, const Options& options, const std::vector<Int>& ranks);

}  // namespace cairn
