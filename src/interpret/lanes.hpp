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

/// Messages of as many senders next to each other, and what of their time lines changes.
struct Strip {
  const double *core_to, *core_from;
  double *out, *in, *arrive, *receiving;
  static Strip of(Lanes& l, std::size_t to, std::size_t from, double* arrive) {
    return {&l.core[to], &l.core[from], &l.out[from], &l.in[to], arrive + to, &l.receiving[to]};
  }
};
/// Messages that all take as long, on ports that carry them in the order in which they were posted, at both ends; the
/// next one leaves once this one has arrived.
void pass(const Strip& strip, std::size_t count, double port, double latency);
/// The same product on all cells, of two values that were received: cores wait for both.
void compute(Lanes& lanes, const double* a, const double* b, double seconds, double step);

/// When the values that were received arrive, by storage slot and cell. Arrays of values that nobody reads any more are
/// used again.
class Arrivals {
 public:
  Arrivals(std::size_t slots, std::size_t cells) : by_slot_(slots), cells_(cells) {}

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
