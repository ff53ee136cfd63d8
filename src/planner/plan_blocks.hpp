// What a plan of a block-sparse product knows.
#pragma once
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
  const std::array<Int, 2> grid;
  const DealtPanels panels;
  const MadePanelSchedule made;
  const PanelValues values;
  const SizedPanels sizes;
  const std::optional<Fetch25d> form;  ///< nothing if it is another algorithm
  std::vector<RunnerUp> others;        ///< the next best, best first

  Int layers() const { return form ? form->layers() : 1; }
  const std::string& algorithm() const { return values.wire.algorithm; }
  /// Found when they are first asked for. Memory is that of the fullest rank.
  const PanelMemory& memory() const;
  PanelMemory memory(Int rank) const { return panel_memory(values, sizes, rank); }
  const PanelFlow& flow() const;
  const std::vector<PanelCount>& counts() const;
  /// By the transport asked for, or the faster of those of which the machine has figures.
  const Timing& timing() const { return timings_[transport() == Transport::one_sided]; }
  Transport transport() const;
  BlockCount most() const;
  /// The same without memory, which takes longer to find than all of it.
  BlockCount most_received() const;
  double mean(double (*figure)(const PanelCount&)) const;
  /// Of a product of blocks, one after another.
  double seconds_per_flop() const;

 private:
  void clock(Transport by) const;

  mutable std::once_flag held_, followed_, counted_, clocked_;
  mutable PanelMemory memory_;
  mutable std::optional<PanelFlow> flow_;
  mutable std::vector<PanelCount> counts_;
  mutable Transport transport_ = Transport::two_sided;
  mutable std::array<Timing, 2> timings_;  // two-sided, one-sided
};

/// Throws ArgumentError about sizes, occupancies, ranks and options that no plan can have.
void require_arguments(const BlockProblem& problem, const Options& options);

/// One sentence: why this plan.
std::string block_plan_reason(const BlockPlan& plan);

}  // namespace cairn
