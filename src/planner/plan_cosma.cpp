#include "planner/plan_cosma.hpp"

#include <algorithm>
#include <utility>

#include "planner/limits.hpp"
#include "planner/memory_of.hpp"
#include "planner/redistribution.hpp"

namespace cairn {

namespace {

// The same where words decide: what a grid receives in its own layouts bounds what it does in the caller's, so that few
// of them are counted.
std::size_t compared_by_words(Int ranks) {
  if (ranks > limits.counted_ranks) return limits.grids_counted_on_many;
  return static_cast<std::size_t>(std::min(limits.words_counted / ranks, limits.most_grids_counted));
}

// In panels as thin as can be, and so many rounds that counting them takes long, a little more memory saves most
// rounds.
CosmaWay in_countable_rounds(const Dims& d, CosmaWay w) {
  if (real(w.ranks() * w.rounds) <= limits.least_work) return w;
  const double most = (1 + limits.least_slack) * real(cosma_memory(d, w));
  w.rounds = fewest_rounds(d, w, static_cast<Int>(most)).value_or(w.rounds);
  return w;
}

}  // namespace

MadeAlgorithm made(const Drafts& drafts, const CosmaWay& way) {
  return drafts.algorithm([&way](const GemmProblem& p) {
    return MadeAlgorithm{cosma(p, way.cuts()), way.grid(), way.rounds};
  });
}

CosmaPlanner::CosmaPlanner(const Drafts& drafts)
    : drafts_(drafts), problem_(drafts.problem()), search_(search_of(drafts.problem(), drafts.options())) {}

// Closed forms choose among all grids, and where time is preferred the clock among the best of these. Where the
// caller's layouts ask for redistributions, these are added for the best few, and for those that may need none.
Draft CosmaPlanner::best() const {
  CosmaSearch search = search_;
  int lowered = 0;
  const auto lower_limit = [&](Int words) {  // where little is left, word by word takes long
    const auto share = static_cast<Int>(limits.lowered * real(*search.memory_words));
    *search.memory_words -= lowered++ < limits.lowered_to_the_word ? words : std::max(words, share);
  };
  while (true) {
    const std::size_t wanted = search.prefers == Prefer::words ? compared_by_words(search.ranks) : limits.grids_placed;
    if (!compares_layouts(problem_) && search.prefers == Prefer::time && search.overlaps &&
        search.ranks <= limits.compared_ranks) {
      const Draft d = fastest_cosma(drafts_, search);
      if (d == nullptr || drafts_.over_limit(d) <= 0) return d;
      lower_limit(drafts_.over_limit(d));
      continue;
    }
    CosmaFound found = compares_layouts(problem_)
                           ? with_layouts(search, search_cosma(search, drafts_.machine(), wanted))
                           : find_cosma(search, drafts_.machine(), 2);
    if (found.best.empty()) return nullptr;
    const CosmaWay& way = found.best.front().way;
    const Draft d = drafts_.make(made(drafts_, way), way.look_ahead);
    d->found = std::move(found);
    if (drafts_.over_limit(d) <= 0) return d;
    lower_limit(drafts_.over_limit(d));  // by what redistributions and windows hold beside the multiplication
  }
}

// The rounds that suit what decides. Of which words the caller's ranks have already, rounds decide too, so that those
// for other ends are tried where words do.
std::vector<CosmaWay> CosmaPlanner::finished(const CosmaSearch& search, const CosmaWay& way) const {
  std::vector<CosmaWay> ways{finish_cosma(search, drafts_.machine(), way)};
  if (search.prefers != Prefer::words || search.ranks > limits.counted_ranks) return ways;
  CosmaSearch other = search;
  for (Prefer prefers : {Prefer::balanced, Prefer::time}) {
    other.prefers = prefers;
    const CosmaWay w = finish_cosma(other, drafts_.machine(), way);
    const auto same = [&](const CosmaWay& x) { return x.rounds == w.rounds && x.loop == w.loop; };
    if (std::ranges::none_of(ways, same)) ways.push_back(w);
  }
  return ways;
}

CosmaFound CosmaPlanner::with_layouts(const CosmaSearch& search, const CosmaFound& found) const {
  std::vector<CosmaWay> ways;
  for (const CosmaCandidate& c : found.best) ways.push_back(c.way);
  add_callers_grids(search, ways);
  const CosmaClock clock(search.dims, drafts_.machine(), problem_.type);
  const bool by_words = search.prefers == Prefer::words;
  const auto key = [by_words](const CosmaCandidate& x) { return std::pair(by_words ? x.received : 0, x.seconds); };
  CosmaFound best;
  const auto consider = [&](const CosmaWay& way) {
    const CosmaReceived received = cosma_received(search.dims, way);
    CosmaCandidate c{way, received.most(), 0};
    const bool none = best.best.empty();
    if (by_words && !none && c.received > best.best.front().received) return;
    const MadeAlgorithm m = made(drafts_, way);
    c.seconds = clock.seconds(way, received) + redistribution_seconds(m.schedule, drafts_.machine(), problem_.type);
    if (by_words) {
      const Draft d = drafts_.make(m, way.look_ahead);
      c.received = d->totals().max.received;
    }
    if (!none && key(c) >= key(best.best.front())) return;
    best.best = {c};
    best.fastest = c;
  };
  for (const CosmaWay& w : ways)
    for (const CosmaWay& way : finished(search, w)) consider(way);
  return best;
}

// In its own layouts, by messages, which nobody asked to be carried out in other ways; and as long as all arrays fit
// together without gaps: where rounds of m or n overlap, or k is cut twice, they may not.
std::optional<Int> CosmaPlanner::least_words() const {
  if (!as_closed_forms_know(drafts_) || !drafts_.options().collectives.empty()) return std::nullopt;
  const LeastMemory least = least_memory_cosma(search_);
  const bool overlap = least.way.rounds > 1 && least.way.loop != 'k' && least.way.look_ahead > 0;
  const bool gaps = overlap || least.way.pk2 > 1;
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
  if (more_than_closed_forms && problem_.ranks <= limits.counted_ranks) {
    for (const CosmaCandidate& c : search_cosma(search, drafts_.machine(), limits.grids_placed).best)
      ways.push_back(c.way);
    add_callers_grids(search, ways);
    for (std::size_t w = 0, count = ways.size(); w < count; ++w) {
      ways.push_back(ways[w]);
      ways.back().rounds = fewest_rounds(search.dims, ways[w], least_memory(search.dims, ways[w])).value_or(1);
    }
  }
  Draft best;
  for (const CosmaWay& w : ways) {
    const CosmaWay way = in_countable_rounds(search.dims, w);
    const Draft d = drafts_.make(made(drafts_, way), way.look_ahead);
    if (!best || d->totals().max.peak_words < best->totals().max.peak_words) best = d;
  }
  return best;
}

// Grids along one dimension of as many ranks as hold a matrix now: in one of them rows or columns may stay.
void CosmaPlanner::add_callers_grids(const CosmaSearch& search, std::vector<CosmaWay>& ways) const {
  for (const auto* layout : {&problem_.a, &problem_.b, &problem_.c}) {
    if (!*layout) continue;
    const Int q = (*layout)->grid.size();
    if (q < search.fewest) continue;
    for (Int CosmaWay::*parts : {&CosmaWay::pm, &CosmaWay::pn, &CosmaWay::pk}) {
      CosmaWay w;
      w.*parts = q;
      w.look_ahead = search.look_ahead;
      if (std::ranges::find(ways, w.grid(), &CosmaWay::grid) != ways.end()) continue;
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
