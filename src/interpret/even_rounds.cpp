#include "interpret/even_rounds.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace cairn {

namespace {

using Round = EvenRounds::Round;

// Spells rounds, one after another: all that tells them apart.
class Speller {
 public:
  Speller(Clocked& clocked, ComputeTimes& products)
      : c_(clocked),
        products_(products),
        in_flight_(clocked),
        frame_(static_cast<std::size_t>(clocked.s.grid.axes()), 0) {}

  // The round that begins with this step, but for its kind. False if a step of it is not even.
  bool read(std::size_t first, Round& r) {
    moves_.clear();
    for (r.first = r.end = first; r.end < c_.does.size() && !as_compute(c_.does[r.end]); ++r.end) {
      const Move* const m = as_move(c_.does[r.end]);
      const std::optional<EvenMove> e = m ? even_move(c_, *m) : std::nullopt;
      if (!e) return false;
      moves_.push_back(*e);
    }
    if (r.end < c_.does.size() && !products_.all(*as_compute(c_.does[r.end++]), Sizes::everywhere)) return false;
    find_frame();
    r.frame = frame_;
    r.live = live_;
    return true;
  }
  // Storages are numbered: first those that are live, then as they are received.
  std::vector<Int> spell(const Round& r) {
    std::vector<Int> all{static_cast<Int>(live_.size())};
    for (std::size_t t = r.first; t < r.end; ++t) {
      const Access a = access(c_.does[t]);
      if (const Compute* const x = as_compute(c_.does[t]))
        all.push_back(std::bit_cast<Int>(products_.seconds(*x, 0)));
      else
        spell(moves_[t - r.first], c_.early[t] > 0, a, all);
      for (Slot x : a.reads) {
        all.push_back(x < 0 ? -1 : number(x));
        if (x >= 0) all.push_back(in_flight_.is_done_with(x, t) ? 1 : 0);
      }
      for (Slot x : a.reads)
        if (x >= 0 && in_flight_.is_done_with(x, t)) dead_.push_back(c_.value(x));
    }
    std::erase_if(live_, [&](std::size_t x) { return std::find(dead_.begin(), dead_.end(), x) != dead_.end(); });
    dead_.clear();
    return all;
  }

 private:
  Int number(Slot x) const {
    const auto at = std::find(live_.begin(), live_.end(), c_.value(x));
    return at == live_.end() ? -1 : at - live_.begin();
  }
  // Whether it tells who takes part.
  bool has_root(const EvenMove& e) const {
    return !(e.who.lo == 0 && e.who.hi == c_.s.grid.extent(e.axis) && e.who.run >= e.who.every);
  }
  // The first root on each axis, or where the round before had it.
  void find_frame() {
    std::vector<bool> found(frame_.size(), false);
    const auto find = [&](int axis, Int coordinate) {
      const auto a = static_cast<std::size_t>(axis);
      if (!found[a]) frame_[a] = coordinate;
      found[a] = true;
    };
    for (const EvenMove& e : moves_) {
      if (has_root(e)) find(e.axis, e.origin);
      for (const Layout::Where& w : e.where) find(w.axis, w.index);
    }
  }
  void spell(const EvenMove& e, bool early, const Access& a, std::vector<Int>& all) {
    const auto from_frame = [&](int axis, Int coordinate) {
      return wrap(coordinate - frame_[static_cast<std::size_t>(axis)], c_.s.grid.extent(axis));
    };
    const bool receives = a.communicates;
    if (receives && number(a.writes) < 0) live_.push_back(c_.value(a.writes));
    for (Int x : {Int{a.communicates}, Int{early}, Int{e.axis}, e.by, e.who.lo, e.who.hi, e.who.every, e.who.run,
                  has_root(e) ? from_frame(e.axis, e.origin) : 0, static_cast<Int>(e.where.size()),
                  std::bit_cast<Int>(e.words), receives ? number(a.writes) : -1})
      all.push_back(x);
    for (const Layout::Where& w : e.where) all.push_back(w.axis), all.push_back(from_frame(w.axis, w.index));
  }

  Clocked& c_;
  ComputeTimes& products_;
  InFlight in_flight_;
  std::vector<EvenMove> moves_;  // of the round that was read last
  std::vector<Int> frame_;
  std::vector<std::size_t> live_, dead_;
};

}  // namespace

std::optional<EvenRounds> EvenRounds::of(Clocked& c, ComputeTimes& products) {
  EvenRounds all(c.s.grid);
  Speller speller(c, products);
  std::map<std::vector<Int>, int> kinds;
  for (std::size_t first = 0; first < c.does.size(); first = all.rounds_.back().end) {
    Round r;
    if (!speller.read(first, r)) return std::nullopt;
    r.kind = kinds.try_emplace(speller.spell(r), static_cast<int>(kinds.size())).first->second;
    all.rounds_.push_back(std::move(r));
  }
  all.last_of_kind_.resize(kinds.size());
  for (std::size_t r = 0; r < all.size(); ++r) all.last_of_kind_[static_cast<std::size_t>(all[r].kind)] = r;
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
