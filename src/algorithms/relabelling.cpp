#include "algorithms/relabelling.hpp"

#include <algorithm>
#include <numeric>

#include "algorithms/assignment.hpp"
#include "schedule/effect.hpp"
#include "schedule/overlaps.hpp"
#include "schedule/transfers.hpp"

namespace cairn {

namespace {

// Words that `rank` holds of what `holder` is to hold.
class Common {
 public:
  Common(const Layout& a, const Layout& b, Int ranks) : a_(a), b_(b) {
    if (!a.blocks && !b.blocks) overlaps_.emplace(a, b, std::max({ranks, a.grid.ranks(), b.grid.ranks()}));
  }
  Int operator()(Int rank, Int holder) {
    return overlaps_ ? overlaps_->words(rank, holder) : in_common(a_.patches(rank), b_.patches(holder));
  }

 private:
  const Layout &a_, &b_;
  std::optional<Overlaps> overlaps_;
};

// Words of all matrices that need not be moved if one of `count` ranks, the first of which is `first`, is at a
// position.
class SavedWords {
 public:
  SavedWords(std::vector<Common>& matrices, Int first, Int count)
      : count_(count), words_(static_cast<std::size_t>(count * count), 0) {
    for (Common& common : matrices) {
      auto word = words_.begin();
      for (Int rank = first; rank < first + count; ++rank)
        for (Int position = first; position < first + count; ++position) *word++ += common(rank, position);
    }
  }
  Int at(Int rank, Int position) const { return words_[static_cast<std::size_t>(rank * count_ + position)]; }
  bool most_where_they_are() const {
    for (Int rank = 0; rank < count_; ++rank)
      for (Int position = 0; position < count_; ++position)
        if (at(rank, position) > at(position, position)) return false;
    return true;
  }

 private:
  Int count_;
  std::vector<Int> words_;
};

std::vector<Int> in_order(Int count) {
  std::vector<Int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Int{0});
  return all;
}

// The caller's layout of A, B or C, then the schedule's own.
std::pair<const Layout*, const Layout*> both_layouts(const Schedule& s, Slot callers) {
  for (const Effect& e : effects(s))
    if (const Redistribute* x = as_redistribution(e))
      for (auto [one, other] : {std::pair(x->src, x->dst), {x->dst, x->src}})
        if (one == callers) return {&s.layout(callers), &s.layout(other)};
  return {&s.layout(callers), &s.layout(callers)};
}

}  // namespace

Layout least_moved(Op op, const Layout& a, const Layout& b, Int ranks) {
  const Layout seen = op == Op::none ? a : a.transposed();
  const std::vector<Int> holders = b.grid.placed() ? b.grid.placement() : in_order(b.grid.size());
  Common common(seen, b, ranks);
  std::vector<Int> of =
      assign(holders, ranks, [&](Int rank, Int part) { return common(rank, holders[static_cast<std::size_t>(part)]); });
  if (of == holders) return b;
  Layout l = b;
  if (!b.blocks) {
    l.grid = b.grid.placed(std::move(of));
    return l;
  }
  auto blocks = std::make_shared<Layout::Blocks>(*b.blocks);
  for (Int& owner : blocks->owner) owner = of[static_cast<std::size_t>(owner)];
  l.blocks = std::move(blocks);
  l.grid = Grid({{"p", ranks}});
  return l;
}

Relabelling least_moving(const GemmProblem& p, const Schedule& s, Int unit) {
  std::vector<Common> matrices;
  for (const auto& [name, given] : {std::pair("A", &p.a), {"B", &p.b}, {"C", &p.c}}) {
    if (!*given) continue;
    const auto [callers, own] = both_layouts(s, s.find(name));
    matrices.emplace_back(*callers, *own, s.ranks);
  }
  std::vector<Int> ranks = in_order(s.ranks);
  Int saved = 0;
  for (Int first = 0; first < s.ranks; first += unit) {
    const Int count = std::min(unit, s.ranks - first);
    const SavedWords words(matrices, first, count);
    if (words.most_where_they_are()) continue;
    const std::vector<Int> of =
        assign(in_order(count), count, [&](Int rank, Int position) { return words.at(rank, position); });
    for (Int position = 0; position < count; ++position) {
      const Int rank = of[static_cast<std::size_t>(position)];
      ranks[static_cast<std::size_t>(first + position)] = first + rank;
      saved += words.at(rank, position) - words.at(position, position);
    }
  }
  if (saved == 0) return {};
  return {Labels(std::move(ranks)), saved};
}

}  // namespace cairn
