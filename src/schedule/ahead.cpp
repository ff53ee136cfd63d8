#include "schedule/ahead.hpp"

#include <algorithm>

#include "schedule/effect.hpp"

namespace cairn {

std::vector<int> ahead(const Schedule& s) {
  // Products are numbered from the last one, so that an earlier one has the greater number; none is 0.
  std::vector<int> first(s.slots.size(), 0);  // by storage: the first product that needs it
  std::vector<int> all(s.steps.size(), 0);
  const auto product = [&](Slot x) -> int& { return first[static_cast<std::size_t>(s.storage(x))]; };
  std::vector<bool> passed_on(s.slots.size(), false);  // by storage: some rank sends what it has received
  const std::vector<Effect> does = effects(s);
  for (const Effect& e : does)
    if (const Move* m = message(e); m && s.storage(m->src) == s.storage(m->dst))
      passed_on[static_cast<std::size_t>(s.storage(m->dst))] = true;
  int next = 0;
  for (std::size_t t = s.steps.size(); t-- > 0;) {
    if (const Compute* x = as_compute(does[t])) {
      ++next;
      for (Slot operand : {x->A, x->B})
        if (operand >= 0) product(operand) = next;
      continue;
    }
    const Move* m = as_move(does[t]);
    if (!m) continue;
    if (message(does[t]) && product(m->dst) > 0 && passed_on[static_cast<std::size_t>(s.storage(m->dst))])
      all[t] = next - product(m->dst);
    // A panel that is multiplied, too, but first broadcast again, is needed by then.
    if (s.storage(m->src) != s.storage(m->dst) && product(m->src) > 0) product(m->src) = next;
  }
  return all;
}

std::vector<std::size_t> leaves_with(const Schedule& s) {
  std::vector<std::size_t> all(s.steps.size(), 0);
  const std::vector<Effect> does = effects(s);
  std::size_t product = 0;
  for (std::size_t t = s.steps.size(); t-- > 0;) {
    if (as_compute(does[t])) product = t;
    const Move* m = as_move(does[t]);
    if (!m || m->from != Move::From::pieces || product == 0) continue;
    const auto brings = [&](Slot x) { return x >= 0 && s.storage(x) == s.storage(m->dst); };
    if (std::ranges::none_of(access(does[product]).reads, brings)) all[t] = product;
  }
  return all;
}

}  // namespace cairn
