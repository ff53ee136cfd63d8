// What a plan of a block-sparse product knows.
#pragma once
#include <functional>
#include <mutex>

#include "cairn/block_plan.hpp"
#include "interpret/panel_count.hpp"
#include "model/machine.hpp"
#include "planner/dealt_panels.hpp"
#include "planner/page_figures.hpp"
#include "planner/plan_facts.hpp"
#include "schedule/panel_memory.hpp"

namespace cairn {

struct BlockPlan::Data {
  Data(const BlockProblem& problem, const Options& options, const Machine& machine, std::array<Int, 2> grid,
       const std::string& spelling);
  Data(const Data&) = delete;

  const BlockProblem problem;
  const Options options;
  const Machine machine;
  const ProductPanels panels;
  const MadePanelSchedule made;
  const PanelValues values;
  const SizedPanels sizes;
  const std::optional<Fetch25d> form;  ///< nothing if it is another algorithm
  std::vector<RunnerUp> others;        ///< the next best, best first
  std::string reason{};                ///< why it was chosen, if not by what the options prefer
  std::vector<Int> ranks;              ///< by place in the grid; empty: these are the same
  std::vector<Int> brought;            ///< words that arrive before the product, by rank; empty: none
  std::optional<Int> least_memory;     ///< the smallest limit under which the product is done so, if known

  std::array<Int, 2> grid() const { return {panels.problem.pr, panels.problem.pc}; }
  Int layers() const { return form ? form->layers() : 1; }
  const std::string& algorithm() const { return values.wire.algorithm; }
  /// Found when they are first asked for. Memory is that of the fullest rank.
  const MemoryParts& memory() const;
  MemoryParts memory(Int rank) const { return panel_memory(values, sizes, rank); }
  const PanelFlow& flow() const;
  const std::vector<BlockCount>& counts() const;
  /// By the transport asked for, or the faster of those of which the machine has figures.
  const Timing& timing() const { return timings_[transport() == Transport::one_sided]; }
  Transport transport() const;
  BlockCount most() const;
  /// The same without memory, which takes longer to find than all of it.
  BlockCount most_received() const;
  /// Over all ranks, of a figure of their counts.
  template <class Figure>
  double mean(Figure figure) const {
    double sum = 0;
    for (const BlockCount& c : counts()) sum += static_cast<double>(std::invoke(figure, c));
    return sum / static_cast<double>(problem.ranks);
  }

 private:
  void clock(Transport by) const;

  mutable std::once_flag held_, followed_, counted_, clocked_;
  mutable MemoryParts memory_;
  mutable std::optional<PanelFlow> flow_;
  mutable std::vector<BlockCount> counts_;
  mutable Transport transport_ = Transport::two_sided;
  mutable std::array<Timing, 2> timings_;  // two-sided, one-sided
};

/// Throws ArgumentError about sizes, occupancies, ranks and options that no plan can have.
void require_arguments(const BlockProblem& problem, const Options& options);

/// The best of one or more plans of a product by what their options prefer; it names the others.
std::shared_ptr<BlockPlan::Data> best_of(std::vector<std::shared_ptr<BlockPlan::Data>> plans);
/// The others are the next best, best first.
void name_others(BlockPlan::Data& best, std::vector<std::shared_ptr<BlockPlan::Data>> others);

/// Of a product of blocks of the sizes of the problem, one after another.
double seconds_per_flop(const Machine& machine, const BlockProblem& problem);

/// One sentence: why this plan.
std::string block_plan_reason(const BlockPlan& plan);

}  // namespace cairn
