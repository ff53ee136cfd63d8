#include "model/labels.hpp"

namespace cairn {

Labels::Labels(std::vector<Int> ranks) : ranks_(std::move(ranks)), positions_(ranks_.size()) {
  for (std::size_t p = 0; p < ranks_.size(); ++p) positions_[static_cast<std::size_t>(ranks_[p])] = static_cast<Int>(p);
}

Layout Labels::renamed(const Layout& layout, const std::vector<Int>& names) {
  if (names.empty()) return layout;
  const auto name = [&](Int of) { return names[static_cast<std::size_t>(of)]; };
  Layout l = layout;
  if (l.blocks) {
    auto blocks = std::make_shared<Layout::Blocks>(*l.blocks);
    for (Int& owner : blocks->owner) owner = name(owner);
    l.blocks = std::move(blocks);
    l.grid = Grid({{"p", static_cast<Int>(names.size())}});
    return l;
  }
  std::vector<Int> placed;
  for (Int p = 0; p < l.grid.size(); ++p)
    placed.push_back(name(l.grid.placed() ? l.grid.placement()[static_cast<std::size_t>(p)] : p));
  l.grid = l.grid.placed(std::move(placed));
  return l;
}

}  // namespace cairn
