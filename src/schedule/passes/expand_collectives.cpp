// Binomial trees in Shift and Add: position v counts from the root, modulo the extent q.
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

struct Expand {
  const Schedule& from;
  Schedule& to;
  const std::string& source;

  void push(Step step) const { to.steps.push_back({std::move(step), source}); }
  Int extent(int axis) const { return from.grid.extent(axis); }
  Slot scratch(const std::string& name, Layout layout) const {
    to.slots.push_back({name, std::move(layout), SlotInfo::Kind::scratch, -1});
    return static_cast<Slot>(to.slots.size()) - 1;
  }

  // Round d = 1, 2, 4, …: positions [d, 2d) receive from d before them, which have it already.
  void operator()(const Bcast& x) const {
    push(Add{x.src, x.dst, x.axis, x.root, {0, 1}, Update::overwrite});
    for (Int d = 1; d < extent(x.axis); d *= 2)
      push(Shift{x.dst, x.dst, x.axis, Affine(-d), x.root, {d, std::min(2 * d, extent(x.axis))}});
  }
  // The same tree backwards: positions [0, d) with a partner d behind them receive its sum and add it to theirs.
  void operator()(const Reduce& x) const {
    const Int q = extent(x.axis);
    const std::string& name = from[x.dst].name;
    Layout everywhere = from.layout(x.src);
    const Slot sum = scratch(name + "+", everywhere);
    push(Add{x.src, sum, x.axis, x.root, {0, q}, Update::overwrite});
    Int d = 1;
    while (2 * d < q) d *= 2;
    for (; d >= 1 && q > 1; d /= 2) {
      const Range who{0, std::min(d, q - d)};
      const Slot got = scratch(name + "'", everywhere);
      push(Shift{sum, got, x.axis, Affine(d), x.root, who});
      push(Add{got, sum, x.axis, x.root, who, Update::accumulate});
    }
    push(Add{sum, x.dst, x.axis, x.root, {0, 1}, x.update});
  }
  template <class Other>
  void operator()(const Other& x) const {
    push(x);
  }
};

}  // namespace

Schedule expand_collectives(const Schedule& s) {
  Schedule wire = s;
  wire.steps.clear();
  for (const LabelledStep& l : s.steps) std::visit(Expand{s, wire, l.source}, l.step);
  return wire;
}

}  // namespace cairn
