// COSMA's fastest grid, loop and rounds by the clock, in its own layouts.
#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "base/arithmetic.hpp"
#include "model/transport.hpp"
#include "planner/limits.hpp"
#include "planner/memory_of.hpp"
#include "planner/plan_cosma.hpp"

namespace cairn {

namespace {

// A grid with fewer parts in some dimension and with more in none.
bool within(const CosmaWay& a, const CosmaWay& b) {
  return a.pm <= b.pm && a.pn <= b.pn && a.pk <= b.pk && a.ranks() < b.ranks();
}

// Takes as long where m = n, but for which ranks are near each other.
CosmaWay mirrored(CosmaWay w) {
  std::swap(w.pm, w.pn);
  return w;
}

// What it costs to clock a schedule, in steps of one rank: some of it is paid once for all ranks.
double work(const Schedule& wire) {
  constexpr Int once = 32;
  return real(wire.grid.size() + once) * real(static_cast<Int>(wire.steps.size()));
}

// Closed forms take every piece and every round for even, and are a tenth off where rounds are thin and uneven. So
// they only say where to look: the clock reads the best rounds of the best grids, and then goes from the fastest of
// these to more and fewer rounds as long as that is faster.
class FastestCosma {
 public:
  FastestCosma(const Drafts& drafts, const CosmaSearch& search)
      : drafts_(drafts),
        search_(search),
        one_by_one_(shares_memory(transport_named(drafts.options().transport), drafts.problem().ranks) &&
                    !search.memory_words) {}

  Draft run() {
    std::vector<Grid> all = grids();
    if (all.empty()) return nullptr;
    const auto by_clock = [](const Grid& g) {
      return g.draft ? g.best.seconds : std::numeric_limits<double>::infinity();
    };
    for (std::size_t i = 0; i < all.size(); ++i) i < limits.climbed_grids ? clock_loops(all[i]) : clock_first(all[i]);
    std::ranges::stable_sort(all, {}, by_clock);
    for (std::size_t i = 0; i < std::min(limits.climbed_grids, all.size()) && !enough(); ++i) {
      clock_loops(all[i]);
      climb(all[i]);
    }
    std::ranges::stable_sort(all, {}, by_clock);
    if (!all.front().draft) return smallest_;
    thin_out(all);
    // Of grids that are as fast the one that receives least.
    const auto as_fast = std::ranges::find_if(all, [most = (1 + limits.worth) * by_clock(all.front()),
                                                    &by_clock](const Grid& g) { return by_clock(g) > most; });
    const auto least = std::min_element(all.begin(), as_fast,
                                        [](const Grid& a, const Grid& b) { return a.best.received < b.best.received; });
    std::rotate(all.begin(), least, least + 1);
    const Draft fastest = all.front().draft;
    for (const Grid& g : all)
      if (g.draft && fastest->found.best.size() < 2) fastest->found.best.push_back(g.best);
    fastest->found.fastest = all.front().best;
    return fastest;
  }

 private:
  struct Grid {
    std::vector<CosmaCandidate> tries;  // best first by the closed form
    double promise = 0;                 // of the best that the closed form knows
    CosmaCandidate best{};              // by the clock, as soon as there is a draft
    Draft draft{};
  };

  // With its rounds, best first.
  Grid grid(const CosmaWay& way) const {
    const Machine& machine = drafts_.machine();
    Grid g{overlaps(search_, machine, order_cosma(search_, machine, way))};
    std::ranges::stable_sort(g.tries, {}, &CosmaCandidate::seconds);
    g.promise = g.tries.front().seconds;
    if (one_by_one_)
      std::erase_if(g.tries, [](const CosmaCandidate& t) { return t.way.rounds > 1 && t.way.loop != 'k'; });
    return g;
  }
  // Those that promise most, best first, and at last the best of all ranks.
  std::vector<Grid> grids() const {
    std::vector<Grid> all;
    for (const CosmaWay& way : worth_trying())
      if (Grid g = grid(way); !g.tries.empty()) all.push_back(std::move(g));
    std::ranges::stable_sort(all, {}, &Grid::promise);
    const double most = all.empty() ? 0 : limits.near * all.front().promise;
    std::vector<Grid> best;
    bool busy = false;
    for (Grid& g : all) {
      const bool idle = g.tries.front().way.ranks() < search_.ranks;
      const bool promises = best.size() < limits.clocked_grids && g.promise <= most;
      if (!promises && (idle || busy)) continue;
      busy |= !idle;
      best.push_back(std::move(g));
    }
    return best;
  }

  // Best first without overlap. Where messages hide behind products, it counts more that no rank is idle: as many
  // again are taken of the grids of all ranks.
  std::vector<CosmaWay> worth_trying() const {
    CosmaSearch busy = search_;
    busy.fewest = busy.ranks;
    std::vector<CosmaWay> worth;
    const bool one_of_two = search_.dims.m == search_.dims.n && search_.ranks > limits.searched_ranks;
    const auto take = [&](const CosmaSearch& search) {
      const std::size_t most = worth.size() + limits.grids_tried;
      for (const CosmaCandidate& c : search_cosma(search, drafts_.machine(), limits.grids).best)
        if (worth.size() < most && std::ranges::none_of(worth, [&](const CosmaWay& w) {
              return c.way.grid() == w.grid() || within(c.way, w) || (one_of_two && mirrored(c.way).grid() == w.grid());
            }))
          worth.push_back(c.way);
    };
    take(search_);
    take(busy);
    return worth;
  }

  // Whether it is faster than the best of its grid so far, by so much that more of the kind are worth a look.
  bool clock(Grid& g, const CosmaWay& w) {
    if (w.rounds < 1 || w.rounds > most_rounds(search_.dims, w)) return false;
    if (search_.memory_words && cosma_memory(search_.dims, w) > *search_.memory_words) return false;
    if (!known_.insert({w.pm, w.pn, w.pk, w.pk2, w.loop, w.rounds, w.look_ahead}).second) return false;
    const Draft d = drafts_.make(made(drafts_, w), w.look_ahead);
    steps_ += work(d->wire);
    if (!fits(d)) return false;
    const double before = g.best.seconds, now = d->times().seconds;
    if (g.draft && now > (1 - limits.worth) * before) return false;
    g.draft = d;
    g.best = {w, cosma_received(search_.dims, w).most(), now};
    return true;
  }

  // Where rounds of m or n overlap, there may be gaps between buffers, of which the closed form knows nothing.
  bool fits(const Draft& d) {
    if (!search_.memory_words || memory_of(drafts_, d) <= *search_.memory_words) return true;
    if (!smallest_ || d->totals().max.peak_words < smallest_->totals().max.peak_words) smallest_ = d;
    return false;
  }

  // Even rounds, if they promise as much.
  void clock_first(Grid& g) {
    const auto even = std::ranges::find_if(g.tries, [this](const CosmaCandidate& t) {
      return t.way.rounds == even_rounds(search_.dims, t.way, t.way.rounds);
    });
    const bool promises = even != g.tries.end() && even->seconds < limits.as_good * g.tries.front().seconds;
    clock(g, promises ? even->way : g.tries.front().way);
  }
  // The best rounds of each dimension, with and without overlap, if they promise as much.
  void clock_loops(Grid& g) {
    clock_first(g);
    for (char loop : {'k', 'm', 'n'})
      for (bool overlaps : {true, false}) {
        const auto at = std::ranges::find_if(g.tries, [&](const CosmaCandidate& t) {
          return t.way.loop == loop && (t.way.look_ahead > 0) == overlaps && (overlaps || t.way.rounds > 1);
        });
        if (at != g.tries.end() && at->seconds < limits.near * g.tries.front().seconds) clock(g, at->way);
      }
  }

  bool enough() const { return steps_ > limits.cosma_steps; }

  // Half and twice as many rounds, then three quarters and four thirds; each so that shares are even, and as it is.
  void climb_rounds(Grid& g) {
    constexpr std::array<std::pair<Int, Int>, 4> factors{{{1, 2}, {2, 1}, {3, 4}, {4, 3}}};
    for (const auto& [times, over] : factors)
      for (bool better = g.best.way.rounds > 1; better && !enough();) {
        CosmaWay w = g.best.way, even = w;
        w.rounds = w.rounds * times / over;
        even.rounds = even_rounds(search_.dims, w, std::max<Int>(1, w.rounds));
        better = even.rounds > 1 && clock(g, even);
        better |= w.rounds > 1 && clock(g, w);
      }
  }
  // With more look-ahead, panels of two rounds share their latencies.
  bool look_further(Grid& g) {
    CosmaWay w = g.best.way;
    return w.look_ahead++ == 1 && !drafts_.options().look_ahead && !enough() && clock(g, w);
  }
  // The rounds and the look-ahead that the clock likes best; at last a single round.
  void climb(Grid& g) {
    climb_rounds(g);
    if (look_further(g)) climb_rounds(g);
    const auto single = std::ranges::find(g.tries, 1, [](const CosmaCandidate& t) { return t.way.rounds; });
    if (single != g.tries.end()) clock(g, single->way);
  }

  // The same with so many parts of one dimension, if some rounds fit.
  std::optional<CosmaWay> with_parts(const CosmaWay& way, Int CosmaWay::*dimension, Int parts) const {
    CosmaWay w;
    w.pm = way.pm, w.pn = way.pn, w.pk = way.pk, w.look_ahead = search_.look_ahead;
    w.*dimension = parts;
    if (parts < 1 || w.ranks() < search_.fewest) return std::nullopt;
    if (search_.memory_words) w.rounds = fewest_rounds(search_.dims, w, *search_.memory_words).value_or(0);
    return w.rounds > 0 ? std::optional(w) : std::nullopt;
  }
  static std::array<Int, 4> fewer_than(Int parts) { return {parts - 1, parts * 7 / 8, parts * 3 / 4, parts / 2}; }
  // Where messages take most of the time, fewer ranks may be faster, and closed forms do not tell: from the best grid
  // to those with fewer parts of one dimension, as long as that is faster.
  void thin_out(std::vector<Grid>& all) {
    const double most = limits.near * all.front().promise;
    for (bool better = true; std::exchange(better, false) && !enough();) {
      const CosmaWay from = all.front().best.way;
      for (Int CosmaWay::*dimension : {&CosmaWay::pm, &CosmaWay::pn, &CosmaWay::pk})
        for (Int fewer : fewer_than(from.*dimension)) {
          const std::optional<CosmaWay> way = with_parts(from, dimension, fewer);
          if (!way) continue;
          Grid g = grid(*way);
          if (g.tries.empty() || g.promise > most) continue;
          clock_first(g);
          if (!g.draft || g.best.seconds > (1 - limits.worth) * all.front().best.seconds) continue;
          clock_loops(g);
          climb(g);
          all.insert(all.begin(), std::move(g));
          better = true;
        }
    }
  }

  const Drafts& drafts_;
  const CosmaSearch& search_;
  // Whether panels of m and n are read where they lie, dealt by single rows or columns, which are then multiplied one
  // by one: such rounds take long, and long to clock.
  const bool one_by_one_;
  std::set<std::array<Int, 7>> known_;  // what was clocked
  double steps_ = 0;                    // of all ranks, in schedules made so far
  Draft smallest_;                      // of those that do not fit
};

}  // namespace

Draft fastest_cosma(const Drafts& drafts, const CosmaSearch& search) { return FastestCosma(drafts, search).run(); }

}  // namespace cairn
