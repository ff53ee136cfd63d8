// Plans of factorisations and of solves with a triangle: the algorithm, its schedule for all ranks, and everything
// known before it runs. Needs no MPI, no BLAS and no matrices.
#pragma once
#include <memory>
#include <string>

#include "cairn/factor_problem.hpp"
#include "cairn/options.hpp"
#include "cairn/plan.hpp"

namespace cairn {

class FactorPlan {
 public:
  struct Data;  ///< private to the library
  explicit FactorPlan(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  /// One-line spelling of the algorithm, which Options::algorithm accepts: "cholesky 2x2 b=64".
  std::string algorithm() const;
  /// Whether it is of a solve, which has a B, and not of a factorisation.
  bool solves() const;
  Int ranks() const;
  ScalarType type() const;
  /// What `rank` will receive, compute and hold.
  Count count(Int rank) const;
  /// Largest of each figure over all ranks.
  Count max_count() const;
  /// Words received, over all ranks.
  double mean_received() const;
  /// Words that some rank must receive, whatever its memory, if all compute as much (docs/papers.md).
  double received_bound() const;
  double predicted_seconds() const;
  /// Layouts of the matrices: the caller's, or the plan's own, in which ranks share some elements (Layout::overlapping)
  /// only if the algorithm `triangle` or the fewest words were asked for. A factorisation has no B.
  Layout layout_a() const;
  Layout layout_b() const;
  /// The page that `cairn plan` prints: grid, words, messages, bound, memory, time, and the next best plans.
  std::string explain() const;
  /// The same as JSON; the keys are documented in docs/plan_json.md and stable.
  std::string json() const;
  /// The schedule as text, one line a step.
  std::string print() const;

  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

/// Plan a Cholesky factorisation. Of the options those count that concern memory, the algorithm, what is preferred,
/// look-ahead, collectives, transport, nodes, machine and kernels, and when it runs verified counts and the trace.
/// Throws ArgumentError for a negative order, no ranks, a layout on more ranks or of another size, an unknown algorithm
/// or machine, a grid larger than the ranks, and the transport node-shared; MemoryError, naming the words needed, if no
/// plan fits options.memory_words.
FactorPlan plan(const FactoriseProblem& problem, const Options& options = {});
/// Plan a solve with a triangle. Likewise.
FactorPlan plan(const SolveProblem& problem, const Options& options = {});

}  // namespace cairn
