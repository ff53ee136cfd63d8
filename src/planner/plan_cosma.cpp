#include "planner/plan_cosma.hpp"

#include "planner/redistribution.hpp"

namespace cairn {

namespace {

constexpr Int most_compared_ranks = 4096;  // beyond, redistributions take too long to compare
constexpr Int most_tried_ranks = 64;       // beyond, schedules with redistributions take too long to count by the dozen
constexpr std::size_t compared = 6;        // grids of which redistributions are compared

}  // namespace

CosmaPlanner::CosmaPlanner(const Drafts& drafts)
    : drafts_(drafts), problem_(drafts.problem()), search_(search_of(drafts.problem(), drafts.options())) {}

MadeAlgorithm CosmaPlanner::made(const CosmaWay& way) const {
  return drafts_.algorithm([&way](const GemmProblem& p) {
    return MadeAlgorithm{cosma(p, way.cuts()), {way.pm, way.pn, way.pk}, way.rounds};
  });
}

Draft CosmaPlanner::draft(const CosmaWay& way) const { return drafts_.make(made(way), way.look_ahead); }

bool CosmaPlanner::compares_layouts() const { return has_layouts(problem_) && problem_.ranks <= most_compared_ranks; }

// Closed forms choose among all grids. Where the caller's layouts ask for redistributions, these are added for the
// best few, and for those that may need none.
Draft CosmaPlanner::best() const {
  CosmaSearch search = search_;
  while (true) {
    CosmaFound found = compares_layouts() ? with_layouts(search, search_cosma(search, drafts_.machine(), compared))
                                          : find_cosma(search, drafts_.machine(), 2);
    if (found.best.empty()) return nullptr;
    const Draft d = draft(found.best.front().way);
    d->found = std::move(found);
    if (drafts_.over_limit(d) <= 0) return d;
    *search.memory_words -= drafts_.over_limit(d);  // what redistributions and windows hold beside the multiplication
  }
}

CosmaFound CosmaPlanner::with_layouts(const CosmaSearch& search, const CosmaFound& found) const {
  std::vector<CosmaWay> ways;
  for (const CosmaCandidate& c : found.best) ways.push_back(c.way);
  add_callers_grids(search, ways);
  const CosmaClock clock(search.dims, drafts_.machine(), problem_.type);
  CosmaFound best;
  for (const CosmaWay& w : ways) {
    const CosmaWay way = finish_cosma(search, drafts_.machine(), w);
    const CosmaReceived received = cosma_received(search.dims, way);
    const double seconds =
        clock.seconds(way, received) + redistribution_seconds(made(way).schedule, drafts_.machine(), problem_.type);
    if (!best.best.empty() && seconds >= best.best.front().seconds) continue;
    best.best = {{way, received.most(), seconds}};
    best.fastest = best.best.front();
  }
  return best;
}

// In its own layouts, by messages; and as long as rounds of m or n do not overlap.
std::optional<Int> CosmaPlanner::least_words() const {
  if (has_layouts(problem_) || transport_named(drafts_.options().transport) != Transport::two_sided)
    return std::nullopt;
  const LeastMemory least = least_memory_cosma(search_);
  const bool gaps = least.way.rounds > 1 && least.way.loop != 'k' && least.way.look_ahead > 0;
  return gaps ? std::nullopt : std::optional(least.words);
}

// With redistributions, or a window, the plan that needs the least memory of those ways that would be chosen without a
// limit and of the way that would need the least without redistributions.
Draft CosmaPlanner::least() const {
  CosmaSearch search = search_;
  std::vector<CosmaWay> ways{least_memory_cosma(search_).way};
  search.memory_words.reset();
  const bool more_than_closed_forms =
      has_layouts(problem_) || drafts_.options().transport == name_of(Transport::one_sided);
  if (more_than_closed_forms && problem_.ranks <= most_tried_ranks) {
    for (const CosmaCandidate& c : search_cosma(search, drafts_.machine(), compared).best) ways.push_back(c.way);
    add_callers_grids(search, ways);
    for (std::size_t w = 0, count = ways.size(); w < count; ++w) {
      ways.push_back(ways[w]);
      ways.back().rounds = *fewest_rounds(search.dims, ways[w], least_memory(search.dims, ways[w]));
    }
  }
  Draft best;
  for (const CosmaWay& w : ways) {
    const Draft d = drafts_.unclocked(made(w), w.look_ahead);
    drafts_.count(*d);
    if (!best || d->totals.max.peak_words < best->totals.max.peak_words) best = d;
  }
  return best;
}

// Grids along one dimension of as many ranks as hold a matrix now: in one of them rows or columns may stay.
void CosmaPlanner::add_callers_grids(const CosmaSearch& search, std::vector<CosmaWay>& ways) const {
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

}  // namespace cairn
