#include "interpret/even_rounds.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace cairn {

namespace {

bool moves(const EvenStep& e) { return e.kind != EvenStep::Kind::gemm; }
// Whether it tells who takes part.
bool has_root(const EvenStep& e, const Grid& grid) {
  return moves(e) && !(e.who.lo == 0 && e.who.hi == grid.extent(e.axis) && e.who.run >= e.who.every);
}

}  // namespace

EvenRounds::EvenRounds(const std::vector<EvenStep>& steps, const Schedule& schedule)
    : steps_(steps), grid_(schedule.grid), last_read_(schedule.slots.size(), steps.size()) {
  for (std::size_t t = 0; t < steps.size(); ++t)
    for (Slot x : steps[t].reads)
      if (x >= 0) last_read_[static_cast<std::size_t>(x)] = t;
  for (std::size_t t = 0; t < steps.size(); ++t)
    for (Slot x : steps[t].reads)
      if (x == steps[t].writes && x >= 0 && last_read(t, x)) last_read_[static_cast<std::size_t>(x)] = steps.size();
  std::map<std::vector<Int>, int> kinds;
  std::vector<Slot> live;
  std::vector<Int> frame(static_cast<std::size_t>(grid_.axes()), 0);
  for (std::size_t first = 0; first < steps.size();) {
    Round r;
    r.first = first;
    for (r.end = first; r.end < steps.size() && moves(steps[r.end]);) ++r.end;
    first = r.end = std::min(r.end + 1, steps.size());
    find_frame(r, frame);
    frame = r.frame;
    r.live = live;
    r.kind = kinds.try_emplace(spelling(r, live), static_cast<int>(kinds.size())).first->second;
    rounds_.push_back(std::move(r));
  }
  last_of_kind_.resize(kinds.size());
  for (std::size_t r = 0; r < rounds_.size(); ++r) last_of_kind_[static_cast<std::size_t>(rounds_[r].kind)] = r;
}

// The first root on each axis, or where the round before had it.
void EvenRounds::find_frame(Round& r, const std::vector<Int>& before) const {
  r.frame = before;
  std::vector<bool> found(before.size(), false);
  const auto find = [&](int axis, Int coordinate) {
    const auto a = static_cast<std::size_t>(axis);
    if (!found[a]) r.frame[a] = coordinate;
    found[a] = true;
  };
  for (std::size_t t = r.first; t < r.end; ++t) {
    const EvenStep& e = steps_[t];
    if (has_root(e, grid_)) find(e.axis, e.origin);
    for (const Layout::Where& w : e.where) find(w.axis, w.index);
  }
}

// All that tells rounds apart. Storages are numbered: first those that are live, then as they are received.
std::vector<Int> EvenRounds::spelling(const Round& r, std::vector<Slot>& live) const {
  std::vector<Int> all{static_cast<Int>(live.size())};
  const auto from_frame = [&](int axis, Int coordinate) {
    return wrap(coordinate - r.frame[static_cast<std::size_t>(axis)], grid_.extent(axis));
  };
  const auto number = [&](Slot x) {
    const auto at = std::find(live.begin(), live.end(), x);
    return x < 0 || at == live.end() ? Int{-1} : static_cast<Int>(at - live.begin());
  };
  std::vector<Slot> dead;
  for (std::size_t t = r.first; t < r.end; ++t) {
    const EvenStep& e = steps_[t];
    const bool receives = e.kind == EvenStep::Kind::shift && e.words > 0;
    if (receives && number(e.writes) < 0) live.push_back(e.writes);
    for (Int x : {static_cast<Int>(e.kind), Int{e.ahead}, Int{e.axis}, e.by, e.who.lo, e.who.hi, e.who.every, e.who.run,
                  has_root(e, grid_) ? from_frame(e.axis, e.origin) : 0, static_cast<Int>(e.where.size()),
                  std::bit_cast<Int>(e.words), std::bit_cast<Int>(e.seconds), receives ? number(e.writes) : -1})
      all.push_back(x);
    for (const Layout::Where& w : e.where) all.push_back(w.axis), all.push_back(from_frame(w.axis, w.index));
    for (Slot x : e.reads) {
      all.push_back(number(x));
      if (number(x) < 0) continue;
      all.push_back(last_read(t, x) ? 1 : 0);
      if (last_read(t, x)) dead.push_back(x);
    }
  }
  std::erase_if(live, [&](Slot x) { return std::find(dead.begin(), dead.end(), x) != dead.end(); });
  return all;
}

std::size_t EvenRounds::alike(std::size_t earlier, std::size_t later) const {
  std::size_t n = 0;
  for (; later + n < rounds_.size() && rounds_[earlier + n].kind == rounds_[later + n].kind; ++n)
    if (ahead(earlier + n, earlier) != ahead(later + n, later)) break;
  return n;
}

std::vector<Int> EvenRounds::ahead(std::size_t round, std::size_t of) const {
  std::vector<Int> by = rounds_[round].frame;
  for (std::size_t a = 0; a < by.size(); ++a)
    by[a] = wrap(by[a] - rounds_[of].frame[a], grid_.extent(static_cast<int>(a)));
  return by;
}

bool EvenRounds::recurs(std::size_t round) const {
  return last_of_kind_[static_cast<std::size_t>(rounds_[round].kind)] > round;
}

}  // namespace cairn
