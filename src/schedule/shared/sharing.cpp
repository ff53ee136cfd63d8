#include "schedule/shared/sharing.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"

namespace cairn {

namespace {

// A gathered dimension in which the pieces of the others lie between those of one rank is better gathered for good.
bool one_run_each(const Dim& dim) {
  return std::all_of(dim.cuts.begin(), dim.cuts.end(), [](const Cut& c) {
    return (c.kind == Cut::Kind::even && !c.joined) || c.kind == Cut::Kind::bounds;
  });
}

}  // namespace

bool is_plain_product(const Effect& e) {
  const Compute* x = as_compute(e);
  return x && x->kernel == Kernel::gemm && x->op_a == Op::none && x->op_b == Op::none;
}

int handing_axis(const Effect& e) {
  const Move* m = as_move(e);
  return m && m->from != Move::From::terms && !m->stays() ? m->axis : -1;
}

int summing_axis(const Effect& e) { return sums(e) ? as_move(e)->axis : -1; }

Sharing::Sharing(const Schedule& schedule, std::vector<int> node_of)
    : s_(schedule), does_(effects(schedule)), node_of_(std::move(node_of)) {
  members_.resize(place(*std::max_element(node_of_.begin(), node_of_.end())) + 1);
  for (std::size_t r = 0; r < node_of_.size(); ++r) {
    std::vector<Int>& node = members_[place(node_of_[r])];
    member_.push_back(node.size());
    node.push_back(static_cast<Int>(r));
  }
  uses_.resize(s_.slots.size());
  writes_.resize(s_.slots.size());
  classes_.resize(s_.slots.size());
  for (std::size_t t = 0; t < s_.steps.size(); ++t) {
    const Access a = access(does_[t]);
    for (Slot x : {a.reads[0], a.reads[1], a.reads[2], a.writes})
      if (x >= 0 && (uses_[place(s_.storage(x))].empty() || uses_[place(s_.storage(x))].back() != t))
        uses_[place(s_.storage(x))].push_back(t);
    writes_[place(s_.storage(a.writes))].push_back(t);
  }
  find_handed();
  find_lives();
  sums_.assign(s_.steps.size(), false);
  for (std::size_t t = 0; t < s_.steps.size(); ++t) {
    if (summing_axis(does_[t]) < 0) continue;
    const Slot src = s_.storage(access(does_[t]).reads[0]);
    // The adder of a part for another node adds in place, so nobody may read the partial sums afterwards.
    sums_[t] = !s_[src].callers() && !handed_[place(src)] && uses_[place(src)].back() == t;
  }
}

// Values that copies of a matrix have in common: inputs, and what is made of them by moving elements alone. Partial
// sums differ from rank to rank although their layouts agree.
void Sharing::find_handed() {
  std::vector<bool> common(s_.slots.size(), false);
  for (std::size_t x = 0; x < s_.slots.size(); ++x) common[x] = s_.slots[x].role == SlotInfo::Role::operand;
  handed_.assign(s_.slots.size(), false);
  for (std::size_t t = 0; t < s_.steps.size(); ++t) {
    const Effect& step = does_[t];
    const Access a = access(step);
    const std::size_t dst = place(s_.storage(a.writes));
    if (writes_[dst].size() != 1 || s_.slots[dst].callers()) continue;
    const int axis = handing_axis(step);
    if (axis < 0 && !as_redistribution(step)) continue;
    const std::size_t src = place(s_.storage(a.reads[0]));
    common[dst] = common[src] && (writes_[src].empty() || writes_[src].back() < t);
    if (axis < 0 || !common[dst] || dst != place(a.writes)) continue;
    const Layout& l = s_.layout(a.writes);
    const Move& m = *as_move(step);
    if (m.from == Move::From::pieces && !(one_run_each(l.rows) && one_run_each(l.cols))) continue;
    if (!m.everybody_takes_part(s_.grid)) continue;
    handed_[dst] = std::all_of(uses_[dst].begin(), uses_[dst].end(), [&](std::size_t u) {
      return handing_axis(does_[u]) >= 0 || is_plain_product(does_[u]);
    });
  }
}

void Sharing::find_lives() {
  last_.assign(s_.slots.size(), 0);
  for (std::size_t x = 0; x < s_.slots.size(); ++x)
    if (!uses_[x].empty()) last_[x] = uses_[x].back();
  for (std::size_t t = s_.steps.size(); t-- > 0;) {
    const Access a = access(does_[t]);
    if (handing_axis(does_[t]) < 0) continue;
    // What was sent of the source is waited for when the destination is first used.
    const std::size_t sent = next_use(a.writes, t), dst = place(s_.storage(a.writes));
    std::size_t& last = last_[place(s_.storage(a.reads[0]))];
    last = std::max({last, sent, handed_[dst] ? last_[dst] : 0});
  }
}

std::size_t Sharing::next_use(Slot x, std::size_t step) const {
  const auto& uses = uses_[place(s_.storage(x))];
  const auto next = std::upper_bound(uses.begin(), uses.end(), step);
  return next == uses.end() ? s_.steps.size() : *next;
}

Int Sharing::last_write(Slot x, std::size_t step) const {
  const auto& writes = writes_[place(s_.storage(x))];
  const auto next = std::lower_bound(writes.begin(), writes.end(), step);
  return next == writes.begin() ? -1 : static_cast<Int>(*std::prev(next));
}

std::vector<Source> Sharing::sources(const Effect& step, Int rank) const {
  std::vector<Source> all;
  for_each_sender(step, rank, [&](Int from) {
    Region part = travelling(s_, *as_move(step), from, rank);
    if (part.words() > 0) all.push_back({from, std::move(part)});
  });
  return all;
}

// Calls visit(rank) for those whose values a handing step puts into the value at `rank`, in the order of the axis.
template <class Visit>
void Sharing::for_each_sender(const Effect& step, Int rank, Visit visit) const {
  const Move* m = as_move(step);
  if (handing_axis(step) < 0 || !m->takes_part(s_.grid, rank)) return;
  if (m->has_one_source()) return visit(m->source(s_.grid, rank));
  for (Int i = 0; i < s_.grid.extent(m->axis); ++i) visit(s_.grid.with(rank, m->axis, i));
}

Region Sharing::owned(const Effect& step, Int rank) const {
  const Move& m = *as_move(step);
  return m.takes_part(s_.grid, rank) ? region(s_.layout(m.dst), rank) : Region();
}

Int Sharing::adder(const Effect& step, Int rank, Int owner) const {
  const int axis = summing_axis(step);
  std::vector<Int> line;
  for (Int i = 0; i < s_.grid.extent(axis); ++i)
    if (const Int r = s_.grid.with(rank, axis, i); same_node(r, rank)) line.push_back(r);
  return line[place(s_.grid.index(owner, axis) % static_cast<Int>(line.size()))];
}

// The live ranks of a node that hold the same: whose value it is tells.
const Sharing::Classes& Sharing::classes_of(Slot x) const {
  Classes& classes = classes_[place(x)];
  if (!classes.ranks.empty()) return classes;
  const Layout& l = s_.layout(x);
  classes.ranks.emplace_back();  // nobody
  classes.of.assign(node_of_.size(), 0);
  std::vector<std::pair<std::pair<int, Int>, Int>> live;
  for (Int r = 0; r < l.grid.ranks(); ++r)
    if (l.live(r)) live.push_back({{node(r), l.original(r)}, r});
  std::sort(live.begin(), live.end());
  for (std::size_t i = 0; i < live.size(); ++i) {
    if (i == 0 || live[i].first != live[i - 1].first) classes.ranks.emplace_back();
    classes.of[static_cast<std::size_t>(live[i].second)] = classes.ranks.size() - 1;
    classes.ranks.back().push_back(live[i].second);
  }
  return classes;
}

const std::vector<Int>& Sharing::class_of(Slot x, Int rank) const {
  const Classes& classes = classes_of(x);
  return classes.ranks[classes.of[static_cast<std::size_t>(rank)]];
}

Int Sharing::first_of_class(Slot x, Int rank) const {
  const std::vector<Int>& ranks = class_of(x, rank);
  return ranks.empty() ? rank : std::min(rank, ranks.front());
}

bool Sharing::leads_class(Slot x, Int rank) const {
  const std::vector<Int>& ranks = class_of(x, rank);
  return !ranks.empty() && ranks.front() == rank;
}

Int Sharing::receiver(Slot dst, int axis, Int first, Int source) const {
  const std::vector<Int>& ranks = class_of(dst, first);
  return ranks[static_cast<std::size_t>(s_.grid.index(source, axis) % static_cast<Int>(ranks.size()))];
}

const std::vector<Region>& Sharing::leaves(Slot x, Int rank) const {
  const auto found = leaves_.find({x, rank});
  if (found != leaves_.end()) return found->second;
  std::vector<Region> all;
  const auto add = [&](const Region& leaf, const Region& of) {
    Region part = intersect(leaf, of);
    if (part.words() > 0) all.push_back(std::move(part));
  };
  const Layout& l = s_.layout(x);
  const Region whole = region(l, rank);
  if (s_[x].view_of >= 0) {
    for (const Region& leaf : leaves(s_[x].view_of, rank)) add(leaf, whole);
  } else if (handed_[place(x)]) {
    const Effect& step = does_[writes_[place(x)].front()];
    for (const Source& from : sources(step, rank))
      for (const Region& leaf : leaves(access(step).reads[0], from.rank)) add(leaf, from.part);
  } else {
    add(whole, whole);
  }
  return leaves_.emplace(std::pair{x, rank}, std::move(all)).first->second;
}

// Whether a step of one node alone carries nothing.
bool Sharing::silent(std::size_t t) const {
  const Effect& step = does_[t];
  const bool shared = handing_axis(step) >= 0 ? handed(access(step).writes) : sums_[t];
  return members_.size() == 1 && shared;
}

// Those messages that end in the value of a step's destination at `first`, of which `wanted(from, to)` says so: regions
// take longer to find than ranks. What a class shares ends there for all of it.
template <class Wanted>
void Sharing::add_hops(std::vector<Hop>& hops, std::size_t t, Int first, Wanted wanted) const {
  const Effect& step = does_[t];
  const Access a = access(step);
  const bool handing = handing_axis(step) >= 0, shared = handing ? handed(a.writes) : sums_[t];
  if (handing && shared && !leads_class(a.writes, first)) return;
  for_each_sender(step, first, [&](Int from) {
    if (shared ? same_node(from, first) : from == first) return;
    const Int to = shared ? receiver(a.writes, handing_axis(step), first, from) : first;
    if (!wanted(from, to)) return;
    const Region part = travelling(s_, *as_move(step), from, first);
    for (const Region& leaf : leaves(a.reads[0], from)) {
      Region both = intersect(leaf, part);
      if (both.words() > 0) hops.push_back({from, to, std::move(both)});
    }
  });
  const int axis = summing_axis(step);
  for (Int i = 1; axis >= 0 && i < s_.grid.extent(axis); ++i) {
    const Int from = s_.grid.with(first, axis, s_.grid.index(first, axis) + i);
    if (!wanted(from, first) || (shared && (same_node(from, first) || adder(step, from, first) != from))) continue;
    if (Region part = owned(step, first); part.words() > 0) hops.push_back({from, first, std::move(part)});
  }
}

std::vector<Hop> Sharing::arriving(std::size_t t, Int rank) const {
  std::vector<Hop> hops;
  if (rank >= s_.grid.size() || silent(t)) return hops;
  const auto here = [rank](Int, Int to) { return to == rank; };
  if (handing_axis(does_[t]) < 0 || !handed(access(does_[t]).writes)) {
    add_hops(hops, t, rank, here);
  } else {
    for (Int first : members(node(rank))) add_hops(hops, t, first, here);
  }
  return hops;
}

std::vector<Hop> Sharing::leaving(std::size_t t, Int rank) const {
  std::vector<Hop> hops;
  const int axis = std::max(handing_axis(does_[t]), summing_axis(does_[t]));
  if (rank >= s_.grid.size() || silent(t)) return hops;
  for (Int i = 0; axis >= 0 && i < s_.grid.extent(axis); ++i)
    add_hops(hops, t, s_.grid.with(rank, axis, i), [rank](Int from, Int) { return from == rank; });
  return hops;
}

}  // namespace cairn
