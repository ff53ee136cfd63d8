#include "planner/search_cosma.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "base/arithmetic.hpp"
#include "planner/grid_bounds.hpp"
#include "planner/limits.hpp"

namespace cairn {

namespace {

bool searches_all_rounds(const CosmaSearch& s) { return s.memory_words && s.ranks <= limits.searched_ranks; }

// Beyond one part an element a dimension only adds ranks without work; needed only to keep ranks from being idle, and
// for their memory.
GridRange grids(const CosmaSearch& s) {
  GridRange range{s.fewest, s.ranks, {s.ranks, s.ranks, s.ranks}};
  if (!s.keeps_busy && !searches_all_rounds(s))
    for (std::size_t x = 0; x < 3; ++x)
      range.cap[x] = std::min(s.ranks, std::max<Int>(1, GridBounds(s.dims).extent(x)));
  return range;
}

CosmaWay way_of(const std::array<Int, 3>& grid, int look_ahead) {
  CosmaWay w;
  w.pm = grid[0], w.pn = grid[1], w.pk = grid[2];
  w.look_ahead = look_ahead;
  return w;
}

// Sums in another order are not another time; float keeps this transitive.
float blurred(double seconds) { return static_cast<float>(seconds); }

// The machine with nothing but its links between ranks farthest apart.
Machine flattened(const Machine& machine, Int ranks) {
  Machine flat = machine;
  flat.levels = {machine.levels[machine.level_of(ranks)]};
  flat.levels[0].ranks = 0;
  return flat;
}

class Search {
 public:
  Search(const CosmaSearch& s, const Machine& machine, std::size_t wanted)
      : s_(s),
        machine_(flattened(machine, s.ranks)),
        clock_(s.dims, machine_, s.type),
        both_ways_(s.prefers == Prefer::words ? BothWays::everywhere : BothWays::where_needed),
        bounds_(s.dims, both_ways_),
        range_(grids(s)),
        wanted_(wanted),
        by_words_(s.prefers == Prefer::words) {}

  CosmaFound run() {
    const bool precise = s_.prefers != Prefer::balanced || machine_.precision == 0;
    const std::size_t wanted = std::exchange(wanted_, precise ? wanted_ : 1);
    walk();
    if (best_.empty()) return {};
    const CosmaCandidate fastest = best_.front();
    if (!precise) {
      by_words_ = true;
      limit_ = blurred(fastest.seconds * (1 + machine_.precision));
      wanted_ = wanted;
      walk();
    }
    return {best_, fastest};
  }

 private:
  void walk() {
    seed();
    const auto prune = [this](const GridBox& box) { return hopeless(box); };
    const auto visit = [this](const std::array<Int, 3>& grid) { evaluate(grid); };
    GridWalk(range_, prune, visit).run();
  }

  // A good grid found early lets most boxes be discarded at once: from near the real-valued optimum [cosma-sc19
  // Equation 4], or with smaller faces if that does not fit, uphill as long as a neighbour is better.
  void seed() {
    const double m = real(std::max<Int>(1, s_.dims.m)), n = real(std::max<Int>(1, s_.dims.n)),
                 k = real(std::max<Int>(1, s_.dims.k));
    constexpr double shrink = 0.8;
    for (double side = std::cbrt(m * n * k / real(s_.ranks)); best_.empty() && side > 0.5; side *= shrink)
      for (double a : {m / side, m / side + 1})
        for (double b : {n / side, n / side + 1}) {
          const Int pm = clamped(a, 0, s_.ranks), pn = clamped(b, 1, s_.ranks / pm);
          const Int pk = clamped(real(s_.ranks), 2, s_.ranks / pm / pn);
          if (pm * pn * pk >= range_.fewest) evaluate({pm, pn, pk});
        }
    while (!best_.empty()) {
      const CosmaCandidate before = best_.front();
      for_each_neighbour(range_, before.way.grid(), [this](const std::array<Int, 3>& grid) { evaluate(grid); });
      if (!better(best_.front(), before)) break;
    }
  }
  Int clamped(double parts, std::size_t dim, Int most) const {
    return std::clamp<Int>(static_cast<Int>(std::min(parts, real(s_.ranks))), 1, std::min(most, range_.cap[dim]));
  }
  // What decides: seconds and then words; where words do, or in the second walk, the other way round.
  bool better(const CosmaCandidate& a, const CosmaCandidate& b) const {
    const auto key = [this](const CosmaCandidate& c) {
      const double seconds = blurred(c.seconds), words = real(c.received);
      return std::tuple(by_words_ ? words : seconds, by_words_ ? seconds : words, c.way.ranks(), c.way.rounds,
                        -c.way.pm, -c.way.pn);
    };
    return key(a) < key(b);
  }

  bool hopeless(const GridBox& box) const {
    if (s_.memory_words && bounds_.memory(box, searches_all_rounds(s_)) > real(*s_.memory_words)) return true;
    return worse(bounds_.least(box, s_.ranks), box.lo[0] * box.lo[1] * box.lo[2]);
  }
  // Whether nothing that the bound is true of, and that has at least so many ranks, is among the best.
  bool worse(const CosmaClock::Least& bound, Int ranks) const {
    constexpr double rounding = 1 - 1e-9;
    const double seconds = blurred(rounding * clock_.at_least(bound));
    if (by_words_ && seconds > limit_) return true;
    if (best_.size() < wanted_) return false;
    const CosmaCandidate& last = best_.back();
    const auto words = std::ceil(rounding * bound.received), last_words = real(last.received);
    const double last_seconds = blurred(last.seconds);
    if (by_words_) return std::tuple(words, seconds, ranks) > std::tuple(last_words, last_seconds, last.way.ranks());
    return std::tuple(seconds, words, ranks) > std::tuple(last_seconds, last_words, last.way.ranks());
  }

  void evaluate(const std::array<Int, 3>& grid) {
    if (!countable(grid)) return;
    const CosmaWay way = way_of(grid, s_.look_ahead);
    for (const CosmaWay& both : both_ways(s_.dims, way, both_ways_)) try_rounds_of_k(both);
    if (try_rounds_of_k(way) || !searches_all_rounds(s_)) return;
    for (char loop : {'m', 'n'}) {
      CosmaWay w = way;
      w.loop = loop;
      if (choose_rounds(w)) estimate(w);
    }
  }
  // Whether it fits without.
  bool try_rounds_of_k(CosmaWay w) {
    if (!choose_rounds(w)) return false;
    estimate(w);
    if (w.rounds == 1) return true;
    if (searches_all_rounds(s_)) share_evenly(w);
    return false;
  }
  void estimate(const CosmaWay& way) {
    CosmaWay plain = way;
    plain.look_ahead = 0;
    CosmaCandidate c = clock_.candidate(plain);
    c.way = way;
    insert(c);
  }
  // So many rounds that they are shared all together, which comes out most even.
  void share_evenly(CosmaWay w) {
    const Int thick = most_thick_rounds(s_.dims, w);
    if (w.rounds > thick) return;
    const std::optional<Int> rounds = fewest_rounds(s_.dims, w, *s_.memory_words, thick + 1);
    if (!rounds) return;
    w.rounds = *rounds;
    estimate(w);
  }
  // Flops of a rank must fit their type.
  bool countable(const std::array<Int, 3>& grid) const {
    const Int M = ceil_div(s_.dims.m, grid[0]), N = ceil_div(s_.dims.n, grid[1]), K = ceil_div(s_.dims.k, grid[2]);
    Int flops = 0;
    return !__builtin_mul_overflow(2 * M, N, &flops) && !__builtin_mul_overflow(flops, std::max<Int>(1, K), &flops);
  }
  bool choose_rounds(CosmaWay& w) const {
    if (!s_.memory_words) return true;
    std::optional<Int> rounds = rounds_at_least(s_.dims, w, *s_.memory_words);
    if (!rounds) return false;
    const GridBox grid{w.grid(), w.grid()};
    if (*rounds > 1 && w.loop == 'k' && worse(bounds_.least(grid, s_.ranks, *rounds), w.ranks())) return false;
    rounds = fewest_rounds(s_.dims, w, *s_.memory_words);
    w.rounds = rounds.value_or(1);
    return rounds.has_value();
  }

  void insert(const CosmaCandidate& c) {
    if (by_words_ && blurred(c.seconds) > limit_) return;
    const auto known = std::ranges::find(best_, c.way.grid(), [](const CosmaCandidate& x) { return x.way.grid(); });
    if (known != best_.end() && !better(c, *known)) return;
    if (known != best_.end()) best_.erase(known);
    const auto at =
        std::upper_bound(best_.begin(), best_.end(), c, [this](const auto& a, const auto& b) { return better(a, b); });
    best_.insert(at, c);
    if (best_.size() > wanted_) best_.pop_back();
  }

  const CosmaSearch& s_;
  const Machine machine_;
  CosmaClock clock_;
  BothWays both_ways_;
  GridBounds bounds_;
  GridRange range_;
  std::size_t wanted_;
  bool by_words_;
  float limit_ = std::numeric_limits<float>::infinity();  // seconds that are fast enough
  std::vector<CosmaCandidate> best_;
};

}  // namespace

CosmaFound search_cosma(const CosmaSearch& search, const Machine& machine, std::size_t wanted) {
  return Search(search, machine, wanted).run();
}

LeastMemory least_memory_cosma(const CosmaSearch& s) {
  const GridBounds bounds(s.dims);
  const GridRange range = grids(s);
  LeastMemory least{std::numeric_limits<Int>::max(), {}};
  const auto prune = [&](const GridBox& box) {
    return bounds.memory(box, searches_all_rounds(s)) >= real(least.words);
  };
  const auto visit = [&](const std::array<Int, 3>& grid) {
    CosmaWay w = way_of(grid, s.look_ahead);
    for (const CosmaWay& both : both_ways(s.dims, w))
      if (const Int words = least_memory(s.dims, both); words < least.words) least = {words, both};
    for (char loop : {'k', 'm', 'n'}) {
      if (loop != 'k' && !searches_all_rounds(s)) break;
      w.loop = loop;
      if (memory_at_least(s.dims, w) >= least.words) continue;
      if (const Int words = least_memory(s.dims, w); words < least.words) least = {words, w};
    }
  };
  // Uphill first, from ranks along m only, n only and k only: most boxes are then discarded at once.
  for (const std::array<Int, 3>& start : {std::array<Int, 3>{s.ranks, 1, 1}, {1, s.ranks, 1}, {1, 1, s.ranks}}) {
    std::array<Int, 3> grid = start;
    for (std::size_t x = 0; x < 3; ++x) grid[x] = std::min(grid[x], range.cap[x]);
    if (grid[0] * grid[1] * grid[2] >= range.fewest) visit(grid);
  }
  for (Int before = 0; before != least.words && least.words < std::numeric_limits<Int>::max();) {
    before = least.words;
    for_each_neighbour(range, least.way.grid(), visit);
  }
  GridWalk(range, prune, visit).run();
  least.way.rounds = fewest_rounds(s.dims, least.way, least.words).value_or(1);
  return least;
}

}  // namespace cairn
