#include "planner/dbcsr_panels.hpp"

#include <cmath>

#include "algorithms/fetch25d.hpp"
#include "base/arithmetic.hpp"
#include "planner/plan_blocks.hpp"

namespace cairn {

double block_buffers_over_one_layer(const BlockPlan& plan) {
  const BlockPlan::Data& d = plan.data();
  const auto buffers = [](const MemoryParts& m) { return real(m.peak() - m.own()); };
  const BlockPlan::Data one(d.problem, {}, d.machine, d.grid(), print(Fetch25d{d.grid()[0], d.grid()[1]}));
  return ratio(buffers(d.memory()), buffers(one.memory()));
}

double DbcsrPanels::volume(double L) const { return V / std::sqrt(L) * (S_A + S_B) + (L - 1) * S_C; }
double DbcsrPanels::memory(double L) const {
  const double sums = S_A + S_B > 0 ? L * S_C / (3 * (S_A + S_B)) : 0;
  return L == 1 ? 1 : sums + (square ? (std::sqrt(L) + 4) / 6 : 1);
}

DbcsrPanels dbcsr_panels(const PanelProblem& p) {
  const double V = real(p.k), pr = real(p.pr), pc = real(p.pc);
  return {V, p.a / (pr * V), p.b / (pc * V), p.sums(1) / (pr * pc), p.pr == p.pc};
}

}  // namespace cairn
