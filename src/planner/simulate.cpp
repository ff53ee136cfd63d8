#include "cairn/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "interpret/count.hpp"
#include "interpret/replay/replay.hpp"
#include "planner/critical_path.hpp"
#include "planner/limits.hpp"
#include "planner/plan_blocks.hpp"
#include "planner/plan_data.hpp"
#include "planner/plan_factor.hpp"
#include "schedule/kernels.hpp"

namespace cairn {

namespace {

// The schedule that plan() chooses.
struct Wanted {
  Schedule collective, wire;
  int look_ahead = 0;
  Machine machine;
  std::optional<BlockPlan> blocks{};  // of a product of block-sparse matrices, whose panels have a clock of their own
  Labels labels{};                    // which rank acts at each position of the schedule
};

struct Wants {
  Options options;
  template <class P>
  Wanted operator()(const P& p) {
    options.transport = name_of(Transport::two_sided);  // its messages are what is clocked here
    require_arguments(p, options);
    const Machine machine = machine_of(options);
    const auto chosen = plan_on(machine, p, options);
    const auto& d = chosen.data();
    Wanted w{d.collective, d.wire, d.look_ahead, machine};
    if constexpr (std::is_same_v<P, GemmProblem>) w.labels = d.relabelling.labels;
    return w;
  }
  Wanted operator()(const BlockProblem& p) {
    const BlockPlan chosen = plan(p, options);
    const BlockPlan::Data& d = chosen.data();
    return {d.made.collective, d.made.wire, 1, d.machine, chosen};
  }
};

Wanted wanted(const AnyProblem& problem, const Options& options) { return std::visit(Wants{options}, problem); }

Totals counts_of(const Wanted& w) {
  if (!w.blocks) return count_all(w.collective, w.wire);
  Totals all;
  const Int ranks = w.blocks->problem().ranks;
  for (Int r = 0; r < ranks; ++r) {
    const BlockCount c = w.blocks->count(r);
    all.add({.received = c.words(),
             .wire_words = c.words(),
             .messages = c.messages,
             .flops = std::llround(c.flops),
             .peak_words = c.peak_words},
            1, 0);
  }
  all.divide(ranks);
  return all;
}

double looked_at(const Wanted& w) { return real(w.wire.grid.size()) * real(std::ssize(w.wire.steps)); }
bool replays(const Wanted& w, const Totals& counts) {
  if (w.blocks) return false;
  constexpr double look = 0.1;  // of a rank that finds that a step is not its own, to following a message
  return std::max(counts.mean_messages * real(w.wire.ranks), look * looked_at(w)) <= limits.replayed;
}

// Of ranks, where schedules are of positions.
Timing timing_of(const Wanted& w, ScalarType type, bool replayed, const Watch& tell) {
  Watch watch;
  if (tell)
    watch = [&](Activity a) {
      a.rank = w.labels.rank(a.rank);
      if (a.from >= 0) a.from = w.labels.rank(a.from);
      tell(a);
    };
  if (w.blocks) {
    const BlockPlan::Data& d = w.blocks->data();
    return clock_panels(d.flow(), seconds_per_flop(d.machine, d.problem), w.machine, type, d.transport(), watch);
  }
  Timing t = replayed ? replay(w.wire, w.machine, type, watch) : clock_all(w.wire, w.machine, type, watch);
  t.last.rank = w.labels.rank(t.last.rank);
  return t;
}

// Tracks of what a rank receives: on one track Chrome draws what follows one after another, or nests, but receives may
// overlap in part.
class Lanes {
 public:
  // The first that is free for the next in the order of their starts.
  std::string free(const Activity& next) {
    const auto lane = std::find_if(ends_.begin(), ends_.end(), [&](double end) { return end <= next.start; });
    const auto number = lane - ends_.begin() + 1;
    if (lane == ends_.end())
      ends_.push_back(next.end);
    else
      *lane = next.end;
    return number == 1 ? "network" : fmt::format("network {}", number);
  }

 private:
  std::vector<double> ends_;
};

Simulation::Figures figures(const Spread& s) { return {s.min, s.mean, s.max}; }

}  // namespace

Simulation simulate(const AnyProblem& problem, const Options& options) {
  const ScalarType type = type_of(problem);
  const double ranks = real(ranks_of(problem));
  const Wanted w = wanted(problem, options);
  Simulation s;
  s.problem = problem;
  s.algorithm = w.collective.algorithm;
  s.machine = w.machine.name;
  s.ranks_used = w.wire.grid.size();
  s.look_ahead = w.look_ahead;
  s.exact = !w.blocks || w.blocks->exact();
  const Totals counts = counts_of(w);
  const auto counted = [&](Int Count::*of_rank, double mean) -> Simulation::Figures {
    return {real(counts.min.*of_rank), mean, real(counts.max.*of_rank)};
  };
  s.received = counted(&Count::received, counts.mean_received);
  s.wire_words = counted(&Count::wire_words, counts.mean_wire_words);
  s.messages = counted(&Count::messages, counts.mean_messages);
  s.flops = counted(&Count::flops, counts.total_flops / ranks);
  s.memory = counted(&Count::peak_words, counts.mean_peak_words);
  std::vector<Activity> all;
  const bool follow = looked_at(w) <= limits.followed;
  const Watch watch = [&](const Activity& a) { all.push_back(a); };
  s.replayed = replays(w, counts);
  const Timing t = timing_of(w, type, s.replayed, follow ? watch : Watch());
  s.seconds = t.last.seconds, s.last_rank = t.last.rank;
  s.computation = figures(t.computation), s.communication = figures(t.communication);
  s.exposed = figures(t.exposed), s.steps = figures(t.steps), s.idle = figures(t.idle);
  if (s.communication.mean > 0) s.hidden = std::max(0.0, 1 - s.exposed.mean / s.communication.mean);
  const double products = s.flops.mean / 2 * ranks;
  if (s.seconds > 0) s.utilisation = w.machine.peak_seconds(products, type) / (s.seconds * ranks);
  if (follow) s.path = critical_path(all, t.last);
  return s;
}

std::string simulate_timeline(const AnyProblem& problem, const Options& options, const std::vector<Int>& ranks) {
  const Wanted w = wanted(problem, options);
  for (Int r : ranks)
    if (r < 0 || r >= w.wire.ranks || w.labels.position(r) >= w.wire.grid.size())
      throw ArgumentError(
          fmt::format("rank {} of the timeline: expected one of 0..{}, which have work", r, w.wire.grid.size() - 1));
  const std::vector<Effect> does = effects(w.wire);
  const auto name = [&](const Activity& a) -> std::string_view {
    const Compute* x = as_compute(does[a.step]);
    return a.kind == Activity::Kind::wait            ? "wait"
           : a.kind == Activity::Kind::receive || !x ? "receive"
                                                     : name_of(x->kernel);
  };
  std::vector<Activity> all;
  const Watch watch = [&](const Activity& a) {
    if (std::find(ranks.begin(), ranks.end(), a.rank) != ranks.end()) all.push_back(a);
  };
  timing_of(w, type_of(problem), replays(w, counts_of(w)), watch);
  std::stable_sort(all.begin(), all.end(), [](const Activity& a, const Activity& b) { return a.start < b.start; });
  constexpr double micro = 1e6;  // the format counts microseconds
  nlohmann::json events = nlohmann::json::array();
  std::map<Int, Lanes> network;
  for (const Activity& a : all)
    events.push_back({{"name", name(a)},
                      {"ph", "X"},
                      {"pid", a.rank},
                      {"tid", a.kind == Activity::Kind::receive ? network[a.rank].free(a) : "core"},
                      {"ts", a.start * micro},
                      {"dur", (a.end - a.start) * micro},
                      {"args", {{"step", label(w.wire, a.step)}, {"from", a.from}}}});
  return nlohmann::json{{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}}.dump() + "\n";
}

}  // namespace cairn
