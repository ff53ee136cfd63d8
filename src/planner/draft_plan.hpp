// A plan in the making: the schedule of one way to multiply, clocked and counted once it matters.
#pragma once
#include "algorithms/registry.hpp"
#include "planner/choose_collectives.hpp"
#include "planner/plan_data.hpp"
#include "planner/redistribution.hpp"

namespace cairn {

using Draft = std::shared_ptr<Plan::Data>;

/// Makes drafts for one problem on one machine.
class Drafts {
 public:
  Drafts(const Machine& machine, const GemmProblem& problem, const Options& options)
      : machine_(machine),
        clocked_(machine.by(transport_named(options.transport))),
        problem_(problem),
        options_(options),
        chooser_(clocked_, problem.type, parse_collectives(options.collectives),
                 {options.memory_words.has_value(), preference(options) == Prefer::words}),
        unit_(interchangeable_ranks(problem, machine, options)) {}

  /// With the figures of the transport asked for in place of messages' own.
  const Machine& machine() const { return clocked_; }
  const GemmProblem& problem() const { return problem_; }
  const Options& options() const { return options_; }

  /// An algorithm on the problem, as it is spelled or made, with ranks relabelled where that moves fewer words.
  MadeAlgorithm algorithm(std::string_view spelling) const;
  MadeAlgorithm algorithm(const std::function<MadeAlgorithm(const GemmProblem&)>& make) const;
  /// By the transport asked for, or else two-sided.
  Draft make(const MadeAlgorithm& made, int look_ahead) const;
  /// Words beyond the limit of memory, on the fullest rank; 0 or less if it fits.
  Int over_limit(const Draft& d) const;
  /// By the clock; where it sees no difference fewer words decide, then fewer ranks.
  bool faster(const Draft& a, const Draft& b) const;
  /// The same, but for words before time where these decide.
  bool better(const Draft& a, const Draft& b) const;

 private:
  const Machine& machine_;
  Machine clocked_;
  const GemmProblem& problem_;
  const Options& options_;
  mutable CollectiveChooser chooser_;  // remembers what it clocked
  Int unit_;                           // of ranks that may be relabelled
};

}  // namespace cairn
