#include <algorithm>

#include "base/arithmetic.hpp"
#include "interpret/panel_count.hpp"
#include "interpret/totals.hpp"

namespace cairn {

namespace {

// Step by step, all ranks of each.
class PanelClock {
 public:
  PanelClock(const PanelFlow& flow, double seconds_per_flop, const Machine& machine, ScalarType type,
             Transport transport, const Watch& watch)
      : flow_(flow),
        s_(flow.values().wire),
        seconds_per_flop_(seconds_per_flop),
        machine_(machine),
        windows_(machine.by(transport)),
        fetches_(transport == Transport::one_sided),
        word_(static_cast<double>(size_of(type))),
        watch_(watch),
        ranks_(place(s_.ranks)),
        arrivals_(s_.slots.size()) {}

  Timing run() {
    for (at_ = 0; at_ < flow_.steps().size(); ++at_) {
      const Compute* const x = as_compute(flow_.values().uses.does[at_]);
      for (Int r = 0; x && r < s_.grid.size(); ++r) compute(*x, r);
      if (!x) travel(flow_.steps()[at_]);
    }
    return totals(
        ranks_.size(), [this](std::size_t r) { return times(r); }, [](std::size_t) { return 1; });
  }

 private:
  struct Rank {
    double core = 0, in = 0, out = 0;  // free from then on
    double computing = 0, working = 0, receiving = 0;
  };
  struct Message {
    std::int32_t from, to;
    double bytes;
    const Machine::Level& level;
  };

  Rank& rank(Int r) { return ranks_[place(r)]; }
  Times times(std::size_t r) const {
    const Rank& x = ranks_[r];
    return {std::max(x.core, x.out), x.receiving, x.computing, x.working, 0, static_cast<Int>(r)};
  }
  void work(Int r, double seconds) { rank(r).core += seconds, rank(r).working += seconds; }
  double copying(double bytes) const { return bytes * machine_.copy_seconds_per_byte; }
  // Of a rank's panels of a value; 0 where they were there from the start.
  double& arrival(Slot x, Int r) {
    std::vector<double>& of = arrivals_[place(x)];
    of.resize(ranks_.size());
    return of[place(r)];
  }
  void report(Activity::Kind kind, Int r, double start, double end, Int from = -1) const {
    if (watch_ && end > start) watch_({kind, r, at_, start, end, from});
  }
  void wait_until(Int r, double time, Int from) {
    report(Activity::Kind::wait, r, rank(r).core, time, from);
    rank(r).core = std::max(rank(r).core, time);
  }

  void compute(const Compute& x, Int r) {
    for (Slot y : {x.A, x.B}) wait_until(r, arrival(s_.storage(y), r), -1);
    const double seconds = flow_.steps()[at_].flops[place(r)] * seconds_per_flop_, start = rank(r).core;
    rank(r).core += seconds, rank(r).computing += seconds;
    report(Activity::Kind::multiply, r, start, rank(r).core);
    work(r, machine_.step_seconds);
  }

  // A sender has what it sends; a sum is copied.
  void travel(const PanelFlow::Step& step) {
    const bool sum = flow_.values().matrix(step.src) == PanelValues::C,
               fetched = fetches_ && !sum && s_[s_.storage(step.src)].callers();
    std::vector<Message> all;
    all.reserve(step.arrivals.size());
    for (const PanelFlow::Arrival& x : step.arrivals) {
      const PanelSizes::Size& size = flow_.sizes().of(step.src).at(x.row, x.col);
      all.push_back({x.from, x.to,
                     x.share * (static_cast<double>(size.words) * word_ +
                                PanelSizes::index_bytes * static_cast<double>(size.numbers)),
                     (fetched ? windows_ : machine_).between(x.from, x.to)});
    }
    for (const Message& m : all) {
      if (!sum) work(m.to, overhead(m));
      if (fetched) continue;
      wait_until(m.from, arrival(step.src, m.from), -1);
      work(m.from, overhead(m) + (sum ? copying(m.bytes) : 0));
    }
    carry(all, step.dst, sum, fetched);
    for (Int r = 0; r < s_.grid.size(); ++r) work(r, machine_.step_seconds);
  }
  static double overhead(const Message& m) { return m.level.overhead_seconds; }

  // A port's messages of one step share it, after those of the steps before. An index and values are two messages, the
  // first of which has no time of its own.
  void carry(const std::vector<Message>& all, Slot dst, bool sum, bool fetched) {
    std::vector<double> sending(ranks_.size()), receiving(ranks_.size());
    for (const Message& m : all) {
      const double seconds = m.level.port_seconds(m.bytes);
      sending[place(m.from)] += seconds, receiving[place(m.to)] += seconds;
    }
    const std::vector<Rank> before = ranks_;
    for (const Message& m : all) {
      const Rank &from = before[place(m.from)], &to = before[place(m.to)];
      const double start = fetched ? to.core : std::max(from.core, to.core),  // both ends are there
          passed_out = std::max(start, from.out) + sending[place(m.from)],
                   passed_in = std::max(start, to.in) + receiving[place(m.to)];
      rank(m.from).out = std::max(rank(m.from).out, passed_out), rank(m.to).in = std::max(rank(m.to).in, passed_in);
      const double arrived = std::max(passed_out, passed_in) + m.level.latency_seconds;
      rank(m.to).receiving += m.level.message_seconds(m.bytes);
      report(Activity::Kind::receive, m.to, start, arrived, m.from);
      if (sum)
        add(m, arrived);
      else
        arrival(dst, m.to) = std::max(arrival(dst, m.to), arrived);
    }
  }
  void add(const Message& m, double arrived) {
    wait_until(m.to, arrived, m.from);
    work(m.to, overhead(m) + copying(m.bytes));
  }

  const PanelFlow& flow_;
  const Schedule& s_;
  const double seconds_per_flop_;
  const Machine& machine_;
  const Machine windows_;  // likewise, as fetches see it
  const bool fetches_;
  const double word_;
  const Watch& watch_;
  std::size_t at_ = 0;
  std::vector<Rank> ranks_;
  std::vector<std::vector<double>> arrivals_;  // by slot with storage of its own, then rank
};

}  // namespace

Timing clock_panels(const PanelFlow& flow, double seconds_per_flop, const Machine& machine, ScalarType type,
                    Transport transport, const Watch& watch) {
  return PanelClock(flow, seconds_per_flop, machine, type, transport, watch).run();
}

}  // namespace cairn
