#include "interpret/even_clock.hpp"

#include <cmath>

#include "interpret/axis_sums.hpp"
#include "interpret/even_lines.hpp"
#include "interpret/even_rounds.hpp"
#include "interpret/link_levels.hpp"
#include "interpret/totals.hpp"

namespace cairn {

namespace {

constexpr std::size_t most_seen = 12;  // rounds that are remembered
constexpr double rounding = 1e-12;     // of times that differ by a shift

// Calls visit(from, to, count) for cells whose coordinates on all axes are ahead by so much.
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

class EvenClock {
 public:
  EvenClock(const Schedule& s, const Machine& machine, ScalarType type, const Cells& cells,
            const std::vector<EvenStep>& steps)
      : grid_(cells.grid()),
        machine_(machine),
        bytes_(static_cast<double>(size_of(type))),
        cells_(cells),
        links_(machine, cells),
        steps_(steps),
        rounds_(steps, s),
        lanes_(cells.size()),
        arrivals_(s.slots.size(), cells.size()),
        lines_(grid_, lanes_, arrivals_),
        receiving_(grid_),
        working_(grid_) {
    for (int a = 0; a < grid_.axes(); ++a) grain_.push_back(grain(grid_, a, machine));
  }

  Timing run() {
    for (std::size_t r = 0; r < rounds_.size(); ++r) {
      if (rounds_.recurs(r)) r = after_what_recurs(r);
      clock_round(rounds_[r]);
      account(r, r + 1);
    }
    for (std::size_t x = 0; x < arrivals_.slots(); ++x) wait(static_cast<Slot>(x));
    lanes_.receiving = receiving_.all();
    lanes_.working = working_.all();
    return totals(lanes_, cells_);
  }

 private:
  // All times before a round. What is past when the core is free tells nothing.
  struct Seen {
    std::size_t round = 0;
    std::vector<std::vector<double>> lanes;  // core, in, out, what arrives
  };

  const double* arrive(Slot x) const { return x < 0 ? nullptr : arrivals_.of(static_cast<std::size_t>(x)); }
  void wait(Slot x) {
    const double* const until = arrive(x);
    for (std::size_t c = 0; until && c < cells_.size(); ++c) lanes_.core[c] = std::max(lanes_.core[c], until[c]);
  }

  // The state is that of an earlier round, moved by the roots, and so is what follows: goes on where that ends.
  std::size_t after_what_recurs(std::size_t now) {
    for (auto seen = seen_.rbegin(); seen != seen_.rend(); ++seen) {
      const std::size_t period = now - seen->round;
      const std::size_t rounds = std::min(rounds_.alike(seen->round, now), rounds_.size() - 1 - now);
      const std::vector<Int> by = rounds_.ahead(now, seen->round);
      if (rounds < period || !aligned(by)) continue;
      const std::optional<double> later = later_than(*seen, now, by);
      if (!later) continue;
      const std::size_t times = rounds / period, then = now + times * period;
      move(now, then, by, static_cast<Int>(times), *later * static_cast<double>(times));
      account(now, then);
      return then;
    }
    remember(now);
    return now;
  }
  bool aligned(const std::vector<Int>& by) const {
    for (std::size_t a = 0; a < by.size(); ++a)
      if (by[a] % grain_[a] != 0) return false;
    return true;
  }
  void remember(std::size_t now) {
    if (!aligned(rounds_.ahead(now, 0))) return;
    Seen s;
    if (seen_.size() == most_seen) {
      s = std::move(seen_.front());
      seen_.pop_front();
    }
    const std::vector<const double*> lanes = all_lanes(now);
    s.round = now;
    s.lanes.resize(lanes.size());
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      s.lanes[l].resize(cells_.size());
      for (std::size_t c = 0; c < cells_.size(); ++c) s.lanes[l][c] = std::max(lanes[l][c], lanes_.core[c]);
    }
    seen_.push_back(std::move(s));
  }
  std::vector<const double*> all_lanes(std::size_t round) const {
    std::vector<const double*> lanes{lanes_.core.data(), lanes_.in.data(), lanes_.out.data()};
    for (Slot x : rounds_[round].live) lanes.push_back(arrive(x));
    return lanes;
  }
  // By how much all times are later than those that were seen, moved by so much; nothing if not all by the same.
  std::optional<double> later_than(const Seen& seen, std::size_t now, const std::vector<Int>& by) const {
    const std::vector<const double*> lanes = all_lanes(now);
    const double* const core = lanes_.core.data();
    std::optional<double> later;
    bool same = lanes.size() == seen.lanes.size();
    for (std::size_t l = 0; same && l < lanes.size(); ++l)
      for_each_moved(grid_, by, [&](std::size_t from, std::size_t to, std::size_t count) {
        if (!later) later = core[to] - seen.lanes[0][from];
        const double most = rounding * core[to];
        double worst = 0;
        for (std::size_t i = 0; i < count; ++i)
          worst =
              std::max(worst, std::abs(std::max(lanes[l][to + i], core[to + i]) - seen.lanes[l][from + i] - *later));
        return same = worst <= most;
      });
    return same ? later : std::nullopt;
  }
  // All that is known before round `now`, so many times moved by so much and as much later, is known before `then`.
  void move(std::size_t now, std::size_t then, std::vector<Int> by, Int times, double later) {
    for (std::size_t a = 0; a < by.size(); ++a) by[a] = wrap(by[a] * times, grid_.extent(static_cast<int>(a)));
    std::vector<std::vector<double>> moved;
    for (const double* lane : all_lanes(now)) {
      std::vector<double>& to_lane = moved.emplace_back(cells_.size());
      for_each_moved(grid_, by, [&](std::size_t from, std::size_t to, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) to_lane[to + i] = lane[from + i] + later;
        return true;
      });
    }
    lanes_.core.swap(moved[0]), lanes_.in.swap(moved[1]), lanes_.out.swap(moved[2]);
    const std::vector<Slot>&before = rounds_[now].live, &after = rounds_[then].live;
    for (Slot x : before) arrivals_.release(static_cast<std::size_t>(x));
    for (std::size_t x = 0; x < after.size(); ++x) {
      arrivals_.make(static_cast<std::size_t>(after[x]));
      arrivals_.swap(static_cast<std::size_t>(after[x]), moved[3 + x]);
    }
  }

  void clock_round(const EvenRounds::Round& r) {
    for (std::size_t t = r.first; t < r.end;) {
      const EvenStep& e = steps_[t];
      std::size_t end = t + 1;
      if (e.kind == EvenStep::Kind::gemm) {
        multiply(e);
      } else {
        while (end < r.end && steps_[end].kind != EvenStep::Kind::gemm && steps_[end].axis == e.axis &&
               steps_[end].where == e.where)
          ++end;
        lines_.run(program(t, end));
      }
      for (; t < end; ++t)
        for (Slot x : steps_[t].reads)
          if (x >= 0 && rounds_.last_read(t, x)) arrivals_.release(static_cast<std::size_t>(x));
    }
  }
  void multiply(const EvenStep& e) {
    const double seconds = e.seconds + machine_.step_seconds;
    const double *const a = arrive(e.reads[0]), *const b = arrive(e.reads[1]);
    if (a && b && !arrive(e.reads[2])) return compute(lanes_.core, a, b, seconds);
    for (Slot x : e.reads) wait(x);
    for (double& core : lanes_.core) core += seconds;
  }

  LineProgram program(std::size_t first, std::size_t end) {
    LineProgram p;
    p.axis = steps_[first].axis;
    p.where = steps_[first].where;
    const auto number = [&](Slot x) {
      return static_cast<std::size_t>(std::find(p.storages.begin(), p.storages.end(), x) - p.storages.begin());
    };
    const auto note = [&](Slot x) {
      if (arrive(x) && number(x) == p.storages.size()) p.storages.push_back(x);
    };
    for (std::size_t t = first; t < end; ++t) {
      for (Slot x : steps_[t].reads) note(x);
      note(steps_[t].writes);
    }
    p.old = p.storages.size();
    const Int q = grid_.extent(p.axis);
    for (std::size_t t = first; t < end; ++t) {
      const EvenStep& e = steps_[t];
      LineProgram::Step& s = p.steps.emplace_back();
      s.shift = e.kind == EvenStep::Kind::shift;
      s.ahead = e.ahead;
      if (s.shift && e.words == 0) continue;
      for (Slot x : e.reads)
        if (number(x) < p.storages.size()) s.reads.push_back(number(x));
      if (s.shift && number(e.writes) == p.storages.size()) p.storages.push_back(e.writes);
      s.storage = number(e.writes);
      s.work = work(e);
      s.hops = hops(e);
      if (!s.shift) continue;
      for (const LineProgram::Hop& h : s.hops) p.messages += static_cast<double>(h.count) / static_cast<double>(q);
    }
    return p;
  }
  // Of those who take part, beside overheads.
  double work(const EvenStep& e) const {
    if (e.words == 0) return 0;
    const bool copies = e.kind == EvenStep::Kind::add;
    return machine_.step_seconds + (copies ? e.words * bytes_ * machine_.copy_seconds_per_byte : 0);
  }
  // Within a hop, all messages meet at the same level.
  std::vector<LineProgram::Hop> hops(const EvenStep& e) const {
    std::vector<LineProgram::Hop> all;
    const Int q = grid_.extent(e.axis);
    for (const Cells::Strip& s : Cells::strips_of(q, e.by, e.origin, e.who)) {
      if (e.kind == EvenStep::Kind::add) {
        all.push_back({s.to, s.from, s.count});
        continue;
      }
      for (std::size_t i = 0, j; i < s.count; i = j) {
        const std::size_t level = level_of(e.axis, s.to + i, s.from + i);
        for (j = i + 1; j < s.count && (links_.alike() || level_of(e.axis, s.to + j, s.from + j) == level);) ++j;
        if (links_.alike()) j = s.count;
        const Machine::Level& l = machine_.levels[level];
        all.push_back(
            {s.to + i, s.from + i, j - i, l.port_seconds(e.words * bytes_), l.latency_seconds, l.overhead_seconds});
      }
    }
    return all;
  }
  std::size_t level_of(int axis, std::size_t to, std::size_t from) const {
    const Int stride = grid_.stride(axis);
    return links_.level(static_cast<Int>(to) * stride, static_cast<Int>(from) * stride);
  }

  // What ranks do in rounds, beside waiting.
  void account(std::size_t first, std::size_t end) {
    for (std::size_t t = rounds_[first].first; t < rounds_[end - 1].end; ++t) {
      const EvenStep& e = steps_[t];
      if (e.kind == EvenStep::Kind::gemm) {
        lanes_.all_computing += e.seconds;
        lanes_.all_working += machine_.step_seconds;
        continue;
      }
      if (e.words == 0) continue;
      double *const received = receiving_.of(e), *const worked = working_.of(e);
      const double own = work(e);
      for (const LineProgram::Hop& h : hops(e))
        for (std::size_t i = 0; i < h.count; ++i) {
          received[h.to + i] += h.port + h.latency;
          worked[h.to + i] += own + h.overhead;
          worked[h.from + i] += h.overhead;
        }
    }
  }

  const Grid& grid_;
  const Machine& machine_;
  double bytes_;
  const Cells& cells_;
  Links links_;
  const std::vector<EvenStep>& steps_;
  EvenRounds rounds_;
  Lanes lanes_;
  Arrivals arrivals_;
  EvenLines lines_;
  AxisSums receiving_, working_;
  std::vector<Int> grain_;  // by axis
  std::deque<Seen> seen_;
};

}  // namespace

std::optional<Timing> clock_evenly(const Schedule& s, const Machine& machine, ScalarType type, const Cells& cells,
                                   Sizes& sizes) {
  const std::optional<std::vector<EvenStep>> steps = even_steps(s, machine, type, sizes);
  if (!steps) return std::nullopt;
  return EvenClock(s, machine, type, cells, *steps).run();
}

}  // namespace cairn
