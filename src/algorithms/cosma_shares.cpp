// Who owns what of COSMA's panels.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "algorithms/cosma.hpp"

namespace cairn {

namespace {

// The most words that a rank receives, and the most of A and B that one owns.
std::tuple<Int, Int> cost(const CosmaForm& f, const CosmaShares& s) {
  const CosmaRank first{f, s};
  Int received = 0;
  first.for_each_that_receives_most([&](const CosmaRank& r, Int i, Int j) {
    const Int panels = r.M * r.K - r.own_a(j) + r.K * r.N - r.own_b(i);
    received = std::max(received, panels + r.sums(r.M, r.N).received);
  });
  return {received, first.own_a(0) + first.own_b(0)};
}

// Where both are as good, sums are not cut along the rounds: a round's are then shared evenly, too.
bool c_by_n(const CosmaForm& f) {
  const Int M = ceil_div(f.m, f.pm), N = ceil_div(f.n, f.pn);
  return shares_columns(M, N, f.pk, f.rounds == 1 || f.loop == 'k' ? N >= f.pk : f.loop == 'm');
}

// Every round by itself.
CosmaShares of_each_round(const CosmaForm& f, Int m_rounds, Int n_rounds, Int k_rounds) {
  const auto by_k = [&](Int sharers) { return shares_inner(f.k, f.pk, k_rounds, sharers); };
  const Int M = ceil_div(f.m, f.pm * m_rounds), N = ceil_div(f.n, f.pn * n_rounds);
  return {by_k(f.pn), by_k(f.pm), shares_columns(M, N, f.pk, N >= f.pk), false};
}

}  // namespace

// Each round of k is cut by itself, or all are together.
Int CosmaRank::share_of_k(Int sharers, Int index) const {
  const Int rounds = shares.dealt || form.loop != 'k' ? 1 : form.rounds, each = K / rounds, longer = K % rounds;
  return longer * part(each + 1, sharers, index) + (rounds - longer) * part(each, sharers, index);
}

CosmaRank::Sums CosmaRank::sums(Int rows, Int cols) const {
  Sums sums{};
  const auto share = [&](bool by_columns, Int sharers) {
    Int& cut = by_columns ? cols : rows;
    cut = ceil_div(cut, sharers);
    sums.last = rows * cols;
    sums.received += (sharers - 1) * sums.last;
  };
  if (form.k_axes.empty()) {
    share(shares.c_by_n, form.pk);
    sums.first = sums.last;
    return sums;
  }
  const std::vector<bool> columns =
      cut_by_columns(ceil_div(form.m, form.pm), ceil_div(form.n, form.pn), shares.c_by_n, form.k_axes);
  for (std::size_t axis = 0; axis < columns.size(); ++axis) {
    share(columns[axis], form.k_axes[axis]);
    if (axis == 0) sums.first = sums.last;
  }
  return sums;
}

CosmaShares cosma_shares(const CosmaForm& f) {
  if (f.pm * f.pn * f.pk > most_dealt_ranks) {
    const auto rounds = [&](char dim) { return f.loop == dim ? f.rounds : 1; };
    return of_each_round(f, rounds('m'), rounds('n'), rounds('k'));
  }
  const bool by_k = f.rounds == 1 || f.loop == 'k';
  const bool thick = by_k && (f.pn == 1 || shares_inner(f.k, f.pk, f.rounds, f.pn)) &&
                     (f.pm == 1 || shares_inner(f.k, f.pk, f.rounds, f.pm));
  CosmaShares best{true, true, c_by_n(f), !thick && f.rounds > 1};
  const Int sharers = f.pn * f.pm / std::gcd(f.pn, f.pm);
  const bool even = f.m % f.pm == 0 && f.n % f.pn == 0 && f.k % f.pk == 0 && f.k / f.pk % sharers == 0;
  if (thick && (f.rounds > 1 || even)) return best;
  const bool usual = best.c_by_n;
  std::tuple least = cost(f, best);
  for (bool a_by_k : {true, false})
    for (bool b_by_k : {true, false})
      for (bool turned : {false, true}) {
        if (turned ? !by_k : a_by_k && b_by_k) continue;  // C is cut in one way, or this is where we began
        const CosmaShares other{a_by_k, b_by_k, usual != turned, best.dealt};
        const std::tuple words = cost(f, other);
        if (words < least) least = words, best = other;
      }
  return best;
}

CosmaShares cosma_shares(CosmaForm f, const std::vector<CosmaCut>& cuts) {
  const auto count = [&](char kind, char dim) {
    return std::count_if(cuts.begin(), cuts.end(), [&](const CosmaCut& c) { return c.kind == kind && c.dim == dim; });
  };
  const bool k_once = count('p', 'k') <= 1 || count('s', 'm') + count('s', 'n') == 0;  // C is not dealt
  const bool once = count('p', 'm') <= 1 && count('p', 'n') <= 1 && k_once;
  if (once && count('s', 'm') + count('s', 'n') + count('s', 'k') <= 1) {
    for (const CosmaCut& c : cuts) {
      if (c.kind == 's') f.loop = c.dim, f.rounds = c.parts;
      if (c.kind == 'p' && c.dim == 'k') f.k_axes.push_back(c.parts);
    }
    return cosma_shares(f);
  }
  const auto rounds = [&](char dim) { return parts_of(cuts, 's', dim); };
  return of_each_round(f, rounds('m'), rounds('n'), rounds('k'));
}

}  // namespace cairn
