// What a plan knows, and how the parts of the planner hand it to each other.
#pragma once
#include "algorithms/relabelling.hpp"
#include "planner/page_figures.hpp"
#include "planner/plan_facts.hpp"
#include "planner/search_cosma.hpp"
#include "schedule/memory_parts.hpp"

namespace cairn {

/// The best plan by a transport that was not chosen.
struct OtherTransport {
  Transport transport;
  std::string algorithm;  ///< one-line spelling; empty if none fits into the memory
  double seconds = 0;
};

struct Plan::Data {
  GemmProblem problem;
  Options options;
  Machine machine;
  Schedule collective;  ///< as the algorithm wrote it, with look-ahead
  Schedule wire;        ///< the same in point-to-point steps and direct exchanges
  std::array<Int, 3> grid{1, 1, 1};
  Int rounds = 1;
  std::string cuts;         ///< MadeAlgorithm::cuts
  Relabelling relabelling;  ///< schedules, and what is counted of them, are of positions, not of ranks
  int look_ahead = 0;
  Transport transport = Transport::two_sided;
  std::vector<OtherTransport> other_transports;  ///< those compared with it; none where one was asked for
  Totals totals;
  bool counted = false;  ///< whether totals are known yet; they are of every finished plan
  Times times;
  CosmaFound found;  ///< COSMA's grid, the next best, and the fastest; empty if it was asked for, or did not win
  std::vector<RunnerUp> others;  ///< the best of every other algorithm that was compared, fastest first
};

/// Throws ArgumentError about sizes, ranks, layouts and options that no plan can have.
void require_arguments(const GemmProblem& problem, const Options& options);
/// The same about options alone, about a layout's ranks, and about one of a plan's ranks.
void require_options(const Options& options);
void require_layout(std::string_view name, const std::optional<Layout>& layout, Int ranks);
void require_rank(Int rank, Int ranks);

/// The machine that is asked for, with the kernels that are.
Machine machine_of(const Options& options);

Prefer preference(const Options& options);

/// Fewest ranks that may work: as many as Options::max_idle says; without it any number, unless words decide. As one
/// rank alone receives none, they decide among plans on more than half of the ranks that there is work for, or on as
/// many as hold the caller's matrices.
Int fewest_ranks(const GemmProblem& problem, const Options& options);

/// The search for COSMA's grid that the plan's options ask for.
CosmaSearch search_of(const GemmProblem& problem, const Options& options);

/// Of the fullest rank.
MemoryParts memory_parts(const Plan::Data& plan);
/// The same of schedules whose words travel as messages; `peak` is what the fullest rank holds.
MemoryParts memory_parts(const Schedule& wire, Int peak, Transport transport);

/// Ranks of a node, as asked for, or as the machine has them; 0 if neither says.
Int ranks_per_node(const Options& options, const Machine& machine);
Int ranks_per_node(const Plan::Data& plan);
/// Whether its ranks are counted and clocked as sharing memory: node-shared, unless they are too many to look at one by
/// one, which are taken for ranks that send each other messages.
bool shares_memory(const Plan::Data& plan);
bool shares_memory(Transport transport, Int ranks);
/// Whether the clock took what its transport carries for two-sided messages, since nothing else is known.
bool clocked_as_messages(const Plan::Data& plan);
/// The node of every rank; all on the first where nothing says otherwise.
std::vector<int> node_of(const Plan::Data& plan);
/// What one rank receives, computes and holds.
Count count_of(const Plan::Data& plan, Int rank);
/// Nothing where there are no nodes, or too many ranks to count them one by one.
std::optional<NodeWords> node_words(const Plan::Data& plan);
/// The same of schedules whose words travel as messages.
std::optional<NodeWords> node_words(const Schedule& wire, const Options& options, const Machine& machine);

PlanBounds plan_bounds(const Plan::Data& plan);

std::string explain(const Plan::Data& plan);
std::string explain_json(const Plan::Data& plan);

}  // namespace cairn
