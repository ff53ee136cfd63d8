#include <algorithm>

#include "schedule/effect.hpp"
#include "schedule/passes/panels_first.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

// Communication keeps its order, but for panels that overtake sums on their way out. Every rank has the same steps in
// the same order, so messages between two ranks still match.
bool overtakes(const Effect& mine, const Effect& before) { return sums(before) && as_move(mine) && !sums(mine); }

// A sum of which every rank gets a part waits for nobody. Passed for its own sake, its messages would queue behind
// those of a panel that is not needed yet; what passes it passes the product before it, too.
bool leaves_at_once(const Grid& grid, const Effect& e) { return sums(e) && as_move(e)->everybody_takes_part(grid); }

template <class T>
void move_up(std::vector<T>& all, std::size_t from, std::size_t to) {
  const auto at = [&](std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(i); };
  std::rotate(at(to), at(from), at(from + 1));
}

}  // namespace

Schedule look_ahead(Schedule s, int depth) {
  if (depth <= 0) return s;
  s = panels_first(std::move(s), depth > 1);
  std::vector<Effect> does = effects(s);
  const auto share_storage = [&s](Slot a, Slot b) { return s.storage(a) == s.storage(b); };
  for (std::size_t t = 1; t < s.steps.size(); ++t) {
    const Access mine = access(does[t]);
    if (!mine.communicates) continue;
    // What a rank passes on it must have received, and put in place: earlier it would wait for that, not compute.
    const int most = passes_on(s, mine) ? 0 : depth;
    int passed = 0;
    std::size_t to = t;
    for (std::size_t p = t; p > 0; --p) {
      const Access before = access(does[p - 1]);
      if (before.communicates && !overtakes(does[t], does[p - 1])) break;
      if (!independent(mine, before, share_storage) || (as_compute(does[p - 1]) && ++passed > most)) break;
      if (!leaves_at_once(s.grid, does[p - 1])) to = p - 1;
    }
    move_up(s.steps, t, to);
    move_up(does, t, to);
  }
  return s;
}

}  // namespace cairn
