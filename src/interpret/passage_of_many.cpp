#include "interpret/passage_of_many.hpp"

namespace cairn {

namespace {

using Hop = Passage::Hop;

// Calls visit(hop, to, from, count) with its cells.
template <class Visit>
void for_each_hop(const Passage::Step& step, std::size_t width, Visit visit) {
  for (const Hop& h : step.hops) visit(h, h.to * width, h.from * width, h.count * width);
}
void add(double* seconds, double more, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) seconds[i] += more;
}

// Both ends reach the step, the sender with what it sends.
void post(const Passage::Step& s, const Tracks& t, std::size_t width) {
  double* const core = t[Tracks::core];
  for (std::size_t x : s.reads)
    for_each_hop(s, width, [&](const Hop& h, std::size_t, std::size_t from, std::size_t count) {
      if (!s.ahead || h.to == h.from) raise(core, t[Tracks::arrivals + x], from, count);
    });
  for_each_hop(s, width, [&](const Hop& h, std::size_t to, std::size_t from, std::size_t count) {
    if (h.overhead > 0) add(core + from, h.overhead, count);
    if (h.own + h.overhead > 0) add(core + to, h.own + h.overhead, count);
  });
  if (!s.ahead) return;
  for_each_hop(s, width, [&](const Hop&, std::size_t, std::size_t from, std::size_t count) {
    std::copy_n(core + from, count, t.posts + from);
    for (std::size_t x : s.reads) raise(t.posts, t[Tracks::arrivals + x], from, count);
  });
}

}  // namespace

Passage::Passage(const Clocked& c, const Arrivals& arrivals, std::size_t first, std::size_t end) {
  const auto number = [&](Slot x) {
    return static_cast<std::size_t>(std::find(values.begin(), values.end(), c.value(x)) - values.begin());
  };
  const auto note = [&](Slot x, bool received) {
    if (received && number(x) == values.size()) values.push_back(c.value(x));
  };
  for (std::size_t t = first; t < end; ++t)
    for (Slot x : {as_move(c.does[t])->src, as_move(c.does[t])->dst}) note(x, arrivals.of(c.value(x)) != nullptr);
  old = values.size();
  for (std::size_t t = first; t < end; ++t) {
    const Access a = access(c.does[t]);
    Step& step = steps.emplace_back();
    step.ahead = c.early[t] > 0;
    for (Slot x : a.reads)
      if (x >= 0 && number(x) < values.size()) step.reads.push_back(number(x));
    note(a.writes, a.communicates);
    step.arrive = number(a.writes);
  }
}

Tracks tracks(const Passage& p, Lanes& lanes, Arrivals& arrivals, std::vector<double>& posts) {
  posts.resize(lanes.core.size());
  Tracks t{{lanes.core.data(), lanes.in.data(), lanes.out.data()}, posts.data()};
  for (std::size_t x : p.values) t.all.push_back(arrivals.make(x));
  return t;
}

void go_through(const Passage& p, const Tracks& t, std::size_t width) {
  for (const Passage::Step& s : p.steps) {
    post(s, t, width);
    const double* const posts = s.ahead ? t.posts : t[Tracks::core];
    for_each_hop(s, width, [&](const Hop& h, std::size_t to, std::size_t from, std::size_t count) {
      if (h.to != h.from)
        pass({t[Tracks::core] + to, posts + from, t[Tracks::out] + from, t[Tracks::in] + to,
              t[Tracks::arrivals + s.arrive] + to},
             count, h.port, h.latency);
    });
  }
}

void account(const Passage& p, double* receiving, double* working) {
  for (const Passage::Step& s : p.steps)
    for (const Hop& h : s.hops) {
      add(receiving + h.to, h.port + h.latency, h.count);
      add(working + h.to, h.own + h.overhead, h.count);
      if (h.overhead > 0) add(working + h.from, h.overhead, h.count);
    }
}

template <class WordsOf, class LevelOf>
void Hops::add(std::vector<Hop>& hops, const Cells::Strip& s, WordsOf words, LevelOf level, bool alike) const {
  for (std::size_t i = 0, j; i < s.count; i = j) {
    const double each = words(i);
    const std::size_t l = level(s.to + i, s.from + i);
    for (j = alike ? s.count : i + 1; j < s.count && words(j) == each && level(s.to + j, s.from + j) == l;) ++j;
    if (each == 0) continue;
    Hop h{s.to + i, s.from + i, j - i};
    h.own = c_.machine.step_seconds;
    h.strip = s.to;
    const Machine::Level& at = c_.links.at(l);
    if (h.to == h.from)
      h.own += c_.bytes(each) * c_.machine.copy_seconds_per_byte;
    else
      h.port = at.port_seconds(c_.bytes(each)), h.latency = at.latency_seconds, h.overhead = at.overhead_seconds,
      h.in_turn = !at.within_node();
    hops.push_back(h);
  }
}

const std::vector<Passage::Hop>& Hops::of(const Move& m) {
  hops_.clear();
  const Sizes::Words& words = c_.sizes.travelling(m);
  const bool uniform = c_.sizes.uniform(words);
  words_.resize(c_.cells.run());
  const std::uint8_t* const levels = m.stays() ? nullptr : c_.links.levels(m);
  c_.sizes.for_each_message(m, words, [&](std::size_t to, std::size_t from, std::size_t count) {
    const auto level = [&](std::size_t cell, std::size_t) -> std::size_t { return levels ? levels[cell] : 0; };
    if (uniform) {
      const double each = c_.sizes.at(words, to);
      return add(
          hops_, {to, from, count}, [each](std::size_t) { return each; }, level, !levels);
    }
    c_.sizes.fill(words, to, count, words_.data());
    add(
        hops_, {to, from, count}, [&](std::size_t i) { return words_[i]; }, level);
  });
  return hops_;
}

std::vector<Passage::Hop> Hops::of(const EvenMove& e) const {
  std::vector<Hop> all;
  const Int stride = c_.cells.grid().stride(e.axis);
  const auto level = [&](std::size_t to, std::size_t from) {
    return c_.links.level(static_cast<Int>(to) * stride, static_cast<Int>(from) * stride);
  };
  for (const Cells::Strip& s : Cells::strips_of(c_.cells.grid().extent(e.axis), e.by, e.origin, e.who))
    add(
        all, s, [&](std::size_t) { return e.words; }, level);
  return all;
}

}  // namespace cairn
