#include "algorithms/carma.hpp"

#include <fmt/format.h>

#include <cmath>

#include "algorithms/arguments.hpp"
#include "algorithms/outline.hpp"
#include "base/arithmetic.hpp"
#include "cairn/error.hpp"

namespace cairn {

std::vector<CosmaCut> carma_cuts(Int m, Int n, Int k, Int ranks, Int dfs) {
  constexpr Int most = 20;
  static_assert(Int{1} << most == most_turns);
  if (ranks < 1 || (ranks & (ranks - 1)) != 0)
    throw ArgumentError(
        fmt::format("algorithm: carma on {} ranks, expected a power of two, as in carma 8 dfs=2", ranks));
  if (dfs > most)
    throw ArgumentError(
        fmt::format("algorithm: carma with dfs={}, expected at most {}, as in carma 8 dfs=2", dfs, most));
  std::vector<CosmaCut> cuts;
  const auto halve = [&](char kind) {
    const Int longest = std::max({m, n, k});
    const char dim = m == longest ? 'm' : n == longest ? 'n' : 'k';
    Int& size = dim == 'm' ? m : dim == 'n' ? n : k;
    size = (size + 1) / 2;
    cuts.push_back({kind, dim, 2});
  };
  for (Int step = 0; step < dfs; ++step) halve('s');
  for (; ranks > 1; ranks /= 2) halve('p');
  return cuts;
}

std::vector<CarmaForm> carma_forms(const Sought& sought) {
  std::vector<CarmaForm> all;
  const Int most_halvings = sought.memory_words ? 6 : 0;
  for (Int ranks = 1; ranks <= sought.ranks; ranks *= 2)
    for (Int dfs = 0; dfs <= most_halvings && ranks >= sought.fewest; ++dfs) all.push_back({ranks, dfs});
  return all;
}

// Halves of halves are not always even, and what travels may leave by either port: of words, half is certain. Blocks
// are shared along their longer sides, which spread_evenly() does not know.
Outline halved(const Sought& sought, const std::vector<CosmaCut>& cuts) {
  const auto& [m, n, k] = sought.dims;
  const auto parts = [&](char kind, char dim) { return parts_of(cuts, kind, dim); };
  const Int pm = parts('p', 'm'), pn = parts('p', 'n'), pk = parts('p', 'k');
  const Int rounds = parts('s', 'm') * parts('s', 'n') * parts('s', 'k');
  Outline o = spread_evenly(sought, {pm, pn, pk}, 'k', rounds, 0);
  const double M = real(o.product[0]), N = real(o.product[1]), K = real(o.product[2]);
  const double shares = (real(m) * real(k) + real(k) * real(n) + real(m) * real(n)) / real(o.ranks());
  const auto brought = [](Int rows, Int cols, Int sharers) {
    return real(rows) * real(cols) * (1 - 1 / real(sharers));
  };
  o.received = std::floor(brought(m / pm, k / pk, pn) + brought(k / pk, n / pn, pm) + brought(m / pm, n / pn, pk));
  o.loop = 0;
  o.messages = 0;
  for (const CosmaCut& cut : cuts) o.messages += cut.kind == 'p' ? 1 : 0;
  o.memory = shares + ((pn > 1 ? M * K : 0) + (pm > 1 ? K * N : 0) + (pk > 1 ? M * N : 0)) / real(rounds);
  o.product = {m / pm, n / pn, k / pk};
  o.before_last /= 2;
  o.after_last = real((m / pm) * (n / pn)) * (1 - 1 / real(pk)) / real(rounds) / 2;
  return o;
}

namespace {

std::string print(const CarmaForm& f) {
  return fmt::format("carma {}{}", f.ranks, f.dfs > 0 ? fmt::format(" dfs={}", f.dfs) : "");
}

CarmaForm parse(std::string_view text) {
  Arguments arguments(text, "carma 8 dfs=2, the last if wanted");
  const Int ranks = arguments.sizes(1).front(), dfs = arguments.number("dfs", 0);
  arguments.finish();
  return {ranks, dfs};
}

// CARMA.  [carma-2013; cosma-sc19 §2.4, Table 2]   layouts and steps are cosma()'s
// Received, for even pieces and without dfs, with pm·pn·pk = ranks by halving:
//   mk/(pm pk)·(1-1/pn) + kn/(pk pn)·(1-1/pm) + mn/(pm pn)·(1-1/pk)
MadeAlgorithm carma(const GemmProblem& p, const CarmaForm& f) {
  const std::vector<CosmaCut> cuts = carma_cuts(p.m, p.n, p.k, f.ranks, f.dfs);
  const auto parts = [&](char dim) { return parts_of(cuts, 'p', dim); };
  return {cosma(p, cuts, print(f)), {parts('m'), parts('n'), parts('k')}, Int{1} << f.dfs, print_cosma_cuts(cuts)};
}

Outline outline(const Sought& sought, const CarmaForm& f) {
  return halved(sought, carma_cuts(sought.dims.m, sought.dims.n, sought.dims.k, f.ranks, f.dfs));
}

}  // namespace

Algorithm carma_algorithm() { return Typed<CarmaForm>{"carma", parse, print, carma, carma_forms, outline}; }

}  // namespace cairn
