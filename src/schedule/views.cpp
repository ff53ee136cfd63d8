#include "schedule/views.hpp"

namespace cairn {

namespace {

// Layouts that differ in where and which piece, as views of one slot do, seldom share a value.
std::size_t hash(Slot x, const Layout& l) {
  std::size_t value = 0;
  const auto mix = [&value](Int next) { value = value * 0x9e3779b97f4a7c15U + static_cast<std::size_t>(next); };
  mix(x);
  for (const Dim* dim : {&l.rows, &l.cols}) {
    mix(dim->extent.lo);
    mix(dim->extent.hi);
    for (const Cut& cut : dim->cuts) {
      mix(cut.index.constant);
      for (Int bound : cut.bounds) mix(bound);
    }
  }
  for (Layout::Where w : l.where) mix(w.axis), mix(w.index);
  return value;
}

}  // namespace

Slot Views::of(Schedule& s, Slot x, Layout layout) {
  const std::size_t key = hash(x, layout);
  for (auto [at, end] = named_.equal_range(key); at != end; ++at)
    if (s[at->second].view_of == x && s.layout(at->second) == layout) return at->second;
  s.slots.push_back(s[x].part(x, std::move(layout)));
  const Slot view = static_cast<Slot>(s.slots.size()) - 1;
  named_.emplace(key, view);
  return view;
}

}  // namespace cairn
