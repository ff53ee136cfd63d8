// A planned factorisation or solve for callers that have compared their calls already, and whose ranks may act in each
// other's place.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "cairn/comm.hpp"
#include "cairn/factor_plan.hpp"
#include "cairn/matrix.hpp"
#include "cairn/report.hpp"
#include "model/labels.hpp"

namespace cairn {

template <class T>
class FactorRun {
 public:
  /// `labels`: which rank acts at each position of the plan. `layouts`: of the operands, as ranks hold them; they are
  /// the plan's, but for the labels. Collective; throws std::bad_alloc on ranks without memory for the buffers.
  FactorRun(const Comm& comm, FactorPlan plan, Labels labels, std::vector<Layout> layouts);
  ~FactorRun();
  FactorRun(FactorRun&&) noexcept;
  FactorRun& operator=(FactorRun&&) noexcept;

  /// `operands` in the plan's order, the one that is overwritten last; alpha is not 0. Nothing is checked. Collective;
  /// throws RuntimeError if MPI fails.
  RunReport run(T alpha, std::span<const DistMatrix<T>* const> operands);
  const FactorPlan& plan() const;
  /// What keeping it takes, about.
  Int bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
