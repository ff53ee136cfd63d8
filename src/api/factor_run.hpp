// A planned factorisation or solve for callers that have compared their calls already, and whose ranks may act in each
// other's place.
#pragma once
#include "api/prepared_run.hpp"
#include "planner/plan_factor.hpp"

namespace cairn {

/// The plan of a factorisation or a solve; where a rank can make none, or makes another one, an error on all ranks.
/// Collective.
template <class Problem>
FactorPlan plan_of_all(const Comm& comm, const Problem& problem, const Options& options) {
  FactorPlan made = made_together(comm, [&] { return plan(problem, options); });
  comm.agree_same("plan", agreed_text(made.data()));
  return made;
}

template <class T>
class FactorRun {
 public:
  /// `labels`: which rank acts at each position of the plan. `layouts`: of the operands, as ranks hold them; they are
  /// the plan's, but for the labels. Collective; throws std::bad_alloc on ranks without memory for the buffers.
  FactorRun(const Comm& comm, FactorPlan plan, Labels labels, std::vector<Layout> layouts) : plan_(std::move(plan)) {
    const FactorPlan::Data& d = plan_.data();
    Wanted wanted{d.collective, d.wire, scalar_type_of<T>, d.transport, d.options.ranks_per_node};
    wanted.labels = std::move(labels);
    prepared_ = std::make_unique<PreparedRun<T>>(comm, std::move(wanted), std::move(layouts), d.options);
  }

  /// `operands` in the plan's order, the one that is overwritten last; alpha is not 0. Nothing is checked. Collective;
  /// throws RuntimeError if MPI fails.
  RunReport run(T alpha, std::span<const DistMatrix<T>* const> operands) {
    return prepared_->run(alpha, T(0), operands);
  }
  const FactorPlan& plan() const { return plan_; }
  PreparedRun<T>& prepared() { return *prepared_; }
  const PreparedRun<T>& prepared() const { return *prepared_; }
  /// What keeping it takes, about.
  Int bytes() const { return plan_.data().bytes(); }

 private:
  FactorPlan plan_;
  std::unique_ptr<PreparedRun<T>> prepared_;
};

}  // namespace cairn
