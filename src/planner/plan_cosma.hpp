// COSMA's best plan: the grid by search, with the cost of redistribution where the caller holds the matrices.
#pragma once
#include "planner/draft_plan.hpp"

namespace cairn {

MadeAlgorithm made(const Drafts& drafts, const CosmaWay& way);

/// The fastest grid, loop and rounds by the clock, in COSMA's own layouts; where nothing that is tried fits, the
/// smallest of this; none if nothing fits into the memory by the closed forms.
Draft fastest_cosma(const Drafts& drafts, const CosmaSearch& search);

class CosmaPlanner {
 public:
  explicit CosmaPlanner(const Drafts& drafts);

  /// None if no plan fits into the memory.
  Draft best() const;
  /// The fewest words a rank with which there is a plan, where the closed forms tell them exactly.
  std::optional<Int> least_words() const;
  /// The plan that needs the least memory, as far as is tried where the caller's layouts ask for redistributions.
  Draft least() const;

 private:
  std::vector<CosmaWay> finished(const CosmaSearch& search, const CosmaWay& way) const;
  CosmaFound with_layouts(const CosmaSearch& search, const CosmaFound& found) const;
  void add_callers_grids(const CosmaSearch& search, std::vector<CosmaWay>& ways) const;

  const Drafts& drafts_;
  const GemmProblem& problem_;
  CosmaSearch search_;
};

}  // namespace cairn
