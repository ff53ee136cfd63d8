#include "planner/product_panels.hpp"

#include "base/arithmetic.hpp"

namespace cairn {

ProductPanels known_panels(SizedPanels::Sizes A, SizedPanels::Sizes B, PanelParts m, PanelParts n, PanelParts k,
                           std::vector<double> computed) {
  const auto pr = static_cast<Int>(m.size()), pc = static_cast<Int>(n.size());
  ExpectedSums sums(*A, *B, m, n, k);
  if (!computed.empty()) sums = sums.of_shares(std::move(computed));
  PanelProblem problem{pr, pc, real(A->words()), real(B->words())};
  problem.sums = [sums](double share) { return sums.words(share); };
  problem.on_one_layer = received_on_one_layer(*A, *B, pr, pc);
  return {std::move(problem), std::move(m), std::move(n), std::move(k), std::move(A), std::move(B), std::move(sums)};
}

}  // namespace cairn
