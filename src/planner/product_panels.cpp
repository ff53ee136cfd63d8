#include "planner/product_panels.hpp"

#include "base/arithmetic.hpp"

namespace cairn {

ProductPanels known_panels(const PanelGrid& grid, SizedPanels::Sizes A, SizedPanels::Sizes B, PanelParts m,
                           PanelParts n, PanelParts k, std::vector<double> computed) {
  ExpectedSums sums(*A, *B, m, n, k);
  if (!computed.empty()) sums = sums.of_shares(std::move(computed));
  PanelProblem problem{grid, real(A->words()), real(B->words())};
  problem.sums = [sums](double share) { return sums.words(share); };
  problem.on_one_layer = received_on_one_layer(*A, *B, grid);
  return {std::move(problem), std::move(m), std::move(n), std::move(k), std::move(A), std::move(B), std::move(sums)};
}

}  // namespace cairn
