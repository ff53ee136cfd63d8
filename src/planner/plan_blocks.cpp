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
#include "planner/best_first.hpp"
#include "planner/limits.hpp"
#include "planner/plan_data.hpp"
#include "planner/problem_text.hpp"
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
  if (d.total && (*d.total < 0 || *d.total > d.blocks * most))
    throw ArgumentError(fmt::format("elements of {}: {}, expected 0 to {}", name, *d.total, d.blocks * most));
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
  if (o.ranks_per_node > 0)
    throw ArgumentError(
        fmt::format("ranks_per_node: {}, expected 0: of block-sparse products nobody counts words "
                    "between nodes",
                    o.ranks_per_node));
  if (o.verify_counts || !o.trace.empty())
    throw ArgumentError(fmt::format("{}: expected none: block-sparse products run without it",
                                    o.verify_counts ? "verify_counts" : "trace"));
  if (o.max_idle) throw ArgumentError("max_idle: expected none: the grid of a block-sparse product has all ranks");
}

// The grid of "name 4x6 …", if it is one of no more ranks than there are; else the squarest of all.
std::array<Int, 2> grid_of(std::string_view spelling, Int ranks) {
  const std::string_view words = arguments_of(spelling);
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

double seconds_of(const Draft& d) { return d->timing().last.seconds; }

void by_preference(std::vector<Draft>& plans) {
  if (plans.empty()) return;
  best_first(
      plans, preference(plans.front()->options), plans.front()->machine.precision,
      [](const Draft& d) { return real(d->most_received().words()); }, seconds_of);
}

class Chooser {
 public:
  Chooser(const Machine& machine, const BlockProblem& problem, const Options& options)
      : machine_(machine), problem_(problem), options_(options) {}

  Draft best() {
    if (has_arguments(options_.algorithm)) {
      const Draft asked = make(grid(), options_.algorithm);
      if (!fits(asked)) refuse();
      return asked;
    }
    const std::string_view name = algorithm_name(options_.algorithm);
    if (!name.empty() && algorithm_named(name).name != "fetch25d")
      throw ArgumentError(
          fmt::format("algorithm: '{}', expected fetch25d, or a whole spelling with its grid", options_.algorithm));
    compare(candidates());
    if (drafts_.empty()) refuse();
    return best_of(std::move(drafts_));
  }

 private:
  // Those that promise the fewest words, and then, as long as few panels travel in all together, those that promise to
  // be fastest.
  void compare(const std::vector<PanelCandidate>& all) {
    double work = 0;  // panels that travel
    const auto consider = [&](const PanelCandidate& c) {
      work += panels_that_travel(c.form);
      if (const Draft d = make({c.form.pr, c.form.pc}, print(c.form)); fits(d)) drafts_.push_back(d);
    };
    std::vector<PanelCandidate> later;
    for (const PanelCandidate& c : all)
      if (drafts_.empty() || (drafts_.size() < limits.few_words && panels_that_travel(c.form) <= limits.panels_of_one))
        consider(c);
      else
        later.push_back(c);
    std::ranges::stable_sort(later, {}, [this](const PanelCandidate& c) { return promise(c); });
    for (const PanelCandidate& c : later)
      if (work <= limits.panels_compared && panels_that_travel(c.form) <= limits.panels_compared) consider(c);
  }
  // Seconds of a rank's messages if nothing hides them: their words, and the handling of each panel and each sum.
  double promise(const PanelCandidate& c) const {
    const Machine::Level& far = machine_.levels.back();
    const double panels = panels_that_travel(c.form) / real(c.form.pr * c.form.pc), sums = real(c.form.layers() - 1);
    return c.received * real(size_of(problem_.type)) * far.seconds_per_byte +
           (panels + sums) * (2 * far.overhead_seconds + machine_.step_seconds);
  }

  std::array<Int, 2> grid() const {
    if (!problem_.panels) return grid_of(options_.algorithm, problem_.ranks);
    return {problem_.panels->problem.pr, problem_.panels->problem.pc};
  }
  // On grids of all ranks, or on that of panels that are known. Without words to receive, fewer layers and squarer
  // grids come first. On long grids only forms of many layers may be short enough: those by which ranks receive far
  // more than by the others are not taken in their place.
  std::vector<PanelCandidate> candidates() {
    constexpr double as_good = 1.5;  // times the words that a rank receives at least
    std::vector<PanelCandidate> all;
    const auto add = [&](const PanelProblem& p) {
      if (p.k > limits.panels_of_k) return;
      const std::vector<PanelCandidate> more = panel_candidates(p);
      all.insert(all.end(), more.begin(), more.end());
    };
    if (problem_.panels) add(problem_.panels->problem);
    for (Int pr = 1; pr <= problem_.ranks && !problem_.panels; ++pr)
      if (problem_.ranks % pr == 0) add(panel_problem(problem_, {pr, problem_.ranks / pr}));
    std::sort(all.begin(), all.end(), before);
    const double fewest = all.empty() ? 0 : all.front().received;
    left_out_ =
        std::erase_if(all, [](const auto& c) { return panels_that_travel(c.form) > limits.panels_planned; }) > 0;
    if (all.empty() || all.front().received > as_good * fewest)
      throw ArgumentError(
          fmt::format("ranks: {}, whose grids are so long that more than {:g} panels travel, expected a "
                      "number with a squarer grid",
                      problem_.ranks, limits.panels_planned));
    return all;
  }
  Draft make(std::array<Int, 2> grid, const std::string& spelling) const {
    return std::make_shared<BlockPlan::Data>(problem_, options_, machine_, grid, spelling);
  }
  // One rank says most often that there is not enough, long before all have been asked.
  bool fits(const Draft& d) {
    if (!options_.memory_words) return true;
    const Int words = d->memory(0).peak();
    if (words <= *options_.memory_words && d->memory().peak() <= *options_.memory_words) return true;
    too_large_.push_back({words, d->grid(), d->algorithm()});
    return false;
  }
  // Names what the fullest rank of the least of all needs.
  [[noreturn]] void refuse() {
    std::sort(too_large_.begin(), too_large_.end(),
              [](const TooLarge& a, const TooLarge& b) { return a.of_a_rank < b.of_a_rank; });
    Int least = std::numeric_limits<Int>::max();
    for (const TooLarge& x : too_large_)
      if (x.of_a_rank < least) least = std::min(least, make(x.grid, x.spelling)->memory().peak());
    const std::string shorter =
        left_out_ ? fmt::format(" by which no more than {:g} panels travel", limits.panels_planned) : "";
    throw MemoryError(too_few_words(*options_.memory_words, "any plan" + shorter, least));
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
  bool left_out_ = false;  // whether more panels travel by some
};

}  // namespace

void require_arguments(const BlockProblem& p, const Options& o) {
  require_dim("m", p.m), require_dim("n", p.n), require_dim("k", p.k);
  for (const auto& [rows, cols] : {std::pair(p.m, p.k), std::pair(p.k, p.n), std::pair(p.m, p.n)})
    if (expected_words(rows, cols, 1) > most_words)
      throw ArgumentError(
          fmt::format("{} x {} elements: expected at most 2^60 of them", rows.elements(), cols.elements()));
  require_share("occupancy of A", p.occupancy_a), require_share("occupancy of B", p.occupancy_b);
  if (p.occupancy_c) {
    require_share("occupancy of C", *p.occupancy_c);
    if (const double most_c = expected_products(p); *p.occupancy_c > most_c)
      throw ArgumentError(fmt::format(
          "occupancy of C: {}, expected at most {:.4g}: there are no more products of blocks", *p.occupancy_c, most_c));
    const double least_c = p.k.elements() == 0 ? 0 : p.occupancy_a * p.occupancy_b;
    if (constexpr double rounding = 1e-12; *p.occupancy_c < least_c * (1 - rounding))
      throw ArgumentError(
          fmt::format("occupancy of C: {}, expected at least {:.4g}, that of A times that of B: on no block of C are "
                      "there more than {} products",
                      *p.occupancy_c, least_c, p.k.blocks));
  }
  if (p.ranks < 1 || p.ranks > limits.panels_of_k)
    throw ArgumentError(fmt::format("ranks: {}, expected 1 to {}", p.ranks, limits.panels_of_k));
  require_block_options(o);
}

Draft best_of(std::vector<Draft> plans) {
  by_preference(plans);
  const Draft best = plans.front();
  plans.erase(plans.begin());
  constexpr std::size_t told = 12;  // of those that were not chosen
  plans.resize(std::min(plans.size(), told));
  name_others(*best, plans);
  return best;
}

void name_others(BlockPlan::Data& best, std::vector<Draft> others) {
  by_preference(others);
  Totals totals;
  totals.max.received = best.most_received().words(), totals.max.messages = best.most_received().messages;
  for (const Draft& other : others) {
    const BlockCount most = other->most_received();
    RunnerUp r{other->algorithm(), seconds_of(other), real(most.words()), real(most.messages), true, ""};
    r.why = why_not(r, totals, best.timing().last.seconds, preference(best.options) == Prefer::words);
    best.others.push_back(std::move(r));
  }
}

BlockPlan plan_on(const Machine& machine, const BlockProblem& problem, const Options& options) {
  require_arguments(problem, options);
  return BlockPlan(Chooser(machine, problem, options).best());
}

BlockPlan plan(const BlockProblem& problem, const Options& options) {
  return plan_on(machine_of(options), problem, options);
}

}  // namespace cairn
