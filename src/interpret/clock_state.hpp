// What the clock knows of every cell at a moment: when its core and its ports become free, and what they did so far.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

namespace cairn {

struct Lanes {
  explicit Lanes(std::size_t cells) {
    for (std::vector<double>* lane :
         {&core, &in, &out, &idle, &busy, &out_idle, &out_busy, &computing, &receiving, &working})
      lane->resize(cells);
  }

  std::vector<double> core, in, out;       ///< free from then on; `in` as the sender's end of the link sees it
  std::vector<double> idle, busy;          ///< when the port that receives was last idle: from idle to busy
  std::vector<double> out_idle, out_busy;  ///< the same of the port that sends
  std::vector<double> computing, receiving, working;  ///< seconds so far
  double all_computing = 0, all_working = 0;          ///< beside these, of every cell

  /// A port that receives.
  struct In {
    double &idle, &busy, &end;
  };

  /// For loops over strips.
  struct Data {
    double *core, *in, *out, *idle, *busy, *out_idle, *out_busy, *receiving;
  };
  Data data() {
    return {core.data(), in.data(),       out.data(),      idle.data(),
            busy.data(), out_idle.data(), out_busy.data(), receiving.data()};
  }

  double computed(std::size_t c) const { return computing[c] + all_computing; }
  double worked(std::size_t c) const { return working[c] + all_working; }
  void work(std::size_t c, double seconds) {
    core[c] += seconds;
    working[c] += seconds;
  }
  /// The same product on cells next to each other, and `step` seconds of other work.
  void multiply(std::size_t first, std::size_t count, double seconds, double step) {
    double *__restrict free = core.data() + first, *__restrict multiplying = computing.data() + first,
                       *__restrict other = working.data() + first;
    for (std::size_t i = 0; i < count; ++i) {
      free[i] += seconds + step;
      multiplying[i] += seconds;
      other[i] += step;
    }
  }
};

/// A sender's port carries its messages in the order in which they were posted. A receiver's carries them as they
/// become ready: what is ready before the port was last busy uses the time for which it was idle until then.
/// Returns when the sender's port is through with it.
[[gnu::always_inline]] inline double carry(double core_to, double core_from, double& out, Lanes::In in, double port,
                                           double latency, double& arrive, double& receiving) {
  out = std::max(out, core_from) + port;
  const double ready = std::max(core_from, core_to), early = std::max(in.idle, ready);
  const double used = std::max(0.0, std::min(in.busy - early, port)), rest = port - used;
  const bool later = ready > in.end;  // than all others
  const double end = std::max(in.end, ready) + rest;
  arrive = std::max(arrive, std::max(out, rest > 0 ? end : early + port) + latency);
  in.idle = later ? in.end : used > 0 ? early + used : in.idle;
  in.busy = later ? ready : in.busy;
  in.end = end;
  receiving += port + latency;
  return out;
}

/// When a message is through that a port carries as it becomes ready: also in the time for which it was last idle.
/// Nothing is ready before `now` any more; of two times of idleness the longer one that is left is remembered.
[[gnu::always_inline]] inline double fit(Lanes::In port, double now, double ready, double seconds) {
  const double early = std::max(port.idle, ready), used = std::max(0.0, std::min(port.busy - early, seconds));
  const double rest = seconds - used, end = std::max(port.end, ready) + rest;
  if (used > 0) port.idle = early + used;
  if (ready - port.end > port.busy - std::max(port.idle, now)) port.idle = port.end, port.busy = ready;
  port.end = end;
  return rest > 0 ? end : early + seconds;
}
/// The same where messages are not posted in the order of the steps: both ports carry them as they become ready.
[[gnu::always_inline]] inline double carry_any(double core_to, double core_from, double ready_to, double ready_from,
                                               Lanes::In out, Lanes::In in, double port, double latency, double& arrive,
                                               double& receiving) {
  const double sent = fit(out, core_from, ready_from, port),
               received = fit(in, core_to, std::max(ready_from, ready_to), port);
  arrive = std::max(arrive, std::max(sent, received) + latency);
  receiving += port + latency;
  return sent;
}

/// A message that is ready while an earlier one comes in takes half of the port, until the shorter one is through.
/// `beside`: the earlier one may be ready later, so only for as long as both are on their way, if they are as long.
inline void delay(double& earlier, double ready, double port, double latency, bool beside) {
  const double left = earlier - latency - ready;
  earlier += beside ? std::max(0.0, port - std::abs(left - port)) : std::clamp(left, 0.0, port);
}
/// Nothing earlier than `than`.
void raise(double* lane, const double* than, std::size_t first, std::size_t count);

/// Of messages from cells next to each other to as many others: what is known where each begins.
struct Strip {
  const double *core_to, *post_from;
  double *out, *in, *arrive;
};
/// They all take as long, on ports that carry them in the order in which they were posted, at both ends; the next one
/// leaves once this one has arrived.
void pass(const Strip& strip, std::size_t count, double port, double latency);
/// The same product on all cells, of two values that were received: cores wait for both.
void compute(std::vector<double>& core, const double* a, const double* b, double seconds);

/// When the values that were received arrive, by their number and cell. Arrays of values that nobody reads any more are
/// used again.
class Arrivals {
 public:
  Arrivals(std::size_t count, std::size_t cells) : by_value_(count), cells_(cells) {}

  /// Null if it was never received.
  const double* of(std::size_t value) const { return by_value_[value].empty() ? nullptr : by_value_[value].data(); }
  double* find(std::size_t value) { return by_value_[value].empty() ? nullptr : by_value_[value].data(); }
  double* make(std::size_t value) {
    std::vector<double>& v = by_value_[value];
    if (v.empty() && !free_.empty()) {
      v.swap(free_.back());
      free_.pop_back();
      std::fill(v.begin(), v.end(), 0.0);
    } else if (v.empty()) {
      v.assign(cells_, 0);
    }
    return v.data();
  }
  /// As if only `values` had been there; what was is in `values` then.
  void swap(std::size_t value, std::vector<double>& values) { by_value_[value].swap(values); }
  void release(std::size_t value) {
    if (by_value_[value].empty()) return;
    free_.emplace_back();
    free_.back().swap(by_value_[value]);
  }

 private:
  std::vector<std::vector<double>> by_value_, free_;
  std::size_t cells_;
};

}  // namespace cairn
