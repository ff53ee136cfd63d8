// What a plan of a block-sparse product knows.
#pragma once
#include <mutex>

#include "cairn/block_plan.hpp"
#include "interpret/panel_count.hpp"
#include "model/machine.hpp"
#include "planner/dealt_panels.hpp"
#include "planner/plan_data.hpp"

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
/// plan() on a given machine instead of options.machine.
BlockPlan plan_on(const Machine& machine, const BlockProblem& problem, const Options& options);

/// One sentence: why this plan.
std::string block_plan_reason(const BlockPlan& plan);
/// Words of memory beside the matrices themselves, over what one layer on the same grid needs.
double block_buffers_over_one_layer(const BlockPlan& plan);

/// What the paper says of its 2.5D algorithm, S_A and S_B words of a rank's panel of V columns or rows, S_C of its part
/// of C; own panels count.  [dbcsr-25d-rma-2017]
struct DbcsrPanels {
  double V = 1, S_A = 0, S_B = 0, S_C = 0;
  bool square = true;
  /// Words communicated by a rank: V/√L·(S_A + S_B) + (L − 1)·S_C.  [Equation 7]
  double volume(double L) const;
  /// Memory for buffers over that of one layer.  [Equation 6]
  double memory(double L) const;
};
DbcsrPanels dbcsr_panels(const BlockProblem& problem, Int pr, Int pc);

}  // namespace cairn
