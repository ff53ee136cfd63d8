// What a plan knows, and how the parts of the planner hand it to each other.
#pragma once
#include <fmt/format.h>

#include "algorithms/relabelling.hpp"
#include "cairn/error.hpp"
#include "planner/plan_facts.hpp"
#include "planner/planned_schedule.hpp"
#include "planner/search_cosma.hpp"

namespace cairn {

/// The best plan by a transport that was not chosen.
struct OtherTransport {
  Transport transport;
  std::string algorithm;  ///< one-line spelling; empty if none fits into the memory
  double seconds = 0;
};

struct Plan::Data : PlannedSchedule {
  GemmProblem problem;
  std::array<Int, 3> grid{1, 1, 1};
  Int rounds = 1;
  std::string cuts;         ///< MadeAlgorithm::cuts
  Relabelling relabelling;  ///< schedules, and what is counted of them, are of positions, not of ranks
  std::vector<OtherTransport> other_transports;  ///< those compared with it; none where one was asked for
  CosmaFound found;  ///< COSMA's grid, the next best, and the fastest; empty if it was asked for, or did not win
  /// The best of every other algorithm that was compared: fastest first, or of fewest words where those decide; last
  /// what does not fit.
  std::vector<RunnerUp> others;
};

/// Throws ArgumentError about sizes, ranks, layouts and options that no plan can have.
void require_arguments(const GemmProblem& problem, const Options& options);
/// The same about options alone, about a layout that has a problem() or too many ranks, and about one of a plan's
/// ranks.
void require_options(const Options& options);
void require_layout(std::string_view name, const std::optional<Layout>& layout, Int ranks);
/// The same about a layout in which an element lies nowhere, or several times.
void require_whole(std::string_view name, const std::optional<Layout>& layout);
void require_rank(Int rank, Int ranks);
/// The same about what was cast to an enumeration and is none of its values.
template <class E>
void require_one_of(std::string_view name, E x, E last) {
  if (x > last)
    throw ArgumentError(fmt::format("{}: {}, expected 0 to {}", name, static_cast<int>(x), static_cast<int>(last)));
}

/// The machine that is asked for, with the kernels that are.
Machine machine_of(const Options& options);

Prefer preference(const Options& options);

/// Fewest ranks that may work: as many as Options::max_idle says, or any number without it.
Int fewest_ranks(Int ranks, const Options& options);
/// The same for a product, of which words may decide. As one rank alone receives none, they decide among plans on more
/// than half of the ranks that there is work for, or on as many as hold the caller's matrices.
Int fewest_ranks(const GemmProblem& problem, const Options& options);

/// The search for COSMA's grid that the plan's options ask for.
CosmaSearch search_of(const GemmProblem& problem, const Options& options);

PlanBounds plan_bounds(const Plan::Data& plan);

std::string explain(const Plan::Data& plan);
std::string explain_json(const Plan::Data& plan);

}  // namespace cairn
