#include "cairn/plan.hpp"

#include <fmt/format.h>

#include <limits>
#include <tuple>

#include "algorithms/registry.hpp"
#include "cairn/error.hpp"
#include "model/transport.hpp"
#include "planner/plan_data.hpp"
#include "planner/redistribution.hpp"
#include "schedule/passes/passes.hpp"
#include "schedule/text.hpp"

namespace cairn {

namespace {

using Draft = std::shared_ptr<Plan::Data>;

constexpr Int most_compared_ranks = 4096;  // beyond, redistributions take too long to compare
constexpr Int most_tried_ranks = 64;       // beyond, schedules with redistributions take too long to count by the dozen
constexpr std::size_t compared = 6;        // grids of which redistributions are compared

[[noreturn]] void refuse_memory(Int limit, Int needed, std::string_view what) {
  throw MemoryError(
      fmt::format("memory: {} words a rank are too few for {}, expected at least {}", limit, what, needed));
}

void require_size(std::string_view name, Int size) {
  if (size < 0) throw ArgumentError(fmt::format("{} is {}, expected 0 or more", name, size));
}

void require_layout(std::string_view name, const std::optional<Layout>& layout, Int ranks) {
  if (layout && layout->grid.size() > ranks)
    throw ArgumentError(
        fmt::format("layout of {}: over {} ranks, expected at most {}", name, layout->grid.size(), ranks));
}

void require_arguments(const GemmProblem& p, const Options& o) {
  require_size("m", p.m);
  require_size("n", p.n);
  require_size("k", p.k);
  if (p.ranks < 1) throw ArgumentError(fmt::format("ranks: {}, expected at least 1", p.ranks));
  constexpr Int most_ranks = std::numeric_limits<int>::max();  // as MPI counts them
  if (p.ranks > most_ranks) throw ArgumentError(fmt::format("ranks: {}, expected at most {}", p.ranks, most_ranks));
  constexpr double most = 0x1p60;  // sums of a few such products are exact
  const auto m = static_cast<double>(p.m), n = static_cast<double>(p.n), k = static_cast<double>(p.k);
  if (std::max({m * n, m * k, k * n, static_cast<double>(p.ranks) * std::max({m, n, k})}) > most)
    throw ArgumentError(
        fmt::format("{} x {} x {} on {} ranks: more words than a 64-bit integer counts", p.m, p.n, p.k, p.ranks));
  require_layout("A", p.a, p.ranks);
  require_layout("B", p.b, p.ranks);
  require_layout("C", p.c, p.ranks);
  if (o.memory_words && *o.memory_words < 0)
    throw ArgumentError(fmt::format("memory: {} words, expected 0 or more", *o.memory_words));
  if (o.look_ahead && *o.look_ahead < 0)
    throw ArgumentError(fmt::format("look-ahead: {}, expected 0 or more", *o.look_ahead));
  if (o.ranks_per_node < 0)
    throw ArgumentError(fmt::format("ranks_per_node: {}, expected 0 or more", o.ranks_per_node));
  transport_named(o.transport);
  if (o.max_idle && !(*o.max_idle >= 0 && *o.max_idle < 1))
    throw ArgumentError(fmt::format("max_idle: {}, expected 0 or more and below 1", *o.max_idle));
}

class Planner {
 public:
  Planner(const Machine& machine, const GemmProblem& problem, const Options& options)
      : machine_(machine), problem_(problem), options_(options), search_(search_of(problem, options)) {}

  Draft run() {
    require_arguments(problem_, options_);
    return leaves_cuts_open(options_.algorithm) ? chosen() : as_asked();
  }

 private:
  Draft draft(const MadeAlgorithm& made, int depth) const {
    auto d = std::make_shared<Plan::Data>();
    d->problem = problem_;
    d->options = options_;
    d->machine = machine_;
    d->grid = made.grid;
    d->rounds = made.rounds;
    d->look_ahead = depth;
    d->collective = look_ahead(made.schedule, depth);
    d->wire = expand_collectives(d->collective);
    d->totals = count_all(d->collective, d->wire);
    d->times = clock(d->wire, machine_, problem_.type);
    return d;
  }
  Draft draft(const CosmaWay& way) const {
    return draft({cosma(problem_, way.cuts()), {way.pm, way.pn, way.pk}, way.rounds}, way.look_ahead);
  }
  Int over_limit(const Draft& d) const {
    return options_.memory_words ? d->totals.max.peak_words - *options_.memory_words : 0;
  }
  static bool better(const Draft& a, const Draft& b) {
    const auto key = [](const Draft& d) {
      return std::tuple(static_cast<float>(d->times.seconds), d->totals.max.received, d->collective.grid.size());
    };
    return key(a) < key(b);
  }

  Draft as_asked() const {
    const MadeAlgorithm made = make_algorithm(problem_, options_.algorithm);
    Draft best = draft(made, options_.look_ahead.value_or(0));
    if (!options_.look_ahead && made.rounds > 1) {
      const Draft overlapping = draft(made, 1);
      if (over_limit(overlapping) <= 0 && better(overlapping, best)) return overlapping;
    }
    if (over_limit(best) > 0) refuse_memory(*options_.memory_words, best->totals.max.peak_words, options_.algorithm);
    return best;
  }

  // Closed forms choose among all grids. Where the caller's layouts ask for redistributions, these are added for the
  // best few, and for those that may need none.
  Draft chosen() const {
    CosmaSearch search = search_;
    while (true) {
      const CosmaFound found = search_cosma(search, machine_, compares_layouts() ? compared : 2);
      if (found.best.empty()) break;
      const Draft d = draft(compares_layouts() ? with_layouts(search, found) : finished(search, found.best[0].way));
      d->found = found;
      if (over_limit(d) <= 0) return d;
      *search.memory_words -= over_limit(d);  // what redistributions hold beside the multiplication
    }
    if (!options_.memory_words)
      throw ArgumentError(
          fmt::format("{} x {} x {} on {} ranks: a rank has more operations than a 64-bit integer counts", problem_.m,
                      problem_.n, problem_.k, problem_.ranks));
    const LeastMemory closed = least_memory_cosma(search_);
    if (!has_layouts(problem_)) refuse_memory(*options_.memory_words, closed.words, "any plan");
    const Draft least = smallest(closed.way);
    if (over_limit(least) > 0) refuse_memory(*options_.memory_words, least->totals.max.peak_words, "any plan");
    return least;
  }

  bool compares_layouts() const { return has_layouts(problem_) && problem_.ranks <= most_compared_ranks; }

  // With its axes in order, and rounds for overlap.
  CosmaWay finished(const CosmaSearch& search, const CosmaWay& way) const {
    const CosmaWay ordered = order_cosma(search, machine_, way);
    return options_.look_ahead == 0 ? ordered : overlap_cosma(search, machine_, ordered);
  }
  CosmaWay with_layouts(const CosmaSearch& search, const CosmaFound& found) const {
    std::vector<CosmaWay> ways;
    for (const CosmaCandidate& c : found.best) ways.push_back(c.way);
    add_callers_grids(search, ways);
    const CosmaClock clock(search.dims, machine_, problem_.type);
    CosmaWay best;
    double least = 0;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      const CosmaWay way = finished(search, ways[w]);
      const double seconds =
          clock.seconds(way, cosma_received(search.dims, way)) + redistribution_seconds(problem_, machine_, way);
      if (w > 0 && seconds >= least) continue;
      best = way;
      least = seconds;
    }
    return best;
  }

  // With redistributions, the plan that needs the least memory of those ways that would be chosen without a limit and
  // of the way that would need the least without redistributions.
  Draft smallest(const CosmaWay& closed) const {
    CosmaSearch search = search_;
    std::vector<CosmaWay> ways{closed};
    search.memory_words.reset();
    if (problem_.ranks <= most_tried_ranks) {
      for (const CosmaCandidate& c : search_cosma(search, machine_, compared).best) ways.push_back(c.way);
      add_callers_grids(search, ways);
      for (std::size_t w = 0, count = ways.size(); w < count; ++w) {
        ways.push_back(ways[w]);
        ways.back().rounds = *fewest_rounds(search.dims, ways[w], least_memory(search.dims, ways[w]));
      }
    }
    Draft best;
    for (const CosmaWay& w : ways)
      if (const Draft d = draft(w); !best || d->totals.max.peak_words < best->totals.max.peak_words) best = d;
    return best;
  }

  // Grids along one dimension of as many ranks as hold a matrix now: in one of them rows or columns may stay.
  void add_callers_grids(const CosmaSearch& search, std::vector<CosmaWay>& ways) const {
    for (const auto* layout : {&problem_.a, &problem_.b, &problem_.c}) {
      if (!*layout) continue;
      const Int q = (*layout)->grid.size();
      if (q < fewest_ranks(search.ranks, search.max_idle)) continue;
      for (Int CosmaWay::*parts : {&CosmaWay::pm, &CosmaWay::pn, &CosmaWay::pk}) {
        CosmaWay w;
        w.*parts = q;
        w.look_ahead = search.look_ahead;
        const auto same = [&](const CosmaWay& x) { return x.pm == w.pm && x.pn == w.pn && x.pk == w.pk; };
        if (std::any_of(ways.begin(), ways.end(), same)) continue;
        if (search.memory_words) {
          const auto rounds = fewest_rounds(search.dims, w, *search.memory_words);
          if (!rounds) continue;
          w.rounds = *rounds;
        }
        ways.push_back(w);
      }
    }
  }

  const Machine& machine_;
  const GemmProblem& problem_;
  const Options& options_;
  CosmaSearch search_;
};

}  // namespace

CosmaSearch search_of(const GemmProblem& p, const Options& o) {
  return {{p.m, p.n, p.k}, p.ranks, p.type, o.memory_words, o.max_idle, o.look_ahead.value_or(0)};
}

Plan plan_on(const Machine& machine, const GemmProblem& problem, const Options& options) {
  return Plan(Planner(machine, problem, options).run());
}

Plan plan(const GemmProblem& problem, const Options& options) {
  return plan_on(find_machine(options.machine), problem, options);
}

const GemmProblem& Plan::problem() const { return data_->problem; }
const Options& Plan::options() const { return data_->options; }
std::string Plan::algorithm() const { return data_->collective.algorithm; }
std::array<Int, 3> Plan::grid() const { return data_->grid; }
Int Plan::rounds() const { return data_->rounds; }
Count Plan::max_count() const { return data_->totals.max; }
double Plan::predicted_seconds() const { return data_->times.seconds; }
std::string Plan::explain() const { return cairn::explain(*data_); }
std::string Plan::json() const { return explain_json(*data_); }
std::string Plan::print() const { return cairn::print(data_->collective); }

Count Plan::count(Int rank) const {
  if (rank < 0 || rank >= data_->problem.ranks)
    throw ArgumentError(fmt::format("rank {}, expected one of 0..{}", rank, data_->problem.ranks - 1));
  return cairn::count(data_->collective, data_->wire, rank);
}

namespace {

// The caller's layout, or the plan's seen as the matrix is stored.
Layout stored(const Schedule& s, std::string_view name, const std::optional<Layout>& callers, Op op) {
  if (callers) return *callers;
  const Layout& plans = s.layout(s.find(name));
  return op == Op::none ? plans : plans.transposed();
}

}  // namespace

Layout Plan::layout_a() const { return stored(data_->wire, "A", data_->problem.a, data_->problem.op_a); }
Layout Plan::layout_b() const { return stored(data_->wire, "B", data_->problem.b, data_->problem.op_b); }
Layout Plan::layout_c() const { return stored(data_->wire, "C", data_->problem.c, Op::none); }

}  // namespace cairn
