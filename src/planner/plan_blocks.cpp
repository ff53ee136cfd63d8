#include "planner/plan_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "algorithms/registry.hpp"
#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "model/dealt_blocks.hpp"
#include "model/transport.hpp"
#include "planner/limits.hpp"
#include "planner/reason.hpp"
#include "schedule/text.hpp"

namespace cairn {

namespace {

void require_dim(std::string_view name, const BlockDim& d) {
  constexpr Int most = std::numeric_limits<std::int32_t>::max();  // as BlockIndex counts
  if (d.blocks < 0 || d.blocks > most)
    throw ArgumentError(fmt::format("blocks of {}: {}, expected 0 to {}", name, d.blocks, most));
  if (d.size < 0 || d.size > most)
    throw ArgumentError(fmt::format("size of the blocks of {}: {}, expected 0 to {}", name, d.size, most));
}
void require_share(std::string_view name, double share) {
  if (!(share >= 0 && share <= 1)) throw ArgumentError(fmt::format("{}: {}, expected 0 to 1", name, share));
}

// What the runtime has no choice of.
void require_block_options(const Options& o) {
  require_options(o);
  if (o.look_ahead && *o.look_ahead != 1)
    throw ArgumentError(fmt::format("look-ahead: {}, expected 1, which block-sparse products have", *o.look_ahead));
  if (!o.collectives.empty())
    throw ArgumentError(
        fmt::format("collectives: {}, expected none: block-sparse products have no choice of them", o.collectives));
  if (transport_named(o.transport) == Transport::node_shared)
    throw ArgumentError(fmt::format("transport: {}, expected two-sided or one-sided, which carry panels", o.transport));
  if (o.max_idle) throw ArgumentError("max_idle: expected none: the grid of a block-sparse product has all ranks");
}

// The grid of "name 4x6 …", if it is one of no more ranks than there are; else the squarest of all.
std::array<Int, 2> grid_of(std::string_view spelling, Int ranks) {
  const std::string_view words =
      spelling.substr(std::min(spelling.find_first_not_of(' ', spelling.find(' ')), spelling.size()));
  const char* const end = words.data() + words.size();
  Int pr = 0, pc = 0;
  const auto rows = std::from_chars(words.data(), end, pr);
  if (rows.ptr < end && *rows.ptr == 'x') {
    const auto cols = std::from_chars(rows.ptr + 1, end, pc);
    if ((cols.ptr == end || *cols.ptr == ' ') && pr > 0 && pc > 0 && pc <= ranks / pr) return {pr, pc};
  }
  return squarest_grid(ranks);
}

using Draft = std::shared_ptr<BlockPlan::Data>;

class Chooser {
 public:
  Chooser(const Machine& machine, const BlockProblem& problem, const Options& options)
      : machine_(machine), problem_(problem), options_(options) {}

  Draft best() {
    if (options_.algorithm.find(' ') != std::string::npos) {
      const Draft asked = make(grid_of(options_.algorithm, problem_.ranks), options_.algorithm);
      if (!fits(asked)) refuse();
      return asked;
    }
    if (!options_.algorithm.empty() && algorithm_named(options_.algorithm).name != "fetch25d")
      throw ArgumentError(
          fmt::format("algorithm: '{}', expected fetch25d, or a whole spelling with its grid", options_.algorithm));
    const std::vector<PanelCandidate> all = candidates();
    if (all.empty())
      throw ArgumentError(
          fmt::format("ranks: {}, whose grids are so long that more than {:g} panels travel, expected a "
                      "number with a squarer grid",
                      problem_.ranks, limits.panels_planned));
    std::size_t by_words = 0;  // which promise the fewest words, and fit
    for (const PanelCandidate& c : all) {
      const double panels = work(c.form);
      const bool square = squarest(c.form) && panels <= limits.squares_compared,
                 few_words = by_words < limits.sketched && (drafts_.empty() || panels <= limits.panels_compared);
      if (!square && !few_words) continue;
      const Draft d = make({c.form.pr, c.form.pc}, print(c.form));
      if (!fits(d)) continue;
      drafts_.push_back(d);
      if (!square) ++by_words;
    }
    if (drafts_.empty()) refuse();
    return winner();
  }

 private:
  // On grids of all ranks. Without words to receive, fewer layers and squarer grids come first.
  std::vector<PanelCandidate> candidates() const {
    std::vector<PanelCandidate> all;
    for (Int pr = 1; pr <= problem_.ranks; ++pr) {
      if (problem_.ranks % pr != 0) continue;
      const PanelProblem p = panel_problem(problem_, pr, problem_.ranks / pr);
      if (p.k() > limits.panels_of_k) continue;
      for (const PanelCandidate& c : panel_candidates(p))
        if (work(c.form) <= limits.panels_planned) all.push_back(c);
    }
    std::sort(all.begin(), all.end(), before);
    return all;
  }
  // The squarest grids on one layer and a few may be faster than others by which fewer words arrive: ranks send fewer
  // messages, and wait for fewer sums.
  bool squarest(const Fetch25d& f) const {
    constexpr Int few = 4;
    return std::min(f.pr, f.pc) == squarest_grid(problem_.ranks)[0] && f.layers() <= few;
  }
  // Panels that travel, about.
  static double work(const Fetch25d& f) {
    return real(std::lcm(f.pr, f.pc)) / real(f.layers()) * real(f.lr + f.lc) * real(f.pr * f.pc);
  }
  Draft make(std::array<Int, 2> grid, const std::string& spelling) const {
    return std::make_shared<BlockPlan::Data>(problem_, options_, machine_, grid, spelling);
  }
  // One rank says most often that there is not enough, long before all have been asked.
  bool fits(const Draft& d) {
    if (!options_.memory_words) return true;
    const Int words = d->memory(0).peak();
    if (words <= *options_.memory_words && d->memory().peak() <= *options_.memory_words) return true;
    too_large_.push_back({words, d->grid, d->algorithm()});
    return false;
  }
  // Names what the fullest rank of the least of all needs.
  [[noreturn]] void refuse() {
    std::sort(too_large_.begin(), too_large_.end(),
              [](const TooLarge& a, const TooLarge& b) { return a.of_a_rank < b.of_a_rank; });
    Int least = std::numeric_limits<Int>::max();
    for (const TooLarge& x : too_large_)
      if (x.of_a_rank < least) least = std::min(least, make(x.grid, x.spelling)->memory().peak());
    throw MemoryError(fmt::format("memory: {} words a rank are too few for any plan, expected at least {}",
                                  *options_.memory_words, least));
  }

  Draft winner() {
    const Prefer prefer = preference(options_);
    const auto words = [](const Draft& d) { return real(d->most_received().words()); };
    const auto seconds = [](const Draft& d) { return d->timing().last.seconds; };
    std::stable_sort(drafts_.begin(), drafts_.end(), [&](const Draft& a, const Draft& b) {
      return prefer == Prefer::words ? std::pair(words(a), seconds(a)) < std::pair(words(b), seconds(b))
                                     : seconds(a) < seconds(b);
    });
    if (prefer == Prefer::balanced) {
      const double as_fast = seconds(drafts_.front()) * (1 + machine_.precision);
      const auto slower =
          std::stable_partition(drafts_.begin(), drafts_.end(), [&](const Draft& d) { return seconds(d) <= as_fast; });
      std::stable_sort(drafts_.begin(), slower, [&](const Draft& a, const Draft& b) { return words(a) < words(b); });
    }
    const Draft best = drafts_.front();
    Totals totals;
    totals.max.received = best->most_received().words(), totals.max.messages = best->most_received().messages;
    for (std::size_t i = 1; i < drafts_.size(); ++i) {
      const BlockCount most = drafts_[i]->most_received();
      RunnerUp r{drafts_[i]->algorithm(), seconds(drafts_[i]), real(most.words()), real(most.messages), true, ""};
      r.why = why_not(r, totals, seconds(best), prefer == Prefer::words);
      best->others.push_back(std::move(r));
    }
    return best;
  }

  const Machine& machine_;
  const BlockProblem& problem_;
  const Options& options_;
  struct TooLarge {
    Int of_a_rank;  // words that the first rank holds
    std::array<Int, 2> grid;
    std::string spelling;
  };
  std::vector<Draft> drafts_;  // of what fits
  std::vector<TooLarge> too_large_;
};

}  // namespace

void require_arguments(const BlockProblem& p, const Options& o) {
  require_dim("m", p.m), require_dim("n", p.n), require_dim("k", p.k);
  for (const auto& [rows, cols] : {std::pair(p.m, p.k), std::pair(p.k, p.n), std::pair(p.m, p.n)})
    if (expected_words(rows, cols, 1) > most_words)
      throw ArgumentError(
          fmt::format("{} x {} elements: more than a 64-bit integer counts", rows.elements(), cols.elements()));
  require_share("occupancy of A", p.occupancy_a), require_share("occupancy of B", p.occupancy_b);
  if (p.occupancy_c) {
    require_share("occupancy of C", *p.occupancy_c);
    if (const double most_c = expected_products(p); *p.occupancy_c > most_c)
      throw ArgumentError(fmt::format(
          "occupancy of C: {}, expected at most {:.4g}: there are no more products of blocks", *p.occupancy_c, most_c));
  }
  if (p.ranks < 1 || p.ranks > limits.panels_of_k)
    throw ArgumentError(fmt::format("ranks: {}, expected 1 to {}", p.ranks, limits.panels_of_k));
  require_block_options(o);
}

BlockPlan plan_on(const Machine& machine, const BlockProblem& problem, const Options& options) {
  require_arguments(problem, options);
  return BlockPlan(Chooser(machine, problem, options).best());
}

BlockPlan plan(const BlockProblem& problem, const Options& options) {
  return plan_on(find_machine(options.machine).with_kernels(options.kernels), problem, options);
}

}  // namespace cairn
