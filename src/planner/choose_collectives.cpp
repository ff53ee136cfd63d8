#include "planner/choose_collectives.hpp"

#include <cmath>
#include <limits>

#include "interpret/clock.hpp"
#include "planner/limits.hpp"
#include "schedule/effect.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

How usual(Collective of) {
  const bool tree = of == Collective::bcast || of == Collective::reduce;
  return {tree ? Way::binomial : Way::direct, 0};
}

// Closed forms of docs/collectives.md.
class Estimate {
 public:
  Estimate(const Machine& machine, double bytes, const CollectiveChooser::Case& c)
      : machine_(machine), bytes_(bytes * static_cast<double>(c.outer * c.inner)), q_(c.q), stride_(c.stride) {}

  // One message of a share of all words.
  double message(double share, Int distance) const {
    const Machine::Level& l = machine_.levels[machine_.level_of(distance * stride_ + 1)];
    return machine_.step_seconds + 2 * l.overhead_seconds + l.message_seconds(share * bytes_);
  }
  // 1, 2, 4, …, q/2 pieces, or as many whole matrices.
  double doubling(bool pieces) const {
    double seconds = 0;
    for (Int d = 1; d < q_; d *= 2)
      seconds += message(pieces ? piece() * static_cast<double>(std::min(d, q_ - d)) : 1, d);
    return seconds;
  }
  double around(double rounds, double share) const { return rounds * message(share, 1); }
  // `turns`: in which messages arrive one after another, and latencies with them.
  double everybody(double share, double turns) const {
    const Machine::Level& l = machine_.levels[machine_.level_of((q_ - 1) * stride_ + 1)];
    return static_cast<double>(q_ - 1) * (2 * l.overhead_seconds + l.port_seconds(share * bytes_)) +
           turns * l.latency_seconds;
  }
  double piece() const { return 1 / static_cast<double>(q_); }

 private:
  const Machine& machine_;
  double bytes_;
  Int q_, stride_;
};

// The machine as ranks `stride` apart see it.
Machine seen_from(Machine machine, Int stride) {
  for (Machine::Level& l : machine.levels) l.ranks /= stride;
  while (machine.levels.size() > 1 && machine.levels.front().ranks < 2) machine.levels.erase(machine.levels.begin());
  for (std::size_t l = 1; l + 1 < machine.levels.size();)
    if (machine.levels[l].ranks <= machine.levels[l - 1].ranks)
      machine.levels.erase(machine.levels.begin() + static_cast<std::ptrdiff_t>(l));
    else
      ++l;
  return machine;
}

Schedule alone(const CollectiveChooser::Case& c, How how) {
  Schedule s;
  s.algorithm = "collective";
  s.problem = Copy{c.inner, c.outer};
  s.ranks = c.q;
  s.grid = Grid({{"x", c.q}});
  Layout whole;
  whole.grid = s.grid;
  whole.rows.extent = {0, c.inner};
  whole.cols.extent = {0, c.outer};
  Layout part = whole;
  part.cols.cuts = {Cut::even(s.grid, 0)};
  const bool gathers = c.of == Collective::allgather, scatters = c.of == Collective::reduce_scatter;
  s.slots = {{"A", gathers ? part : whole, SlotInfo::Role::operand, -1},
             {"C", scatters ? part : whole, SlotInfo::Role::panel, -1}};
  switch (c.of) {
    case Collective::bcast: s.steps.push_back({Bcast{0, 1, 0, 0, how}, ""}); break;
    case Collective::reduce: s.steps.push_back({Reduce{0, 1, 0, 0, Update::overwrite, how}, ""}); break;
    case Collective::allgather: s.steps.push_back({AllGather{0, 1, 0, how}, ""}); break;
    case Collective::reduce_scatter: s.steps.push_back({ReduceScatter{0, 1, 0, Update::overwrite, how}, ""});
  }
  return s;
}

}  // namespace

double CollectiveChooser::clocked(const Case& c, How how) const {
  return clock(expand_collectives(alone(c, how)), seen_from(machine_, c.stride), type_).seconds;
}

double CollectiveChooser::estimated(const Case& c, How how) const {
  const Estimate e(machine_, static_cast<double>(size_of(type_)), c);
  const auto q = static_cast<double>(c.q), s = static_cast<double>(std::max<Int>(1, how.segments));
  switch (how.way) {
    case Way::flat: return e.around(q - 1, 1);
    case Way::binary: return 2 * std::floor(std::log2(q)) * e.message(1, 1);
    case Way::chain: return e.around(s + q - 2, 1 / s);
    case Way::scatter_allgather: return e.doubling(true) + e.around(q - 1, e.piece());
    case Way::scatter_bruck:
    case Way::scatter_gather: return 2 * e.doubling(true);
    case Way::packed:
    case Way::direct:
      return e.everybody(e.piece(), c.of == Collective::reduce_scatter ? std::ceil((q - 1) / pieces_in_flight) : 1);
    case Way::ring: return e.around(q - 1, e.piece());
    case Way::doubling:
    case Way::bruck:
    case Way::halving: return e.doubling(true);
    case Way::tree: return e.doubling(false) + e.doubling(true);
    case Way::open:
    case Way::binomial:
    case Way::near: break;
  }
  return e.doubling(false);
}

// S that makes (S + q − 2)(α + wβ/S) least.
Int CollectiveChooser::segments(const Case& c) const {
  const Estimate e(machine_, static_cast<double>(size_of(type_)), c);
  const double latency = e.message(0, 1), transfer = e.message(1, 1) - latency;
  const double best = latency > 0 ? std::sqrt(static_cast<double>(c.q - 2) * transfer / latency) : 0;
  return std::clamp<Int>(std::llround(std::min(best, static_cast<double>(limits.segments))), 1,
                         std::max<Int>(1, std::max(c.outer, c.inner)));
}

std::vector<How> CollectiveChooser::candidates(const Case& c) const {
  std::vector<How> all;
  for (Way way : ways_of(c.of)) {
    const How how{way, way == Way::chain ? segments(c) : 0};
    const bool power_of_two = (c.q & (c.q - 1)) == 0;
    if (how == usual(c.of) || (way == Way::doubling && !power_of_two) || (way == Way::chain && how.segments == 1))
      continue;
    if (way == Way::packed) continue;  // for an algorithm to ask for, which knows its pieces
    if (way == Way::halving && little_memory_) continue;
    if (way == Way::tree && little_memory_) continue;
    all.push_back(how);
  }
  return all;
}

How CollectiveChooser::fastest(const Case& c) const {
  How best = usual(c.of);
  if (c.q < 2 || c.outer * c.inner == 0) return best;  // there is no message
  const bool clocks = c.q <= limits.clocked_collective_ranks;
  const auto seconds = [&](How how) { return clocks ? clocked(c, how) : estimated(c, how); };
  const std::vector<How> all = candidates(c);
  double promised = std::numeric_limits<double>::infinity();
  for (How how : all) promised = std::min(promised, estimated(c, how));
  double least = (1 - machine_.precision) * seconds(best);
  for (How how : all) {
    if (estimated(c, how) > limits.hopeless * promised) continue;
    if (const double t = seconds(how); t < least) {
      least = t;
      best = how;
    }
  }
  return best;
}

How CollectiveChooser::choose(const Case& c) {
  How how = asked_[c.of];
  if (how.way == Way::chain && how.segments == 0) how.segments = segments(c);
  if (how.way != Way::open) return how;
  const auto [at, fresh] = known_.try_emplace(c);
  if (fresh) at->second = fastest(c);
  return at->second;
}

Schedule CollectiveChooser::choose(Schedule s) {
  const auto way = [&](const Move& x, Collective of, Slot whole) {
    const Layout& l = s.layout(whole);
    const Int q = s.grid.extent(x.axis), m = l.rows.size(l.grid, 0), n = l.cols.size(l.grid, 0);
    const bool col = l.order == Order::col;
    if (s.grid.size() > limits.chosen_ranks && asked_[of].way == Way::open) return usual(of);
    return choose({of, q, s.grid.stride(x.axis), col ? n : m, col ? m : n});
  };
  for (LabelledStep& l : s.steps) {
    const Effect does = effect(l.step);
    const Move* m = as_move(does);
    if (!m || !m->collective || m->how.way == Way::packed) continue;  // packed: chosen by the algorithm
    carry_out(l.step, way(*m, *m->collective, m->from == Move::From::terms ? m->src : m->dst));
  }
  return s;
}

}  // namespace cairn
