#include "planner/cosma_cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/arithmetic.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

CosmaForm form_of(const Dims& d, const CosmaWay& w) {
  CosmaForm f{d.m, d.n, d.k, w.pm, w.pn, w.pk, w.loop, w.rounds};
  if (w.pk2 > 1) f.k_axes = {w.pk / w.pk2, w.pk2};
  return f;
}

// Rank 0 has the longest piece of every even cut, so that it holds and computes the most.
CosmaRank first_rank(const Dims& d, const CosmaWay& w) {
  const CosmaForm f = form_of(d, w);
  return {f, cosma_shares(f)};
}

}  // namespace

std::vector<CosmaCut> CosmaWay::cuts() const {
  std::vector<CosmaCut> cuts;
  for (char dim : order) {
    const Int parts = dim == 'm' ? pm : dim == 'n' ? pn : pk / pk2;
    if (parts > 1) cuts.push_back({'p', dim, parts});
    if (dim == 'k' && pk2 > 1) cuts.push_back({'p', dim, pk2});
  }
  if (rounds > 1) cuts.push_back({'s', loop, rounds});
  return cuts;
}

std::vector<CosmaWay> both_ways(const Dims& d, const CosmaWay& way, BothWays which) {
  std::vector<CosmaWay> ways;
  const bool needed = way.pk > std::max(ceil_div(d.m, way.pm), ceil_div(d.n, way.pn));
  if (!needed && which == BothWays::where_needed) return ways;
  for (Int x = 2; x <= way.pk / x; ++x)
    for (Int pk2 : std::set<Int>{x, way.pk / x}) {
      if (way.pk % x != 0) continue;
      ways.push_back(way);
      ways.back().pk2 = pk2;
    }
  return ways;
}

Int cosma_memory(const Dims& d, const CosmaWay& w) {
  const CosmaRank r = first_rank(d, w);
  const bool by_m = w.rounds > 1 && w.loop == 'm', by_n = w.rounds > 1 && w.loop == 'n';
  const Int size = by_m ? r.M : by_n ? r.N : r.K;
  const Int at_once = std::min<Int>(w.look_ahead + 1, w.rounds);  // look-ahead d keeps d + 1 rounds' panels
  const Int each = size / w.rounds, longer = size % w.rounds, thick = each + std::min<Int>(1, longer);
  const Int in_rounds = at_once * each + std::min(at_once, longer);
  const Int M = by_m ? thick : r.M, N = by_n ? thick : r.N;  // of partial sums
  const Int a = w.pn == 1 ? 0 : by_m ? r.K : r.M, b = w.pm == 1 ? 0 : by_n ? r.K : r.N;
  const Int whole = by_n ? a * r.K : by_m ? b * r.K : 0;
  const Int panels = ((by_n ? 0 : a) + (by_m ? 0 : b)) * in_rounds;
  const Int held = r.own_a(0) + r.own_b(0) + r.sums(r.M, r.N).last + whole + panels;
  if (w.pk == 1) return held;
  Int there = panels;  // where the reduction's buffer goes; with look-ahead most of it holds the next rounds' panels
  if ((by_m || by_n) && w.look_ahead > 0) {
    const Int next = std::min<Int>(w.look_ahead + 1, w.rounds);
    there -= (by_n ? b : a) * (next * each + std::min(next, longer) - thick);
  }
  const Int first = r.sums(M, N).first, next_sum = w.pk2 > 1 ? first : 0;
  const Int buffer = std::max<Int>(0, next_sum + std::min(pieces_in_flight, w.pk / w.pk2 - 1) * first - there);
  return held + M * N + buffer;
}

Int CosmaReceived::most() const {
  Int most = 0;
  for (const Words& w : ranks) most = std::max(most, w.all());
  return most;
}

CosmaReceived cosma_received(const Dims& d, const CosmaWay& w) {
  CosmaReceived received;
  std::size_t count = 0;
  first_rank(d, w).for_each_that_receives_most([&](const CosmaRank& r, Int i, Int j) {
    received.ranks[count++] = {r.M * r.K - r.own_a(j), r.K * r.N - r.own_b(i), r.sums(r.M, r.N).received};
  });
  return received;
}

Int most_thick_rounds(const Dims& d, const CosmaWay& w) {
  Int rounds = std::max<Int>(1, d.k / w.pk);
  if (w.pn > 1) rounds = std::min(rounds, d.k / w.pk / w.pn);
  if (w.pm > 1) rounds = std::min(rounds, d.k / w.pk / w.pm);
  return rounds;
}

Int most_rounds(const Dims& d, const CosmaWay& w) {
  const Int longest = w.loop == 'm' ? ceil_div(d.m, w.pm) : w.loop == 'n' ? ceil_div(d.n, w.pn) : ceil_div(d.k, w.pk);
  return std::max<Int>(1, longest);
}

namespace {

// Calls visit(lo, hi) for ascending intervals of numbers of rounds, from `first` on, that together reach the longest
// useful number; within one, memory changes linearly. Stops when visit returns true.
template <class Visit>
void linear_intervals(const Dims& d, const CosmaWay& w, Int first, Visit visit) {
  const Int K = ceil_div(d.k, w.pk), last = std::max<Int>(1, K), k_short = d.k / w.pk;
  if (first == 1 && visit(1, 1)) return;
  for (Int lo = std::max<Int>(2, first); lo <= last;) {
    Int hi = last;
    const Int q = std::max<Int>(1, K / lo), at_once = w.look_ahead + 1;
    hi = std::min(hi, std::max(lo, K / q));
    // A's and B's shares stop being cut along k beyond the first two; then panels held at once stop being alike.
    for (Int switch_at : {k_short / w.pn, k_short / w.pm, at_once, (K - at_once) / q})
      if (lo <= switch_at) hi = std::min(hi, switch_at);
    if (K % hi == 0 && hi > lo) {  // the last one comes out even
      if (visit(lo, hi - 1) || visit(hi, hi)) return;
    } else if (visit(lo, hi)) {
      return;
    }
    lo = hi + 1;
  }
}

Int words_with(const Dims& d, CosmaWay w, Int rounds) {
  w.rounds = rounds;
  return cosma_memory(d, w);
}

// Of rounds of k, however many: a rank holds at least `fixed` words, and panels of `gathered` words for each of k or in
// their place `buffer` words.
struct AnyRounds {
  Int fixed, gathered, buffer, K;
  Int words(Int thickness) const { return fixed + std::max(buffer, thickness * gathered); }
};
AnyRounds any_rounds(const Dims& d, const CosmaWay& w) {
  const CosmaRank r = first_rank(d, w);
  const Int own_c = r.sums(r.M, r.N).last, sums = w.pk > 1 ? r.M * r.N : 0;
  const Int own = ceil_div(r.M * r.K, w.pn) + ceil_div(r.K * r.N, w.pm) + own_c;
  return {own + sums, (w.pn > 1 ? r.M : 0) + (w.pm > 1 ? r.N : 0), std::min(pieces_in_flight, w.pk - 1) * own_c, r.K};
}

}  // namespace

// Of m and n: the more rounds, the less memory.
Int memory_at_least(const Dims& d, const CosmaWay& w) {
  if (w.loop != 'k') return words_with(d, w, most_rounds(d, w));
  const AnyRounds x = any_rounds(d, w);
  return x.words(std::min<Int>(1, x.K));
}

std::optional<Int> rounds_at_least(const Dims& d, const CosmaWay& w, Int limit) {
  if (memory_at_least(d, w) > limit) return {};
  if (w.loop != 'k') return 2;
  const AnyRounds x = any_rounds(d, w);
  return x.gathered == 0 || x.K == 0 ? 1 : ceil_div(x.K, (limit - x.fixed) / x.gathered);
}

std::optional<Int> fewest_rounds(const Dims& d, const CosmaWay& w, Int limit, Int from) {
  const std::optional<Int> first = rounds_at_least(d, w, limit);
  if (!first) return std::nullopt;
  std::optional<Int> found;
  const auto fits = [&](Int rounds) { return words_with(d, w, rounds) <= limit; };
  const auto first_in = [&](Int lo, Int hi) {  // not lo, but hi fits
    while (hi - lo > 1) {
      const Int middle = lo + (hi - lo) / 2;
      (fits(middle) ? hi : lo) = middle;
    }
    return hi;
  };
  if (w.loop != 'k') return first_in(1, most_rounds(d, w));
  linear_intervals(d, w, std::max(from, *first), [&](Int lo, Int hi) {
    if (fits(lo)) {
      found = lo;
    } else if (fits(hi)) {
      found = first_in(lo, hi);
    }
    return found.has_value();
  });
  return found;
}

Int least_memory(const Dims& d, const CosmaWay& w) {
  if (w.loop != 'k') return memory_at_least(d, w);
  Int least = words_with(d, w, 1);
  linear_intervals(d, w, 1, [&](Int lo, Int hi) {
    least = std::min({least, words_with(d, w, lo), words_with(d, w, hi)});
    return false;
  });
  return least;
}

CosmaClock::CosmaClock(const Dims& d, const Machine& machine, ScalarType type)
    : d_(d), machine_(machine), type_(type) {}

// The level at which the ranks along an axis meet. Those of one unit meet inside it only if units and axis line up.
CosmaClock::Links CosmaClock::links(const CosmaWay& w, char dim) const {
  const double bytes = real(size_of(type_));
  Int stride = 1, extent = 1;
  for (std::size_t a = 3; a-- > 0;) {
    extent = w.order[a] == 'm' ? w.pm : w.order[a] == 'n' ? w.pn : w.pk;
    if (w.order[a] == dim) break;
    stride *= extent;
  }
  Links mixed;
  Int nearer = 1;
  for (const Machine::Level& l : machine_.levels) {
    Int here = nearer;
    if (l.ranks == 0 || l.ranks >= w.ranks() || l.ranks % (stride * extent) == 0) {
      here = extent;
    } else if (l.ranks % stride == 0 && extent % (l.ranks / stride) == 0) {
      here = l.ranks / stride;
    }
    const double share = extent == 1 ? 0 : real(here - nearer) / real(extent - 1);
    if (share > 0) mixed.latency = l.latency_seconds;
    mixed.per_message += share * l.gap_seconds;
    mixed.overhead += share * 2 * l.overhead_seconds;
    mixed.per_word += share * bytes * l.seconds_per_byte;
    nearer = std::max(nearer, here);
  }
  return mixed;
}

// Beside the words' way: every piece a message, a few at a time; or half of what is left to a partner in each round, of
// which the core adds what arrives.
double CosmaClock::summing(Int ranks, double words, const Links& l) const {
  if (ranks == 1) return 0;
  const double message = l.per_message + l.overhead, others = real(ranks - 1);
  const double direct = others * message + std::ceil(others / pieces_in_flight) * l.latency + machine_.step_seconds;
  const double halving = std::ceil(std::log2(ranks)) * (message + l.latency + 2 * machine_.step_seconds) +
                         (1 - 1 / real(ranks)) * words * real(size_of(type_)) * machine_.copy_seconds_per_byte;
  return std::min(direct, halving);
}

// Without look-ahead a rank's work is one thing after another. With look-ahead, of x seconds of gathering and g of
// multiplying in t rounds, max(x, g) + min(x, g)/t show: the first round's panels, or, where they take longer than
// products, the last product have nothing beside them.  [cosma-sc19 §7.3]
double CosmaClock::seconds(const CosmaWay& w, const CosmaReceived& received) const {
  const CosmaRank r = first_rank(d_, w);
  const double t = real(w.rounds);
  const Links along_m = links(w, 'm'), along_n = links(w, 'n'), along_k = links(w, 'k');
  const bool by_m = w.rounds > 1 && w.loop == 'm', by_n = w.rounds > 1 && w.loop == 'n';
  double once = 0, gather = 0, reduce = 0;  // of the rank that communicates longest
  for (const CosmaReceived::Words& words : received.ranks) {
    const double a = real(words.a) * along_n.per_word, b = real(words.b) * along_m.per_word,
                 c = real(words.c) * along_k.per_word;
    if (a + b + c <= once + gather + reduce) continue;
    once = by_m ? b : by_n ? a : 0;
    gather = a + b - once, reduce = c;
  }
  const double others_m = real(w.pm - 1), others_n = real(w.pn - 1);
  const double a_messages = others_n * along_n.per_message, b_messages = others_m * along_m.per_message;
  const double a_latency = w.pn > 1 ? along_n.latency : 0, b_latency = w.pm > 1 ? along_m.latency : 0;
  if (by_m) once += b_messages + b_latency;
  if (by_n) once += a_messages + a_latency;
  gather +=
      t * ((by_n ? 0 : a_messages) + (by_m ? 0 : b_messages) + std::max(by_n ? 0 : a_latency, by_m ? 0 : b_latency));
  const double copy = machine_.copy_seconds_per_byte * real(size_of(type_));
  const double M = real(by_m ? r.M / w.rounds : r.M), N = real(by_n ? r.N / w.rounds : r.N);
  if (w.pk > 1)
    reduce += (by_m || by_n ? t : 1) *
                  (summing(w.pk / w.pk2, M * N, along_k) + summing(w.pk2, M * N * real(w.pk2) / real(w.pk), along_k)) +
              real(r.sums(r.M, r.N).first) * copy;
  const int steps = 1 + (w.pm > 1 ? 1 : 0) + (w.pn > 1 ? 1 : 0);
  const Int size = by_m ? r.M : by_n ? r.N : r.K, longer = size % w.rounds;
  const auto product = [&](Int part) {
    return machine_.gemm_seconds(by_m ? part : r.M, by_n ? part : r.N, by_m || by_n ? r.K : part, type_);
  };
  double compute = real(longer) * product(size / w.rounds + 1) + real(w.rounds - longer) * product(size / w.rounds) +
                   t * (steps * machine_.step_seconds + others_n * along_n.overhead + others_m * along_m.overhead);
  if (w.look_ahead == 0 || w.rounds == 1) return once + gather + compute + reduce;
  // Own shares are copied beside those that travel, the first rounds' while there is nothing to multiply yet.
  const Int copied = (w.pn > 1 && !by_n ? r.own_a(0) : 0) + (w.pm > 1 && !by_m ? r.own_b(0) : 0);
  const double copies = copy * real(copied) / t, at_once = std::min(t, 1.0 + w.look_ahead);
  return once + std::max(gather, compute + copies * std::max(0.0, t - at_once)) + std::min(gather, compute) / t +
         reduce;
}

CosmaCandidate CosmaClock::candidate(const CosmaWay& w) const {
  const CosmaReceived received = cosma_received(d_, w);
  return {w, received.most(), seconds(w, received)};
}

double CosmaClock::at_least(const Least& b) const {
  const Machine::Level& level = machine_.levels.back();
  const double compute =
      std::max(machine_.gemm_seconds(b.M, b.N, b.K, type_), machine_.peak_seconds(b.products, type_));
  const double gap = level.gap_seconds, latency = level.latency_seconds, step = machine_.step_seconds;
  double sums = 0;  // see summing
  if (b.summed > 1) {
    const double halvings = std::ceil(std::log2(real(b.summed)));
    const double halving = halvings * (gap + latency + 2 * step), direct = real(b.summed - 1) * gap + latency + step;
    sums = b.in_two ? halvings * gap + latency + step : std::min(direct, halving);
  }
  return b.received * real(size_of(type_)) * level.seconds_per_byte + b.messages * gap +
         (b.messages > 0 ? latency : 0) + sums + compute + b.steps * step;
}

}  // namespace cairn
