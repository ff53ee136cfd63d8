#include "interpret/recurring_rounds.hpp"

#include <cmath>

namespace cairn {

namespace {

constexpr std::size_t most_seen = 12;  // rounds that are remembered
constexpr double rounding = 1e-12;     // of times that differ by a shift

// Calls visit(from, to, count) for cells whose coordinates on all axes are ahead by so much, as long as it says so.
template <class Visit>
void for_each_moved(const Grid& grid, const std::vector<Int>& by, Visit visit) {
  const int last = grid.axes() - 1;
  const Int run = grid.extent(last), d = by.back();
  for (Int first = 0; first < grid.size(); first += run) {
    Int to = 0;
    for (int a = 0; a < last; ++a)
      to += wrap(grid.index(first, a) + by[static_cast<std::size_t>(a)], grid.extent(a)) * grid.stride(a);
    const auto from = static_cast<std::size_t>(first), moved = static_cast<std::size_t>(to + d);
    if (!visit(from, moved, static_cast<std::size_t>(run - d))) return;
    if (d > 0 &&
        !visit(from + static_cast<std::size_t>(run - d), static_cast<std::size_t>(to), static_cast<std::size_t>(d)))
      return;
  }
}

}  // namespace

RecurringRounds::RecurringRounds(EvenRounds rounds, const Clocked& c, Lanes& lanes, Arrivals& arrivals)
    : rounds_(std::move(rounds)), grid_(c.s.grid), lanes_(lanes), arrivals_(arrivals) {
  for (int a = 0; a < grid_.axes(); ++a) grain_.push_back(grain(grid_, a, c.machine));
}

// Where the times are those before an earlier round, moved as roots are and later, so is all that follows.
std::size_t RecurringRounds::go_on(std::size_t step) {
  if (next_ == rounds_.size() || rounds_[next_].first != step) return step;
  const std::size_t now = next_++;
  if (!rounds_.recurs(now)) return step;
  for (auto seen = seen_.rbegin(); seen != seen_.rend(); ++seen) {
    const std::size_t period = now - seen->round;
    const std::size_t rounds = std::min(rounds_.alike(seen->round, now), rounds_.size() - 1 - now);
    const std::vector<Int> by = rounds_.ahead(now, seen->round);
    if (rounds < period || !aligned(by)) continue;
    const std::optional<double> later = later_than(*seen, now, by);
    if (!later) continue;
    const std::size_t times = rounds / period, then = now + times * period;
    move(now, then, by, static_cast<Int>(times), *later);
    next_ = then + 1;
    return rounds_[then].first;
  }
  remember(now);
  return step;
}

bool RecurringRounds::aligned(const std::vector<Int>& by) const {
  for (std::size_t a = 0; a < by.size(); ++a)
    if (by[a] % grain_[a] != 0) return false;
  return true;
}

std::vector<const double*> RecurringRounds::times(std::size_t round) const {
  std::vector<const double*> all{lanes_.core.data(), lanes_.in.data(), lanes_.out.data()};
  for (std::size_t x : rounds_[round].live) all.push_back(arrivals_.of(x));
  return all;
}

void RecurringRounds::remember(std::size_t now) {
  if (!aligned(rounds_.ahead(now, 0))) return;
  Seen s;
  if (seen_.size() == most_seen) {
    s = std::move(seen_.front());
    seen_.pop_front();
  }
  s.round = now;
  const std::vector<const double*> all = times(now);
  s.times.resize(all.size());
  for (std::size_t l = 0; l < all.size(); ++l) {
    s.times[l].assign(all[l], all[l] + lanes_.core.size());
    raise(s.times[l].data(), lanes_.core.data(), 0, lanes_.core.size());
  }
  seen_.push_back(std::move(s));
}

// By how much all times are later than those that were seen, moved by so much; nothing if not all by the same.
std::optional<double> RecurringRounds::later_than(const Seen& seen, std::size_t now, const std::vector<Int>& by) const {
  const std::vector<const double*> all = times(now);
  const double* const core = lanes_.core.data();
  std::optional<double> later;
  bool same = all.size() == seen.times.size();
  for (std::size_t l = 0; same && l < all.size(); ++l)
    for_each_moved(grid_, by, [&](std::size_t from, std::size_t to, std::size_t count) {
      if (!later) later = core[to] - seen.times[0][from];
      const double most = rounding * core[to];
      double worst = 0;
      for (std::size_t i = 0; i < count; ++i)
        worst = std::max(worst, std::abs(std::max(all[l][to + i], core[to + i]) - seen.times[l][from + i] - *later));
      return same = worst <= most;
    });
  return same ? later : std::nullopt;
}

// The times before round `now`, so many times moved by so much and as much later, are those before round `then`.
void RecurringRounds::move(std::size_t now, std::size_t then, std::vector<Int> by, Int times, double later) {
  for (std::size_t a = 0; a < by.size(); ++a) by[a] = wrap(by[a] * times, grid_.extent(static_cast<int>(a)));
  std::vector<std::vector<double>> all;
  for (const double* lane : this->times(now)) {
    std::vector<double>& to_lane = all.emplace_back(lanes_.core.size());
    for_each_moved(grid_, by, [&](std::size_t from, std::size_t to, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) to_lane[to + i] = lane[from + i] + later * static_cast<double>(times);
      return true;
    });
  }
  lanes_.core.swap(all[0]), lanes_.in.swap(all[1]), lanes_.out.swap(all[2]);
  for (std::size_t x : rounds_[now].live) arrivals_.release(x);
  for (std::size_t x = 0; x < rounds_[then].live.size(); ++x) {
    arrivals_.make(rounds_[then].live[x]);
    arrivals_.swap(rounds_[then].live[x], all[3 + x]);
  }
}

}  // namespace cairn
