// What the clock knows of every cell at a moment: when its core and its ports become free, and what they did so far.
#pragma once
#include <algorithm>
#include <vector>

namespace cairn {

struct Lanes {
  explicit Lanes(std::size_t cells)
      : core(cells, 0),
        in(cells, 0),
        out(cells, 0),
        idle(cells, 0),
        busy(cells, 0),
        computing(cells, 0),
        receiving(cells, 0),
        working(cells, 0) {}

  std::vector<double> core, in, out;  ///< free from then on; `in` as the sender's end of the link sees it
  std::vector<double> idle, busy;     ///< when the port that receives was last idle: from idle to busy
  std::vector<double> computing, receiving, working;  ///< seconds so far
  double all_computing = 0, all_working = 0;          ///< beside these, of every cell

  /// A port that receives.
  struct In {
    double &idle, &busy, &end;
  };
  In port_in(std::size_t c) { return {idle[c], busy[c], in[c]}; }

  double computed(std::size_t c) const { return computing[c] + all_computing; }
  double worked(std::size_t c) const { return working[c] + all_working; }
  void work(std::size_t c, double seconds) {
    core[c] += seconds;
    working[c] += seconds;
  }
  double end(std::size_t c, double latency) const {
    return std::max({core[c], out[c], in[c] > 0 ? in[c] + latency : 0});
  }
};

/// A sender's port carries its messages in the order in which they were posted. A receiver's carries them as they
/// become ready: what is ready before the port was last busy uses the time for which it was idle until then.
inline void carry(double core_to, double core_from, double& out, Lanes::In in, double port, double latency,
                  double& arrive, double& receiving) {
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
}

/// Messages of as many senders next to each other, and what of their time lines changes.
struct Strip {
  const double *core_to, *core_from;
  double *out, *in, *arrive;
  static Strip of(Lanes& l, std::size_t to, std::size_t from, double* arrive) {
    return {&l.core[to], &l.core[from], &l.out[from], &l.in[to], arrive + to};
  }
};
/// Messages that all take as long, on ports that carry them in the order in which they were posted, at both ends; the
/// next one leaves once this one has arrived.
void pass(const Strip& strip, std::size_t count, double port, double latency);
/// The same product on all cells, of two values that were received: cores wait for both.
void compute(std::vector<double>& core, const double* a, const double* b, double seconds);

/// When the values that were received arrive, by storage slot and cell. Arrays of values that nobody reads any more are
/// used again.
class Arrivals {
 public:
  Arrivals(std::size_t slots, std::size_t cells) : by_slot_(slots), cells_(cells) {}

  std::size_t slots() const { return by_slot_.size(); }
  /// Null if it was never received.
  const double* of(std::size_t storage) const { return by_slot_[storage].empty() ? nullptr : by_slot_[storage].data(); }
  double* find(std::size_t storage) { return by_slot_[storage].empty() ? nullptr : by_slot_[storage].data(); }
  double* make(std::size_t storage) {
    std::vector<double>& v = by_slot_[storage];
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
  void swap(std::size_t storage, std::vector<double>& values) { by_slot_[storage].swap(values); }
  void release(std::size_t storage) {
    if (by_slot_[storage].empty()) return;
    free_.emplace_back();
    free_.back().swap(by_slot_[storage]);
  }

 private:
  std::vector<std::vector<double>> by_slot_, free_;
  std::size_t cells_;
};

}  // namespace cairn
