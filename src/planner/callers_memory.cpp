#include "planner/callers_memory.hpp"

#include <algorithm>
#include <cmath>

#include "base/arithmetic.hpp"

namespace cairn {

CallersMemory::CallersMemory(const GemmProblem& p) {
  std::vector<const Layout*> layouts;
  for (const auto* layout : {&p.a, &p.b, &p.c})
    if (*layout) layouts.push_back(&**layout), matrices_.push_back({0, 0, layouts.back()->m() * layouts.back()->n()});
  for (Int rank = 0; rank < p.ranks && !layouts.empty(); ++rank) {
    std::array<Int, 8> sums{};
    for (std::size_t x = 0; x < layouts.size(); ++x) {
      const Int words = layouts[x]->words(rank);
      matrices_[x].ranks += words > 0 ? 1 : 0;
      matrices_[x].most = std::max(matrices_[x].most, words);
      for (std::size_t bits = 0; bits < sums.size(); ++bits) sums[bits] += (bits >> x & 1U) != 0 ? words : 0;
    }
    for (std::size_t bits = 0; bits < sums.size(); ++bits) most_[bits] = std::max(most_[bits], sums[bits]);
  }
}

double CallersMemory::beside(Int ranks) const {
  std::size_t elsewhere = 0;
  double travelling = 0;
  for (std::size_t x = 0; x < matrices_.size(); ++x) {
    const auto& [holders, most, all] = matrices_[x];
    if (holders == ranks) continue;
    elsewhere |= std::size_t{1} << x;
    travelling = std::max(travelling, std::abs(real(most) - real(all) / real(ranks)));
  }
  return real(most_[elsewhere]) + travelling;
}

}  // namespace cairn
