#include "interpret/clock.hpp"

#include <cmath>

#include "interpret/even_clock.hpp"
#include "interpret/in_flight.hpp"
#include "interpret/lanes.hpp"
#include "interpret/links.hpp"
#include "interpret/redistribution.hpp"
#include "interpret/send_waits.hpp"
#include "interpret/sizes.hpp"
#include "interpret/totals.hpp"

namespace cairn {

namespace {

class Clock {
 public:
  Clock(const Schedule& s, const Machine& machine, ScalarType type, const Watch& watch, Ports ports, const Cells& cells,
        Sizes& sizes, bool careful)
      : s_(s),
        machine_(machine),
        type_(type),
        watch_(watch),
        ports_(ports),
        bytes_(static_cast<double>(size_of(type))),
        cells_(cells),
        sizes_(sizes),
        links_(machine, cells_),
        careful_(careful),
        in_flight_(s),
        lanes_(cells_.size()),
        arrivals_(s.slots.size(), cells_.size()),
        sent_(s.slots.size(), cells_.size()),
        words_(cells_.run()),
        port_(cells_.run()),
        latency_(cells_.run()) {
    if (watch_) senders_.resize(s.slots.size());
    if (careful_) send_waits_.emplace(s);
  }

  Timing run() {
    for (at_ = 0; at_ < s_.steps.size(); ++at_) {
      std::visit(*this, s_.steps[at_].step);
      const Access a = access(s_.steps[at_].step);
      if (careful_)
        for (const SendWaits::Wait& w : send_waits_->before(at_))
          if (send_waits_->last(w.storage) == at_) sent_.release(static_cast<std::size_t>(w.storage));
      for (Slot x : a.reads)
        if (x >= 0 && in_flight_.last_read(s_.storage(x)) == at_ && storage(x) != storage(a.writes))
          arrivals_.release(storage(x));
    }
    at_ = s_.steps.empty() ? 0 : s_.steps.size() - 1;
    for (Slot x = 0; x < static_cast<Slot>(s_.slots.size()); ++x) wait(x, 0, cells_.size());
    return totals(lanes_, cells_);
  }

  void operator()(const Shift& x) {
    if (!careful_ && ports_ == Ports::shared) return pass_on(x);
    const bool uniform = sizes_.uniform(x.dst);
    cells_.for_each_message(x, [&](std::size_t to, std::size_t from, std::size_t count) {
      if (uniform && sizes_.at(x.dst, to) == 0) return;
      post(x, to, from, count);
    });
    find_overtaken();
    double* const arrive = arrivals_.make(storage(x.dst));
    double* const sent = careful_ && send_waits_->last(s_.storage(x.src)) > at_ ? sent_.make(storage(x.src)) : nullptr;
    if (ports_ == Ports::in_turn) {
      before_ = lanes_.core;
      for (std::size_t c = 0; c < cells_.size(); ++c) before_[c] = std::max({before_[c], lanes_.in[c], lanes_.out[c]});
    }
    cells_.for_each_message(x, [&](std::size_t to, std::size_t from, std::size_t count) {
      if (to == from) return;
      const bool all = measure(x, to, count, uniform);
      if (uniform && !all) return;
      if (!all || watch_ || ports_ == Ports::in_turn)
        travel_each(x, to, from, count, arrive);
      else if (uniform && links_.alike())
        travel<true>(to, from, count, arrive);
      else
        travel<false>(to, from, count, arrive);
      for (double* earlier : overtaken_)
        for (std::size_t i = 0, one = uniform && links_.alike() && !watch_ ? 0 : 1; i < count; ++i)
          delay(earlier[to + i], std::max(lanes_.core[to + i], lanes_.core[from + i]), port_[one * i],
                latency_[one * i]);
      for (std::size_t i = 0; sent && i < count; ++i) sent[from + i] = std::max(sent[from + i], arrive[to + i]);
    });
  }
  void operator()(const Add& x) {
    const double copy = machine_.copy_seconds_per_byte * bytes_;
    cells_.for_each_part(x, [&](std::size_t first, std::size_t count) {
      wait(x.src, first, count);
      if (x.update != Update::overwrite) wait(x.dst, first, count);
      see_off(first, count);
      sizes_.fill(x.dst, first, count, words_.data());
      for (std::size_t i = 0; i < count; ++i)
        if (words_[i] > 0) lanes_.work(first + i, machine_.step_seconds + words_[i] * copy);
    });
  }
  void operator()(const AllGather& x) {
    gather_words(x.src, mine_);
    gather_words(x.dst, all_);
    find_overtaken();
    overtake();
    cells_.for_each_line(x.axis, [&](const std::vector<std::size_t>& line) {
      exchange(
          x.axis, x.src, line, [&](std::size_t c) { return all_[c] - mine_[c]; },
          [&](std::size_t c) { return mine_[c]; }, x.dst, false);
    });
  }
  void operator()(const ReduceScatter& x) {
    gather_words(x.src, all_);
    gather_words(x.dst, mine_);
    const auto others = static_cast<double>(s_.grid.extent(x.axis) - 1);
    if (x.update != Update::overwrite) wait(x.dst, 0, cells_.size());
    cells_.for_each_line(x.axis, [&](const std::vector<std::size_t>& line) {
      exchange(
          x.axis, x.src, line, [&](std::size_t c) { return mine_[c] * others; },
          [&](std::size_t c) { return others > 0 ? (all_[c] - mine_[c]) / others : 0; }, x.dst, true);
    });
  }
  void operator()(const Bcast& x) { tree(x.axis, x.src, x.dst); }
  void operator()(const Reduce& x) { tree(x.axis, x.src, x.dst); }
  // Everybody with everybody: all wait for the busiest.
  void operator()(const Redistribute& x) {
    wait(x.src, 0, cells_.size());
    wait(x.dst, 0, cells_.size());
    double start = 0;
    for (std::size_t c = 0; c < cells_.size(); ++c)
      start = std::max({start, lanes_.core[c], lanes_.in[c], lanes_.out[c]});
    const double longest = redistribution_seconds(s_.layout(x.src), s_.layout(x.dst), s_.ranks, machine_, type_);
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      report(Activity::Kind::wait, c, lanes_.core[c], start + longest, c);
      lanes_.receiving[c] += longest;
      lanes_.core[c] = lanes_.in[c] = lanes_.out[c] = start + longest;
      lanes_.work(c, machine_.step_seconds);
    }
  }
  void operator()(const Gemm& x) {
    const Sizes::Words &a = sizes_.words(x.A), &c = sizes_.words(x.C);
    const auto all = [&](auto is) {
      return is(c.rows) && is(c.cols) && is(a.cols) && std::all_of(a.others.begin(), a.others.end(), is);
    };
    const bool uniform = all([&](const Sizes::Factor*f) { return sizes_.uniform(*f); }),
               everywhere = all([](const Sizes::Factor*f) { return f->axis == Sizes::Factor::everywhere; });
    const double *const of_a = arrivals_.of(storage(x.A)), *const of_b = arrivals_.of(storage(x.B));
    if (everywhere && !careful_ && of_a && of_b && !arrivals_.of(storage(x.C))) {
      const double seconds = product(x, a, c, 0), step = machine_.step_seconds;
      lanes_.all_computing += seconds, lanes_.all_working += step;
      return compute(lanes_.core, of_a, of_b, seconds + step);
    }
    for (std::size_t first = 0; first < cells_.size(); first += cells_.run()) {
      for (Slot r : {x.A, x.B, x.C}) wait(r, first, cells_.run());
      see_off(first, cells_.run());
      double seconds = product(x, a, c, first);
      if (uniform && !watch_) {
        multiply(first, seconds);
        continue;
      }
      for (std::size_t i = first; i < first + cells_.run(); ++i) {
        if (!uniform) seconds = product(x, a, c, i);
        report(Activity::Kind::multiply, i, lanes_.core[i], lanes_.core[i] + seconds, i);
        lanes_.core[i] += seconds;
        lanes_.computing[i] += seconds;
        lanes_.work(i, machine_.step_seconds);
      }
    }
  }

 private:
  std::size_t storage(Slot x) const { return static_cast<std::size_t>(s_.storage(x)); }
  bool callers(Slot x) const { return s_[s_.storage(x)].kind == SlotInfo::Kind::input; }

  void report(Activity::Kind kind, std::size_t c, double start, double end, std::size_t from) const {
    if (watch_ && end > start) watch_({kind, cells_.rank(c), at_, start, end, from == c ? -1 : cells_.rank(from)});
  }
  // The core goes on once what it reads has arrived.
  void wait(Slot x, std::size_t first, std::size_t count) {
    const double* const arrive = arrivals_.of(storage(x));
    if (!arrive) return;
    if (watch_)
      for (std::size_t c = first; c < first + count; ++c)
        report(Activity::Kind::wait, c, lanes_.core[c], arrive[c],
               senders_[storage(x)].empty() ? c : senders_[storage(x)][c]);
    double* const core = lanes_.core.data();
    for (std::size_t c = first; c < first + count; ++c) core[c] = std::max(core[c], arrive[c]);
  }

  // The core goes on once what it sent has left the memory that is written next.
  void see_off(std::size_t first, std::size_t count, bool senders = true) {
    if (ports_ == Ports::in_turn || !careful_) return;
    for (const SendWaits::Wait& w : send_waits_->before(at_)) {
      const double* const sent = sent_.of(static_cast<std::size_t>(w.storage));
      if (!sent || (w.senders && !senders)) continue;
      double* const core = lanes_.core.data();
      for (std::size_t c = first; watch_ && c < first + count; ++c)
        report(Activity::Kind::wait, c, core[c], sent[c], c);
      for (std::size_t c = first; c < first + count; ++c) core[c] = std::max(core[c], sent[c]);
    }
  }

  void multiply(std::size_t first, double seconds) {
    double *__restrict core = lanes_.core.data() + first, *__restrict computing = lanes_.computing.data() + first,
           *__restrict working = lanes_.working.data() + first;
    const double step = machine_.step_seconds;
    for (std::size_t i = 0; i < cells_.run(); ++i) {
      core[i] += seconds + step;
      computing[i] += seconds;
      working[i] += step;
    }
  }
  // With less care: messages go in the order in which they were posted, and a rank sends the next one once the one
  // before has arrived.
  void pass_on(const Shift& x) {
    const bool uniform = sizes_.uniform(x.dst);
    for_each_full(x, uniform, [&](std::size_t, std::size_t from, std::size_t count) { wait(x.src, from, count); });
    for_each_full(x, uniform, [&](std::size_t to, std::size_t from, std::size_t count) { reach(x, to, from, count); });
    double* const arrive = arrivals_.make(storage(x.dst));
    for_each_full(x, uniform, [&](std::size_t to, std::size_t from, std::size_t count) {
      if (to == from) return;
      measure(x, to, count, uniform);
      const bool alike = uniform && links_.alike();
      for (std::size_t i = 0, j; i < count; i = j) {
        for (j = i + 1; j < count && (alike || (port_[j] == port_[i] && latency_[j] == latency_[i]));) ++j;
        if (alike) j = count;
        pass(Strip::of(lanes_, to + i, from + i, arrive), j - i, port_[i], latency_[i]);
        for (std::size_t c = to + i; c < to + j; ++c) lanes_.receiving[c] += port_[i] + latency_[i];
      }
    });
  }
  // Messages that are not empty.
  template <class Visit>
  void for_each_full(const Shift& x, bool uniform, Visit visit) {
    cells_.for_each_message(x, [&](std::size_t to, std::size_t from, std::size_t count) {
      if (uniform && sizes_.at(x.dst, to) > 0) visit(to, from, count);
      if (uniform) return;
      full_.resize(cells_.run());
      sizes_.fill(x.dst, to, count, full_.data());
      for (std::size_t lo = 0, hi; lo < count; lo = hi + 1) {
        for (hi = lo; hi < count && full_[hi] > 0;) ++hi;
        if (hi > lo) visit(to + lo, from + lo, hi - lo);
      }
    });
  }
  // Both ends reach the step: the sender with what it sends.
  void post(const Shift& x, std::size_t to, std::size_t from, std::size_t count) {
    wait(x.src, from, count);
    see_off(to, count, false);
    see_off(from, count, true);
    reach(x, to, from, count);
  }
  void reach(const Shift& x, std::size_t to, std::size_t from, std::size_t count) {
    if (to == from) {  // moves nowhere: a copy
      sizes_.fill(x.dst, to, count, words_.data());
      const double copy = machine_.copy_seconds_per_byte * bytes_;
      for (std::size_t i = 0; i < count; ++i) lanes_.work(to + i, machine_.step_seconds + words_[i] * copy);
      return;
    }
    const std::uint8_t* const levels = links_.levels(x);
    const double own = machine_.step_seconds;
    double o = machine_.levels[0].overhead_seconds;
    if (own == 0 && o == 0 && !levels) return;
    for (std::size_t i = 0; i < count; ++i) {
      if (levels) o = machine_.levels[levels[to + i]].overhead_seconds;
      if (o > 0) lanes_.work(from + i, o);
      lanes_.work(to + i, own + o);
    }
  }
  // What the messages of a strip take. Whether none is empty.
  bool measure(const Shift& x, std::size_t to, std::size_t count, bool uniform) {
    const std::uint8_t* const levels = links_.levels(x);
    if (uniform) {
      const double words = sizes_.at(x.dst, to);
      if (words == 0) return false;
      if (!levels && !watch_ && ports_ == Ports::shared) count = 1;  // stands for all
      std::fill_n(words_.data(), count, words);
      of_level_.clear();
      for (const Machine::Level& l : machine_.levels) of_level_.push_back(l.port_seconds(words * bytes_));
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t level = levels ? levels[to + i] : 0;
        port_[i] = of_level_[level];
        latency_[i] = machine_.levels[level].latency_seconds;
      }
      return true;
    }
    sizes_.fill(x.dst, to, count, words_.data());
    bool all = true;
    for (std::size_t i = 0; i < count; ++i) {
      const Machine::Level& l = machine_.levels[levels ? levels[to + i] : 0];
      port_[i] = l.port_seconds(words_[i] * bytes_);
      latency_[i] = l.latency_seconds;
      all = all && words_[i] > 0;
    }
    return all;
  }
  // A rank's messages of one step follow those of the steps before.
  void one_in_turn(std::size_t to, std::size_t from, double seconds, double& arrive) {
    const double end = std::max(before_[to], before_[from]) + seconds;
    for (std::size_t c : {to, from}) lanes_.in[c] = lanes_.out[c] = std::max(lanes_.out[c], end);
    arrive = std::max(arrive, end);
    lanes_.receiving[to] += seconds;
  }
  template <bool alike>
  void travel(std::size_t to, std::size_t from, std::size_t count, double* arrive) {
    const double *__restrict core = lanes_.core.data(), *__restrict port = port_.data(),
                 *__restrict latency = latency_.data();
    double *__restrict in = lanes_.in.data() + to, *__restrict idle = lanes_.idle.data() + to,
           *__restrict busy = lanes_.busy.data() + to, *__restrict out = lanes_.out.data() + from,
           *__restrict at = arrive + to, *__restrict receiving = lanes_.receiving.data() + to;
    const double *const core_to = core + to, *const core_from = core + from;
    for (std::size_t i = 0; i < count; ++i)
      carry(core_to[i], core_from[i], out[i], {idle[i], busy[i], in[i]}, port[alike ? 0 : i], latency[alike ? 0 : i],
            at[i], receiving[i]);
  }
  void travel_each(const Shift& x, std::size_t to, std::size_t from, std::size_t count, double* arrive) {
    for (std::size_t i = 0; i < count; ++i) {
      if (words_[i] == 0) continue;
      const double start = std::max(lanes_.core[from + i], lanes_.core[to + i]);
      if (ports_ == Ports::in_turn)
        one_in_turn(to + i, from + i, port_[i] + latency_[i], arrive[to + i]);
      else
        carry(lanes_.core[to + i], lanes_.core[from + i], lanes_.out[from + i], lanes_.port_in(to + i), port_[i],
              latency_[i], arrive[to + i], lanes_.receiving[to + i]);
      if (!watch_) continue;
      remember_sender(x.dst, to + i, from + i);
      report(Activity::Kind::receive, to + i, start, arrive[to + i], from + i);
    }
  }
  // What else is on its way to ranks that receive now, and is waited for before what this step brings.
  void find_overtaken() {
    overtaken_.clear();
    if (ports_ == Ports::in_turn || !careful_) return;
    for (Slot x : in_flight_.overtaken(at_))
      if (double* const arrive = arrivals_.find(static_cast<std::size_t>(x))) overtaken_.push_back(arrive);
  }
  // Gathers that are waited for together delay others together.
  void overtake() {
    if (overtaken_.empty()) return;
    const std::vector<std::size_t> steps = in_flight_.gathers(at_);
    for (std::size_t c = 0; c < cells_.size() && !steps.empty(); ++c) {
      Links::Kept all;
      for (std::size_t step : steps) {
        const auto& x = std::get<AllGather>(s_.steps[step].step);
        const auto others = static_cast<double>(std::max<Int>(1, s_.grid.extent(x.axis) - 1));
        const Links::Kept one = kept(c, x.axis, (sizes_.at(x.dst, c) - sizes_.at(x.src, c)) / others);
        all.seconds += one.seconds;
        all.latency = std::max(all.latency, one.latency);
      }
      for (double* earlier : overtaken_) delay(earlier[c], lanes_.core[c], all.seconds, all.latency);
    }
  }
  // A message that is ready while an earlier one comes in takes half of the port, until the shorter one is through.
  static void delay(double& earlier, double ready, double port, double latency) {
    earlier += std::clamp(earlier - latency - ready, 0.0, port);
  }
  void remember_sender(Slot dst, std::size_t to, std::size_t from) {
    std::vector<std::size_t>& senders = senders_[storage(dst)];
    if (senders.empty()) senders.resize(cells_.size());
    senders[to] = from;
  }

  void gather_words(Slot x, std::vector<double>& out) {
    out.resize(cells_.size());
    for (std::size_t c = 0; c < cells_.size(); c += cells_.run()) sizes_.fill(x, c, cells_.run(), &out[c]);
  }
  Links::Kept kept(std::size_t c, int axis, double words) const {
    return links_.kept(cells_.rank(c), axis, words * bytes_);
  }
  // All members of a line send to all others at once; ports are shared evenly, so everything arrives when the last
  // member has sent what it has to. `sums`: the core waits, and adds what arrives to what it has.
  template <class In, class Each>
  void exchange(int axis, Slot src, const std::vector<std::size_t>& line, In in_words, Each each_words, Slot dst,
                bool sums) {
    const Int q = s_.grid.extent(axis);
    const auto others = static_cast<double>(q - 1);
    double all_sent = 0;
    received_.clear();
    std::size_t last = line[0];
    for (std::size_t c : line) {
      wait(src, c, 1);
      see_off(c, 1);
      const double words = in_words(c), each = each_words(c);
      const Links::Kept out = kept(c, axis, each), in = kept(c, axis, others > 0 ? words / others : 0);
      lanes_.work(c, machine_.step_seconds + (q > 1 ? out.overhead : 0));
      lanes_.out[c] = std::max(lanes_.core[c], lanes_.out[c]) + out.seconds;
      if (lanes_.out[c] > all_sent) all_sent = lanes_.out[c], last = c;
      received_.push_back(in);
    }
    double* const arrive = arrivals_.make(storage(dst));
    const double copy = machine_.copy_seconds_per_byte * bytes_;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::size_t c = line[i];
      const Links::Kept& in = received_[i];
      double arrival = 0;
      if (in.seconds > 0) {
        lanes_.in[c] = std::max(lanes_.core[c], lanes_.in[c]) + in.seconds;
        arrival = std::max(lanes_.in[c], all_sent) + in.latency;
        lanes_.receiving[c] += in.seconds + in.latency;
        if (watch_) remember_sender(dst, c, last);
        report(Activity::Kind::receive, c, lanes_.core[c], arrival, last);
      }
      const double own = mine_[c] * copy;
      lanes_.work(c, own);
      if (!sums) {
        arrive[c] = std::max(arrive[c], arrival);
        continue;
      }
      if (q > 2) lanes_.work(c, (others - 1) * own);
      report(Activity::Kind::wait, c, lanes_.core[c], arrival, last);
      lanes_.core[c] = std::max(lanes_.core[c], arrival);
      if (q > 1) lanes_.work(c, own);
    }
  }
  // log2 q messages one after another.
  void tree(int axis, Slot src, Slot dst) {
    const Int q = s_.grid.extent(axis);
    const double rounds = std::ceil(std::log2(static_cast<double>(q)));
    double* const arrive = arrivals_.make(storage(dst));
    cells_.for_each_line(axis, [&](const std::vector<std::size_t>& line) {
      double start = 0;
      for (std::size_t c : line) {
        wait(src, c, 1);
        start = std::max({start, lanes_.core[c], lanes_.in[c], lanes_.out[c]});
      }
      for (std::size_t c : line) {
        const Machine::Level& l = links_.at(machine_.level_of(s_.grid.stride(axis) * (q - 1) + 1));
        const double words = sizes_.at(dst, c), seconds = words > 0 ? rounds * l.message_seconds(words * bytes_) : 0;
        lanes_.work(c, machine_.step_seconds);
        lanes_.receiving[c] += seconds;
        lanes_.in[c] = lanes_.out[c] = arrive[c] = start + seconds;
      }
    });
  }

  // What is multiplied where the caller has it is in no cache.
  double product(const Gemm& x, const Sizes::Words& a, const Sizes::Words& c, std::size_t cell) {
    const double m = sizes_.at(*c.rows, cell), n = sizes_.at(*c.cols, cell), k = sizes_.at(*a.cols, cell);
    for (const Sizes::Factor* f : a.others)
      if (sizes_.at(*f, cell) == 0) return 0;
    if (m != known_.m || n != known_.n || k != known_.k)
      known_ = {m, n, k, machine_.gemm_seconds(static_cast<Int>(m), static_cast<Int>(n), static_cast<Int>(k), type_)};
    const double cold = (callers(x.A) ? m * k : 0) + (callers(x.B) ? k * n : 0);
    return known_.seconds + cold * bytes_ * machine_.read_seconds_per_byte;
  }
  struct Product {
    double m = -1, n = -1, k = -1, seconds = 0;
  };
  const Schedule& s_;
  const Machine& machine_;
  ScalarType type_;
  const Watch& watch_;
  Ports ports_;
  double bytes_;
  const Cells& cells_;
  Sizes& sizes_;
  Links links_;
  bool careful_;
  std::optional<SendWaits> send_waits_;
  InFlight in_flight_;
  Lanes lanes_;
  Arrivals arrivals_, sent_;                       // sent_: when what a rank sent has left its memory
  std::vector<double*> overtaken_;                 // by the step: when they arrive, by cell
  std::vector<std::vector<std::size_t>> senders_;  // if watched: by storage slot, then cell
  std::vector<double> words_, port_, latency_;     // of a strip
  std::vector<double> of_level_, full_, mine_, all_, before_;
  std::vector<Links::Kept> received_;
  Product known_;
  std::size_t at_ = 0;
};

}  // namespace

Timing clock_all(const Schedule& wire, const Machine& machine, ScalarType type, const Watch& watch, Ports ports,
                 Care care) {
  const Cells cells = cells_of(wire, machine);
  Sizes sizes(wire, cells);
  const bool careful = cells.size() <= care.most_cells || watch;
  if (!careful && cells.exact() && ports == Ports::shared && !care.every_round)
    if (const std::optional<Timing> t = clock_evenly(wire, machine, type, cells, sizes)) return *t;
  return Clock(wire, machine, type, watch, ports, cells, sizes, careful).run();
}

Times clock(const Schedule& wire, const Machine& machine, ScalarType type, Ports ports) {
  return clock_all(wire, machine, type, {}, ports).last;
}

}  // namespace cairn
