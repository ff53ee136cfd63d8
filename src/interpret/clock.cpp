#include "interpret/clock.hpp"

#include <cmath>

#include "interpret/ahead_posts.hpp"
#include "interpret/clock_state.hpp"
#include "interpret/even_lines.hpp"
#include "interpret/in_flight.hpp"
#include "interpret/recurring_rounds.hpp"
#include "interpret/redistribution.hpp"
#include "interpret/seconds.hpp"
#include "interpret/send_waits.hpp"
#include "interpret/totals.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

class Clock {
 public:
  Clock(Clocked& clocked, const Watch& watch, Ports ports, bool careful, bool every_round)
      : c_(clocked),
        watch_(watch),
        ports_(ports),
        careful_(careful),
        in_flight_(clocked),
        lanes_(c_.cells.size()),
        arrivals_(c_.s.slots.size(), c_.cells.size()),
        sent_(c_.s.slots.size(), c_.cells.size()),
        hops_(clocked),
        products_(clocked),
        sending_(careful ? c_.cells.size() : 0) {
    if (watch_) senders_.resize(c_.s.slots.size());
    if (careful_) send_waits_.emplace(c_.s, c_.does);
    if (careful_ && ports_ == Ports::divided) ahead_.emplace(clocked);
    if (ahead_ && !ahead_->any()) ahead_.reset();
    if (!in_order() || every_round || !c_.cells.exact()) return;
    if (std::optional<EvenRounds> rounds = EvenRounds::of(c_, products_)) {
      rounds_.emplace(std::move(*rounds), c_, lanes_, arrivals_);
      lines_.emplace(c_, hops_, lanes_, arrivals_);
    }
  }

  Timing run() {
    for (at_ = 0; at_ < c_.s.steps.size();) {
      const std::size_t recurs_until = rounds_ ? rounds_->go_on(at_) : at_;
      if (recurs_until > at_) {
        while (at_ < recurs_until) at_ = go_on(true);
        continue;
      }
      for (const std::size_t end = go_on(false); at_ < end; ++at_) forget();
    }
    if (lines_) lines_->add_up();
    at_ = c_.s.steps.empty() ? 0 : c_.s.steps.size() - 1;
    for (Slot x = 0; x < static_cast<Slot>(c_.s.slots.size()); ++x) wait(x, 0, c_.cells.size());
    return totals(lanes_, c_.cells);
  }

  void operator()(const Move& m) {
    require_direct(c_.s.grid, m, "the clock");
    switch (m.from) {
      case Move::From::one:
      case Move::From::root: return m.stays() ? copy(m) : message(m);
      case Move::From::pieces: return gather(m);
      case Move::From::terms: return scatter_sums(m);
    }
  }
  void message(const Move& x) {
    const std::vector<Passage::Hop>& hops = hops_.of(x);
    const bool ahead = travels_ahead();
    ready_ = ahead ? ahead_->post() : lanes_.core.data();
    if (ahead)
      post_ahead(x, hops);
    else
      post(x, hops);
    find_overtaken();
    const Slot storage = c_.s.storage(x.src);
    double* const arrive = arrivals_.make(c_.value(x.dst));
    double* const sent =
        careful_ && send_waits_->last(storage) > at_ ? sent_.make(static_cast<std::size_t>(storage)) : nullptr;
    if (ports_ == Ports::in_turn) {
      before_ = lanes_.core;
      for (std::size_t c = 0; c < c_.cells.size(); ++c)
        before_[c] = std::max({before_[c], lanes_.in[c], lanes_.out[c]});
    }
    for (const Passage::Hop& h : hops)
      if (h.to != h.from) travel(h, arrive);
    if (ports_ == Ports::divided) share_ports(hops, arrive);
    for (const Passage::Hop& h : hops) {
      if (h.to == h.from) continue;
      for (std::size_t i = 0; watch_ && i < h.count; ++i) {
        remember_sender(x.dst, h.to + i, h.from + i);
        report(Activity::Kind::receive, h.to + i, ready(h, i), arrive[h.to + i], h.from + i);
      }
      for (double* earlier : overtaken_)
        for (std::size_t i = 0; i < h.count; ++i) delay(earlier[h.to + i], ready(h, i), h.port, h.latency, !!ahead_);
      for (std::size_t i = 0; sent && i < h.count; ++i) sent[h.from + i] = std::max(sent[h.from + i], arrive[h.to + i]);
    }
  }
  void copy(const Move& x) {
    for (const Passage::Hop& h : hops_.of(x)) {
      wait(x.src, h.to, h.count);
      if (x.update != Update::overwrite) wait(x.dst, h.to, h.count);
      see_off(h.to, h.count);
      reach(h);
    }
  }
  void gather(const Move& x) {
    c_.sizes.fill(x.src, mine_);
    c_.sizes.fill(x.dst, all_);
    find_overtaken();
    find_start();
    overtake();
    c_.cells.for_each_line(x.axis, [&](const std::vector<std::size_t>& line) {
      exchange(
          x.axis, x.src, line, [&](std::size_t c) { return all_[c] - mine_[c]; },
          [&](std::size_t c) { return mine_[c]; }, x.dst, false);
    });
  }
  void scatter_sums(const Move& x) {
    c_.sizes.fill(x.src, all_);
    c_.sizes.fill(x.dst, mine_);
    const auto others = static_cast<double>(c_.s.grid.extent(x.axis) - 1);
    if (x.update != Update::overwrite) wait(x.dst, 0, c_.cells.size());
    c_.cells.for_each_line(x.axis, [&](const std::vector<std::size_t>& line) {
      exchange(
          x.axis, x.src, line, [&](std::size_t c) { return mine_[c] * others; },
          [&](std::size_t c) { return others > 0 ? (all_[c] - mine_[c]) / others : 0; }, x.dst, true);
    });
  }
  // Everybody with everybody: all wait for the busiest.
  void operator()(const Redistribute& x) {
    wait(x.src, 0, c_.cells.size());
    wait(x.dst, 0, c_.cells.size());
    double start = 0;
    for (std::size_t c = 0; c < c_.cells.size(); ++c)
      start = std::max({start, lanes_.core[c], lanes_.in[c], lanes_.out[c]});
    const double longest = redistribution_seconds(c_.s, x, c_.machine, c_.type);
    for (std::size_t c = 0; c < c_.cells.size(); ++c) {
      report(Activity::Kind::wait, c, lanes_.core[c], start + longest, c);
      lanes_.receiving[c] += longest;
      lanes_.core[c] = lanes_.in[c] = lanes_.out[c] = start + longest;
      lanes_.work(c, c_.machine.step_seconds);
    }
  }
  void operator()(const Compute& x) {
    const bool uniform = products_.all(x, [&](const Sizes::Factor& f) { return c_.sizes.uniform(f); });
    const bool everywhere = products_.all(x, Sizes::everywhere);
    const auto arrives = [this](Slot y) { return y < 0 ? nullptr : arrivals_.of(c_.value(y)); };
    const double *const of_a = arrives(x.A), *const of_b = arrives(x.B);
    if (everywhere && in_order()) {
      const double seconds = all_compute(x);
      if (of_a && of_b && !arrives(x.C)) return compute(lanes_.core, of_a, of_b, seconds);
      for (Slot y : {x.A, x.B, x.C})
        if (y >= 0) wait(y, 0, c_.cells.size());
      for (double& core : lanes_.core) core += seconds;
      return;
    }
    for (std::size_t first = 0; first < c_.cells.size(); first += c_.cells.run()) {
      for (Slot r : {x.A, x.B, x.C})
        if (r >= 0) wait(r, first, c_.cells.run());
      see_off(first, c_.cells.run());
      // A product waits until what has its data is posted.
      if (const double* const start = ahead_ ? ahead_->start(at_) : nullptr) wait_until(start, first, c_.cells.run());
      double seconds = products_.seconds(x, first);
      if (uniform && !watch_) {
        lanes_.multiply(first, c_.cells.run(), seconds, c_.machine.step_seconds);
        continue;
      }
      for (std::size_t i = first; i < first + c_.cells.run(); ++i) {
        if (!uniform) seconds = products_.seconds(x, i);
        report(Activity::Kind::multiply, i, lanes_.core[i], lanes_.core[i] + seconds, i);
        lanes_.multiply(i, 1, seconds, c_.machine.step_seconds);
      }
    }
  }

 private:
  // Goes through a step, or more if they are even, or only accounts for what ranks do then. Returns the next one.
  std::size_t go_on(bool only_account) {
    const Move* const m = as_move(c_.does[at_]);
    if (lines_ && m) return lines_->run(at_, only_account);
    if (only_account)
      all_compute(*as_compute(c_.does[at_]));
    else if (in_order() && m && m->from == Move::From::one)
      pass_on(*m);
    else
      std::visit(*this, c_.does[at_]);
    return at_ + 1;
  }
  // With less care: messages go in the order in which they were posted, and a rank sends the next one once the one
  // before has arrived.
  void pass_on(const Move& m) {
    Passage p(c_, arrivals_, at_, at_ + 1);
    p.steps[0].hops = hops_.of(m);
    go_through(p, tracks(p, lanes_, arrivals_, posts_), 1);
    account(p, lanes_.receiving.data(), lanes_.working.data());
  }
  // The same product at all ranks. Returns what it takes.
  double all_compute(const Compute& x) {
    const double seconds = products_.seconds(x, 0);
    lanes_.all_computing += seconds, lanes_.all_working += c_.machine.step_seconds;
    return seconds + c_.machine.step_seconds;
  }
  // What nobody waits for after this step.
  void forget() {
    if (careful_)
      for (const SendWaits::Wait& w : send_waits_->before(at_))
        if (send_waits_->last(w.storage) == at_) sent_.release(static_cast<std::size_t>(w.storage));
    for (Slot x : access(c_.does[at_]).reads)
      if (x >= 0 && in_flight_.is_done_with(x, at_)) arrivals_.release(c_.value(x));
  }
  // With less care.
  bool in_order() const { return !careful_ && ports_ == Ports::divided; }
  bool travels_ahead() const { return ahead_ && ahead_->ahead(at_); }

  void report(Activity::Kind kind, std::size_t c, double start, double end, std::size_t from) const {
    if (watch_ && end > start) watch_({kind, c_.cells.rank(c), at_, start, end, from == c ? -1 : c_.cells.rank(from)});
  }
  // The core goes on then, with what came from there.
  void wait_until(const double* time, std::size_t first, std::size_t count,
                  const std::vector<std::size_t>* from = nullptr) {
    for (std::size_t c = first; watch_ && c < first + count; ++c)
      report(Activity::Kind::wait, c, lanes_.core[c], time[c], from && !from->empty() ? (*from)[c] : c);
    raise(lanes_.core.data(), time, first, count);
  }
  // The core goes on once what it reads has arrived.
  void wait(Slot x, std::size_t first, std::size_t count) {
    const std::size_t value = c_.value(x);
    if (const double* const arrive = arrivals_.of(value))
      wait_until(arrive, first, count, watch_ ? &senders_[value] : nullptr);
  }
  // The core goes on once what it sent has left the memory that is written next.
  void see_off(std::size_t first, std::size_t count, bool senders = true) {
    if (ports_ == Ports::in_turn || !careful_) return;
    for_each_sent(senders, [&](const double* sent) { wait_until(sent, first, count); });
  }
  template <class Visit>
  void for_each_sent(bool senders, Visit visit) const {
    for (const SendWaits::Wait& w : send_waits_->before(at_)) {
      const double* const sent = sent_.of(static_cast<std::size_t>(w.storage));
      if (sent && (senders || !w.senders)) visit(sent);
    }
  }

  // Both ends note when they post; their cores go on.
  void post_ahead(const Move& x, const std::vector<Passage::Hop>& hops) {
    ahead_->begin(at_, products_, [this](Slot y) { return arrivals_.of(c_.value(y)); });
    double* const post = ahead_->post();
    const double *const core = lanes_.core.data(), *const data = arrivals_.of(c_.value(x.src));
    for (const Passage::Hop& h : hops) {
      if (h.to == h.from) wait(x.src, h.from, h.count), see_off(h.to, h.count);
      reach(h);
    }
    for (const Passage::Hop& h : hops)
      if (h.to != h.from)
        std::copy_n(core + h.to, h.count, post + h.to), std::copy_n(core + h.from, h.count, post + h.from);
    for (const Passage::Hop& h : hops) {
      if (h.to == h.from) continue;
      if (data) raise(post, data, h.from, h.count);
      for_each_sent(false, [&](const double* sent) { raise(post, sent, h.to, h.count); });
      if (h.in_turn) for_each_sent(true, [&](const double* sent) { raise(post, sent, h.from, h.count); });
    }
    // First all that send, however ranks are put together in hops: a rank that receives, too, posts both as one.
    for (const bool sends : {true, false})
      for (const Passage::Hop& h : hops) {
        const std::size_t first = sends ? h.from : h.to;
        for (std::size_t c = first; h.to != h.from && c < first + h.count; ++c)
          ahead_->settle(c, core[c], sends, sends ? data : nullptr);
      }
  }
  // Both ends reach the step, strip by strip: the sender with what it sends.
  void post(const Move& x, const std::vector<Passage::Hop>& hops) {
    for (std::size_t first = 0, end; first < hops.size(); first = end) {
      for (end = first; end < hops.size() && hops[end].strip == hops[first].strip; ++end) {
        const Passage::Hop& h = hops[end];
        wait(x.src, h.from, h.count);
        see_off(h.to, h.count, false);
        if (h.in_turn) see_off(h.from, h.count, true);
      }
      for (std::size_t i = first; i < end; ++i) reach(hops[i]);
    }
  }
  void reach(const Passage::Hop& h) {
    if (h.own + h.overhead == 0) return;
    for (std::size_t i = 0; i < h.count; ++i) {
      if (h.overhead > 0) lanes_.work(h.from + i, h.overhead);
      lanes_.work(h.to + i, h.own + h.overhead);
    }
  }
  // When both ends take part in a message.
  double ready(const Passage::Hop& h, std::size_t i) const { return std::max(ready_[h.from + i], ready_[h.to + i]); }
  // A rank's messages of one step follow those of the steps before.
  void one_in_turn(std::size_t to, std::size_t from, double seconds, double& arrive) {
    const double end = std::max(before_[to], before_[from]) + seconds;
    for (std::size_t c : {to, from}) lanes_.in[c] = lanes_.out[c] = std::max(lanes_.out[c], end);
    arrive = std::max(arrive, end);
    lanes_.receiving[to] += seconds;
  }
  void travel(const Passage::Hop& h, double* arrive) {
    const Lanes::Data l = lanes_.data();
    for (std::size_t i = 0, a = h.to, b = h.from; i < h.count; ++i, ++a, ++b)
      if (ports_ == Ports::in_turn)
        one_in_turn(a, b, h.port + h.latency, arrive[a]);
      else if (ahead_)
        sending_[b] = carry_any(l.core[a], l.core[b], ready_[a], ready_[b], {l.out_idle[b], l.out_busy[b], l.out[b]},
                                {l.idle[a], l.busy[a], l.in[a]}, h.port, h.latency, arrive[a], l.receiving[a]);
      else
        sending_[b] = carry(l.core[a], l.core[b], l.out[b], {l.idle[a], l.busy[a], l.in[a]}, h.port, h.latency,
                            arrive[a], l.receiving[a]);
  }
  // What a rank sends to several others at once shares its port: none of it is there before the last.
  void share_ports(const std::vector<Passage::Hop>& hops, double* arrive) const {
    const auto same_sender = [](const Passage::Hop& a, const Passage::Hop& b) {
      return a.from < b.from + b.count && b.from < a.from + a.count;
    };
    if (std::ranges::adjacent_find(hops, same_sender) == hops.end()) return;
    for (const Passage::Hop& h : hops)
      for (std::size_t i = 0; h.to != h.from && i < h.count; ++i)
        arrive[h.to + i] = std::max(arrive[h.to + i], sending_[h.from + i] + h.latency);
  }
  // What else is on its way to ranks that receive now, and is waited for before what this step brings.
  void find_overtaken() {
    overtaken_.clear();
    if (ports_ == Ports::in_turn || !careful_) return;
    for (std::size_t x : in_flight_.overtaken(at_))
      if (double* const arrive = arrivals_.find(x)) overtaken_.push_back(arrive);
  }
  // When a gather may leave: after all that is waited for by the product that it leaves with, which it does not
  // overtake.
  void find_start() {
    leave_ = lanes_.core;
    if (const std::size_t product = c_.leaves[at_]; product > 0 && careful_ && ports_ == Ports::divided)
      for (Slot x : access(c_.does[product]).reads)
        if (double* const arrive = x < 0 ? nullptr : arrivals_.find(c_.value(x))) {
          raise(leave_.data(), arrive, 0, c_.cells.size());
          std::erase(overtaken_, arrive);
        }
  }
  // Gathers that are waited for together delay others together.
  void overtake() {
    if (overtaken_.empty()) return;
    const std::vector<std::size_t> steps = in_flight_.gathers(at_);
    for (std::size_t c = 0; c < c_.cells.size() && !steps.empty(); ++c) {
      Links::Kept all;
      for (std::size_t step : steps) {
        const Move& x = *as_move(c_.does[step]);
        const auto others = static_cast<double>(std::max<Int>(1, c_.s.grid.extent(x.axis) - 1));
        const Links::Kept one = kept(c, x.axis, (c_.sizes.at(x.dst, c) - c_.sizes.at(x.src, c)) / others);
        all.seconds += one.seconds;
        all.latency = std::max(all.latency, one.latency);
      }
      for (double* earlier : overtaken_) delay(earlier[c], leave_[c], all.seconds, all.latency, false);
    }
  }
  void remember_sender(Slot dst, std::size_t to, std::size_t from) {
    std::vector<std::size_t>& senders = senders_[c_.value(dst)];
    if (senders.empty()) senders.resize(c_.cells.size());
    senders[to] = from;
  }

  Links::Kept kept(std::size_t c, int axis, double words) const {
    return c_.links.kept(c_.cells.rank(c), axis, c_.bytes(words));
  }
  // All members of a line send to all others; ports are shared evenly, so everything arrives when the last member has
  // sent what it has to. The first message leaves once it is posted, after what is received: all, or where `sums` are
  // added up, a few pieces at a time, for each of which latencies are waited for. Then the core waits, too.
  template <class In, class Each>
  void exchange(int axis, Slot src, const std::vector<std::size_t>& line, In in_words, Each each_words, Slot dst,
                bool sums) {
    const Int q = c_.s.grid.extent(axis);
    const auto others = static_cast<double>(q - 1);
    const double turns = sums ? std::ceil(others / pieces_in_flight) : 1;  // in which pieces arrive
    double all_sent = 0;
    received_.clear(), started_.clear();
    std::size_t last = line[0];
    for (std::size_t c : line) {
      wait(src, c, 1);
      see_off(c, 1);
      const double words = in_words(c), each = each_words(c);
      const Links::Kept out = kept(c, axis, each), in = kept(c, axis, others > 0 ? words / others : 0);
      const double one = q > 1 ? out.overhead / (2 * others) : 0;  // what posting a message takes
      lanes_.work(c, c_.machine.step_seconds);
      const double first = sums ? lanes_.core[c] : std::max(lanes_.core[c], leave_[c]);
      const double start = first + one * (1 + (sums ? std::min<double>(others, pieces_in_flight) : others));
      started_.push_back(start);
      lanes_.work(c, others * one * (sums ? 1 : 2));
      lanes_.out[c] =
          std::max(std::max(start, lanes_.out[c]) + out.seconds, lanes_.core[c] + (q > 1 ? out.seconds / others : 0));
      if (lanes_.out[c] > all_sent) all_sent = lanes_.out[c], last = c;
      received_.push_back(in);
    }
    double* const arrive = arrivals_.make(c_.value(dst));
    const double copy = c_.bytes(c_.machine.copy_seconds_per_byte);
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::size_t c = line[i];
      const Links::Kept& in = received_[i];
      double arrival = 0;
      if (in.seconds > 0) {
        const double each = in.seconds / turns + in.latency;
        lanes_.in[c] = std::max(started_[i], lanes_.in[c]) + in.seconds;
        arrival = std::max(
            {lanes_.in[c] + turns * in.latency, all_sent + turns * in.latency, lanes_.core[c] + (turns - 1) * each});
        lanes_.receiving[c] += turns * each;
        if (watch_) remember_sender(dst, c, last);
        report(Activity::Kind::receive, c, started_[i], arrival, last);
      }
      const double own = mine_[c] * copy;
      lanes_.work(c, own);
      if (!sums) {
        arrive[c] = std::max(arrive[c], arrival);
        continue;
      }
      if (q > 1) lanes_.work(c, (others - 1) * own + in.overhead / 2);
      report(Activity::Kind::wait, c, lanes_.core[c], arrival, last);
      lanes_.core[c] = std::max(lanes_.core[c], arrival);
      if (q > 1) lanes_.work(c, own);
    }
  }

  Clocked& c_;
  const Watch& watch_;
  Ports ports_;
  bool careful_;
  std::optional<SendWaits> send_waits_;
  std::optional<AheadPosts> ahead_;
  const double* ready_ = nullptr;  // by cell, when it takes part in the messages of this step
  InFlight in_flight_;
  Lanes lanes_;
  Arrivals arrivals_, sent_;                       // sent_: by storage, when what a rank sent has left it
  std::vector<double*> overtaken_;                 // by the step: when they arrive, by cell
  std::vector<std::vector<std::size_t>> senders_;  // if watched: by value, then cell
  Hops hops_;
  ComputeTimes products_;
  std::vector<double> mine_, all_, before_, started_, leave_;
  std::vector<double> sending_;  // by cell, until when its port was busy with what it sent last
  std::vector<Links::Kept> received_;
  std::vector<double> posts_;  // with less care; then, if the schedule is even:
  std::optional<EvenLines> lines_;
  std::optional<RecurringRounds> rounds_;
  std::size_t at_ = 0;
};

}  // namespace

Timing clock_all(const Schedule& wire, const Machine& machine, ScalarType type, const Watch& watch, Ports ports,
                 Care care) {
  Clocked clocked(wire, machine, type);
  const bool careful = clocked.cells.size() <= care.most_cells || watch;
  return Clock(clocked, watch, ports, careful, care.every_round).run();
}

Times clock(const Schedule& wire, const Machine& machine, ScalarType type, Ports ports) {
  return clock_all(wire, machine, type, {}, ports).last;
}

}  // namespace cairn
