// A search over all grids that shares nothing with the planner's: plain loops over ranks, rounds and ways to share.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cairn/options.hpp"
#include "cairn/problem.hpp"

namespace cairn::testing {

inline Int cut(Int size, Int parts, Int i) { return size / parts + (i < size % parts ? 1 : 0); }

struct Rank {
  Int received, held;
};

struct Way {
  Int pm, pn, pk;
  char loop;
  Int rounds;
  bool c_turned = false;              // sums are shared the other way than is best for the largest block
  bool a_by_k = true, b_by_k = true;  // where rounds are not shared each by itself
  Int pk1 = 0;                        // ranks along k as two axes, of which the second shares what the first leaves
  bool first_by_n = true, second_by_n = true;
};

// Words of the first rank's sums after each of the two.
inline std::array<Int, 2> after_each(const Way& w, Int m, Int n) {
  std::array<Int, 2> left{};
  for (int axis : {0, 1}) {
    const Int q = axis == 0 ? w.pk1 : w.pk / w.pk1;
    Int& size = (axis == 0 ? w.first_by_n : w.second_by_n) ? n : m;
    size = cut(size, q, 0);
    left[axis] = m * n;
  }
  return left;
}

inline bool shared_by_round(const GemmProblem& p, const Way& w) {
  const Int shortest = p.k / (w.pk * w.rounds);
  return w.loop == 'k' && w.rounds > 1 && (w.pn == 1 || shortest >= w.pn) && (w.pm == 1 || shortest >= w.pm);
}

inline bool shares_c_by_columns(const GemmProblem& p, const Way& w) {
  const Int top_m = cut(p.m, w.pm, 0), top_n = cut(p.n, w.pn, 0), columns = top_m * cut(top_n, w.pk, 0),
            rows = cut(top_m, w.pk, 0) * top_n;
  const bool tie = w.rounds == 1 || w.loop == 'k' ? top_n >= w.pk : w.loop == 'm';
  return columns < rows || (columns == rows && tie);
}

// One rank of a pm × pn × pk grid, without look-ahead: every piece of every round by itself.
inline Rank one_rank(const GemmProblem& p, const Way& w, Int i, Int j, Int l) {
  const Int M = cut(p.m, w.pm, i), N = cut(p.n, w.pn, j), K = cut(p.k, w.pk, l);
  Int own_a = w.a_by_k ? M * cut(K, w.pn, j) : cut(M, w.pn, j) * K;
  Int own_b = w.b_by_k ? N * cut(K, w.pm, i) : cut(N, w.pm, i) * K;
  if (shared_by_round(p, w)) {
    own_a = own_b = 0;
    for (Int r = 0; r < w.rounds; ++r) {
      own_a += M * cut(cut(K, w.rounds, r), w.pn, j);
      own_b += N * cut(cut(K, w.rounds, r), w.pm, i);
    }
  }
  const bool by_columns = shares_c_by_columns(p, w) != w.c_turned;
  const auto share_of_c = [&](Int m, Int n) { return by_columns ? m * cut(n, w.pk, l) : cut(m, w.pk, l) * n; };
  const Int m1 = w.loop == 'm' ? cut(M, w.rounds, 0) : M, n1 = w.loop == 'n' ? cut(N, w.rounds, 0) : N,
            k1 = w.loop == 'k' ? cut(K, w.rounds, 0) : K;
  const Int a = w.pn > 1 ? m1 * k1 : 0, b = w.pm > 1 ? n1 * k1 : 0;
  const bool keeps_a = w.rounds > 1 && w.loop == 'n', keeps_b = w.rounds > 1 && w.loop == 'm';
  const Int kept = (keeps_a ? a : 0) + (keeps_b ? b : 0), panels = a + b - kept;
  if (w.pk1 > 0) {
    const auto [once, twice] = after_each(w, M, N);
    return {M * K - own_a + K * N - own_b + (w.pk1 - 1) * once + (w.pk / w.pk1 - 1) * twice,
            own_a + own_b + twice + M * N + std::max(a + b, once + std::min<Int>(2, w.pk1 - 1) * once)};
  }
  const Int partial = w.pk > 1 ? m1 * n1 : 0, in_flight = std::min<Int>(2, w.pk - 1) * share_of_c(m1, n1);
  return {M * K - own_a + K * N - own_b + (w.pk - 1) * share_of_c(M, N),
          own_a + own_b + share_of_c(M, N) + kept + partial + std::max(panels, in_flight)};
}

// The most that a rank receives; along k it is one at either end.
inline Int most_received(const GemmProblem& p, const Way& w) {
  Int most = 0;
  for (Int i = 0; i < w.pm; ++i)
    for (Int j = 0; j < w.pn; ++j)
      for (Int l : {Int{0}, w.pk - 1}) most = std::max(most, one_rank(p, w, i, j, l).received);
  return most;
}

// By the first rank, which receives most of C.
inline Int sums_received(const GemmProblem& p, const Way& w) {
  const auto [once, twice] = after_each(w, cut(p.m, w.pm, 0), cut(p.n, w.pn, 0));
  return (w.pk1 - 1) * once + (w.pk / w.pk1 - 1) * twice;
}

// Of two axes along k each cuts rows or columns, as the first rank receives least; where that is as good, the usual.
inline Way turned(const GemmProblem& p, Way w, bool c_turned) {
  w.c_turned = c_turned;
  if (w.pk1 == 0) return w;
  std::optional<Way> least;
  const bool usual = shares_c_by_columns(p, w) != c_turned;
  for (bool first : {usual, !usual})
    for (bool second : {usual, !usual}) {
      w.first_by_n = first, w.second_by_n = second;
      if (!least || sums_received(p, w) < sums_received(p, *least)) least = w;
    }
  return *least;
}

// Shared along k if all comes out even; else as what is received decides, then what is owned of A and B.
inline Way shared(const GemmProblem& p, Way w) {
  const bool even_k = p.k > 0 && p.k % (w.pk * w.pn) == 0 && p.k % (w.pk * w.pm) == 0;
  const bool even = w.rounds == 1 && even_k && p.m % w.pm == 0 && p.n % w.pn == 0;
  if (even || shared_by_round(p, w)) return w;
  Way best = w;
  const auto key = [&](const Way& x) { return std::pair(most_received(p, x), one_rank(p, x, 0, 0, 0).held); };
  auto least = key(best);
  for (bool a_by_k : {true, false})
    for (bool b_by_k : {true, false})
      for (bool c_turned : {false, w.rounds == 1 || w.loop == 'k'}) {
        Way x = turned(p, w, c_turned);
        x.a_by_k = a_by_k, x.b_by_k = b_by_k;
        if (const auto k = key(x); k < least) least = k, best = x;
      }
  return best;
}

struct Found {
  Int received = -1;             // smallest maximum over ranks; -1: nothing fits
  Int least_memory = INT64_MAX;  // with which something fits
};

// As few rounds as fit, of each dimension; of k also as few as fit among those not shared each by itself.
inline void try_loop(const GemmProblem& p, Int limit, Way w, Int size, Found& best) {
  bool fitted = false, dealt = false, chosen = false;
  for (w.rounds = 2; w.rounds <= size && !dealt; ++w.rounds) {
    const bool by_round = shared_by_round(p, w);
    if (by_round && fitted) continue;
    if (!by_round && !chosen) w = shared(p, w), chosen = true;
    const Int held = one_rank(p, w, 0, 0, 0).held;
    best.least_memory = std::min(best.least_memory, held);
    if (held > limit) continue;
    (by_round ? fitted : dealt) = true;
    const Int received = most_received(p, w);
    if (best.received < 0 || received < best.received) best.received = received;
  }
}

// Without rounds if that fits, else with rounds of these dimensions.
inline void try_way(const GemmProblem& p, const std::optional<Int>& limit, const Way& w, std::string_view loops,
                    Found& best) {
  const Way once = shared(p, w);
  const Int held = one_rank(p, once, 0, 0, 0).held, received = most_received(p, once);
  best.least_memory = std::min(best.least_memory, held);
  if (!limit || held <= *limit) {
    if (best.received < 0 || received < best.received) best.received = received;
    return;
  }
  for (char loop : loops) {
    Way x = w;
    x.loop = loop, x.rounds = 2;
    const Int size = loop == 'm' ? cut(p.m, w.pm, 0) : loop == 'n' ? cut(p.n, w.pn, 0) : cut(p.k, w.pk, 0);
    try_loop(p, *limit, x, size, best);
  }
}

// C along both dimensions, too, where ranks along k are more than it has rows and columns.
inline void try_grid(const GemmProblem& p, const std::optional<Int>& limit, Int pm, Int pn, Int pk, Found& best) {
  Way w{pm, pn, pk, 'k', 1};
  try_way(p, limit, w, "mnk", best);
  if (pk <= std::max(cut(p.m, pm, 0), cut(p.n, pn, 0))) return;
  for (w.pk1 = 2; w.pk1 < pk; ++w.pk1)
    if (pk % w.pk1 == 0) try_way(p, limit, turned(p, w, false), "k", best);
}

inline Found search_all(const GemmProblem& p, const Options& o, Int fewest = 1) {
  Found best;
  for (Int pm = 1; pm <= p.ranks; ++pm)
    for (Int pn = 1; pm * pn <= p.ranks; ++pn)
      for (Int pk = 1; pm * pn * pk <= p.ranks; ++pk) {
        if (pm * pn * pk < fewest) continue;
        const Int idle = p.ranks - pm * pn * pk;
        if (o.max_idle && static_cast<double>(idle) > *o.max_idle * static_cast<double>(p.ranks) + 1e-9) continue;
        try_grid(p, o.memory_words, pm, pn, pk, best);
      }
  return best;
}

}  // namespace cairn::testing
