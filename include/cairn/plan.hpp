// A plan: the chosen algorithm, its schedule for all ranks, and everything known before running it.
// Needs no MPI, no BLAS and no matrices.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "cairn/options.hpp"
#include "cairn/problem.hpp"

namespace cairn {

/// Words, messages, flops and memory of one rank.
struct Count {
  Int received = 0;    ///< words received, by each collective's definition
  Int wire_words = 0;  ///< words received point to point
  Int messages = 0;    ///< messages received point to point
  Int flops = 0;
  Int peak_words = 0;  ///< native panels + arena
  Int node_words = 0;  ///< of wire_words, those that come from another node
  bool operator==(const Count&) const = default;
};

class Plan {
 public:
  struct Data;  ///< private to the library
  explicit Plan(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  const GemmProblem& problem() const;
  const Options& options() const;
  /// One-line spelling of the algorithm, which Options::algorithm accepts.
  std::string algorithm() const;
  /// [pm, pn, pk].
  std::array<Int, 3> grid() const;
  Int rounds() const;
  /// "two-sided", "one-sided" or "node-shared".
  std::string_view transport() const;
  /// What `rank` will receive, compute and hold.
  Count count(Int rank) const;
  /// Largest of each figure over all ranks.
  Count max_count() const;
  double predicted_seconds() const;
  /// Layouts of the matrices as stored, A k × m if transposed: the caller's, or the plan's own.
  Layout layout_a() const;
  Layout layout_b() const;
  Layout layout_c() const;
  /// The page that `cairn plan` prints: grid, rounds, words, messages, bounds, memory, time.
  std::string explain() const;
  /// The same as JSON; the keys are documented in docs/plan_json.md and stable.
  std::string json() const;
  /// The schedule as text, one line a step.
  std::string print() const;

  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// Plan a multiplication. Throws ArgumentError for a negative size, no ranks, an unknown algorithm or machine, a grid
/// larger than the ranks; MemoryError, naming the words needed, if no plan fits options.memory_words.
Plan plan(const GemmProblem& problem, const Options& options = {});

/// Plan another multiplication as `model` is planned: by its algorithm on its grid, in as many rounds and by its
/// transport. Nothing is searched, which is fast, and good where the problems differ little in their sizes, as in a
/// loop over a matrix that shrinks. Throws as plan(), also where the problem's layouts do not allow that algorithm.
Plan plan_alike(const Plan& model, const GemmProblem& problem);

}  // namespace cairn
