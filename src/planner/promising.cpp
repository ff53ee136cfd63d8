#include "planner/promising.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "algorithms/registry.hpp"
#include "base/arithmetic.hpp"
#include "model/problem.hpp"
#include "planner/limits.hpp"

namespace cairn {

namespace {

struct Promise {
  double words, seconds;
  Sketch sketch;
};

// Whether, of sketches that promise nearly as much, a square grid is better than a flat one, and one source of a panel
// than several. On many ranks the first schedule is the only one that is made: decision 62.
bool plainest_first(const FactoriseProblem&) { return true; }
bool plainest_first(const SolveProblem&) { return false; }

// Panels that come down in parts from several ranks wait for each other more than sketches know, and so do those of
// flat grids, which receive more words.
void put_plainest_first(std::vector<Promise>& all) {
  auto plainest = all.end();
  const auto layers = [](const Promise& p) { return p.sketch.grid[2]; };
  for (auto at = all.begin(); at != all.end() && at->seconds <= limits.as_promising * all.front().seconds; ++at)
    if (at->sketch.one_source && layers(*at) == layers(all.front()) &&
        (plainest == all.end() || at->sketch.received() < limits.fewer_words * plainest->sketch.received()))
      plainest = at;
  if (plainest != all.end()) std::rotate(all.begin(), plainest, plainest + 1);
}

// One of each grid, as the width of blocks changes words less; after the first of these the fastest of all, since
// sketches know words of few blocks but roughly.
std::vector<Sketch> of_fewest_words(const std::vector<Promise>& all) {
  constexpr std::size_t few = limits.sketched / 2;
  std::vector<const Promise*> fastest;
  for (const Promise& p : all) fastest.push_back(&p);
  std::ranges::stable_sort(fastest, {}, &Promise::seconds);
  fastest.resize(std::min(few, fastest.size()));
  std::vector<Sketch> sketches;
  std::set<std::string_view> seen;
  std::set<std::pair<std::string_view, std::array<Int, 3>>> grids;
  const auto add = [&](const Promise& p) {
    if (seen.insert(p.sketch.spelling).second) sketches.push_back(p.sketch);
  };
  for (const Promise& p : all) {
    if (!grids.insert({algorithm_name(p.sketch.spelling), p.sketch.grid}).second) continue;
    add(p);
    if (sketches.size() == few)
      for (const Promise* f : fastest) add(*f);
  }
  for (const Promise* f : fastest) add(*f);
  return sketches;
}

}  // namespace

double flops(const FactoriseProblem& p) { return flops(Factorise{p.n, p.triangle}); }
double flops(const SolveProblem& p) { return flops(Solve{p.m, p.n, p.side, p.triangle, p.op, p.diag}); }

// Panels follow one another while all multiply. Either may take longer; where nothing hides the panels, both add up.
template <class P>
double promised_seconds(const Machine& machine, const P& problem, const Sketch& s) {
  const auto whole = [](double x) { return std::max<Int>(1, static_cast<Int>(x)); };
  const Int m = whole(s.rows), n = whole(s.cols);
  const double per_flop = machine.gemm_seconds(m, n, s.b, problem.type) / (2 * real(m) * real(n) * real(s.b));
  double panels = s.flops * per_flop, products = flops(problem) * s.share * per_flop;
  const auto travel = [&](const Road& road) {
    const Machine::Level& level = machine.levels[machine.level_of(road.span)];
    const double per_word = real(size_of(problem.type)) * level.seconds_per_byte,
                 handling = 2 * level.overhead_seconds + machine.step_seconds;
    panels += road.words * per_word + road.turns * (level.message_seconds(0) + handling);
    products += road.received * per_word + road.turns * handling;
  };
  for (const Road& road : {s.down, s.across, s.up, Road{s.ranks(), s.brought}}) travel(road);
  return s.hidden ? std::hypot(panels, products) : panels + products;
}

// A caller who leaves the layout to the plan gets one with each element on one rank, unless fewest words are wanted.
template <class P>
std::vector<Sketch> promising(const Machine& machine, const P& problem, const Options& options, Int ranks) {
  const Int fewest = fewest_ranks(problem.ranks, options);
  const bool words_decide = preference(options) == Prefer::words;
  const auto suits = [&](const Sketch& s) {
    return !s.overlapping || problem.a || words_decide || !options.algorithm.empty();
  };
  P on_these = problem;
  on_these.ranks = ranks;
  std::vector<Promise> all;
  for (const Sketch& s : variants(on_these, options.algorithm))
    if (s.ranks() >= fewest && suits(s))
      all.push_back({words_decide ? s.most_received() : 0, promised_seconds(machine, problem, s), s});
  std::sort(all.begin(), all.end(), [](const Promise& a, const Promise& b) {
    return std::pair(a.words, a.seconds) < std::pair(b.words, b.seconds);
  });
  if (words_decide) return of_fewest_words(all);
  if (plainest_first(problem)) put_plainest_first(all);
  std::vector<Sketch> sketches;
  for (const Promise& p : all) sketches.push_back(p.sketch);
  return sketches;
}

template double promised_seconds(const Machine&, const FactoriseProblem&, const Sketch&);
template double promised_seconds(const Machine&, const SolveProblem&, const Sketch&);
template std::vector<Sketch> promising(const Machine&, const FactoriseProblem&, const Options&, Int);
template std::vector<Sketch> promising(const Machine&, const SolveProblem&, const Options&, Int);

}  // namespace cairn
