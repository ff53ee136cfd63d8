#include "schedule/ahead.hpp"

namespace cairn {

std::vector<int> ahead(const Schedule& s) {
  // Products are numbered from the last one, so that an earlier one has the greater number; none is 0.
  std::vector<int> first(s.slots.size(), 0);  // by storage: the first product that reads it
  std::vector<int> all(s.steps.size(), 0);
  const auto product = [&](Slot x) -> int& { return first[static_cast<std::size_t>(s.storage(x))]; };
  std::vector<bool> passed_on(s.slots.size(), false);  // by storage: some rank sends what it has received
  for (const LabelledStep& l : s.steps)
    if (const auto* x = std::get_if<Shift>(&l.step); x && s.storage(x->src) == s.storage(x->dst))
      passed_on[static_cast<std::size_t>(s.storage(x->dst))] = true;
  int next = 0;
  for (std::size_t t = s.steps.size(); t-- > 0;) {
    const Step& step = s.steps[t].step;
    if (const auto* g = std::get_if<Gemm>(&step)) {
      product(g->A) = product(g->B) = ++next;
      continue;
    }
    if (const auto* x = std::get_if<Shift>(&step);
        x && product(x->dst) > 0 && passed_on[static_cast<std::size_t>(s.storage(x->dst))])
      all[t] = next - product(x->dst);
  }
  return all;
}

}  // namespace cairn
