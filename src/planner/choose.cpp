#include "planner/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "planner/memory_of.hpp"
#include "planner/plan_cosma.hpp"
#include "planner/reason.hpp"
#include "planner/redistribution.hpp"

namespace cairn {

namespace {

constexpr Int most_compared_ranks = 4096;  // beyond, the others are planned only if they are named
constexpr double most_work = 3e4;          // steps of all ranks in a schedule that is clocked only to compare
constexpr double most_steps = 5e5;         // the same once collectives are expanded

// Schedules of one algorithm that are clocked; with layouts, whose redistribution is known before, fewer; where it is
// not, as closed forms know no words of it, more.
std::size_t most_clocked(const GemmProblem& p, const Family& family, bool by_words) {
  if (by_words && has_layouts(p) && p.ranks <= 64) return 4;
  return p.ranks <= (has_layouts(p) && !family.prices_layouts ? 16 : 64) ? 2 : 1;
}

// Steps of all ranks, about: a message of a tree is as many steps as the tree is high.
double work(const Candidate& c) {
  const auto ranks = static_cast<double>(c.ranks);
  return ranks * (1 + c.messages * std::log2(ranks + 1));
}

double received(const Draft& d) { return static_cast<double>(d->totals.max.received); }

}  // namespace

Chooser::Chooser(const Drafts& drafts)
    : drafts_(drafts),
      problem_(drafts.problem()),
      options_(drafts.options()),
      sought_{{problem_.m, problem_.n, problem_.k},
              problem_.ranks,
              fewest_ranks(problem_, options_),
              problem_.type,
              options_.memory_words,
              options_.look_ahead,
              drafts.machine(),
              &drafts.problem()},
      prunes_(preference(options_) == Prefer::words || transport_named(options_.transport) != Transport::node_shared ||
              problem_.ranks > most_sharing_ranks),
      by_words_(preference(options_) == Prefer::words),
      tolerance_(preference(options_) == Prefer::balanced ? drafts.machine().precision : 0) {}

Draft Chooser::run() const {
  if (!leaves_cuts_open(options_.algorithm)) return as_asked();
  const std::string_view name = algorithm_name(options_.algorithm);
  std::vector<Entrant> entrants;
  if (name.empty() || name == "cosma") entrants.push_back(cosma());
  const auto enter = [&](const Family& f) {
    if (name == f.name || (name.empty() && problem_.ranks <= most_compared_ranks))
      entrants.push_back(best_of(f, prunes_ ? winner(entrants) : nullptr));
  };
  for (const Family& f : families_on_callers_layouts())
    if (!f.candidates(sought_).empty()) enter(f);
  for (const Family& f : families()) enter(f);
  const Draft chosen = by_words_ ? winner(entrants) : rather_in_place(winner(entrants), entrants);
  if (!chosen) refuse(entrants);
  drafts_.count(*chosen);
  for (const Entrant& e : entrants)
    if (e.draft != chosen) chosen->others.push_back(runner_up(e, *chosen));
  std::stable_sort(chosen->others.begin(), chosen->others.end(), [this](const RunnerUp& a, const RunnerUp& b) {
    return std::pair(by_words_ ? a.received : 0, a.seconds) < std::pair(by_words_ ? b.received : 0, b.seconds);
  });
  return chosen;
}

Draft Chooser::as_asked() const {
  const MadeAlgorithm made = drafts_.algorithm(options_.algorithm);
  Draft best = drafts_.make(made, options_.look_ahead.value_or(0));
  if (!options_.look_ahead && made.rounds > 1) {
    const Draft overlapping = drafts_.make(made, 1);
    if (drafts_.over_limit(overlapping) <= 0 && drafts_.faster(overlapping, best)) best = overlapping;
  }
  drafts_.count(*best);
  if (drafts_.over_limit(best) > 0) refuse_memory(best->totals.max.peak_words, options_.algorithm);
  return best;
}

Chooser::Entrant Chooser::cosma() const {
  const CosmaPlanner planner(drafts_);
  Entrant e;
  e.name = "cosma";
  if ((e.draft = planner.best())) return with_halvings(e);
  if (!options_.memory_words)
    throw ArgumentError(fmt::format("{} x {} x {} on {} ranks: a rank has more operations than a 64-bit integer counts",
                                    problem_.m, problem_.n, problem_.k, problem_.ranks));
  if ((e.needs = planner.least_words())) return e;
  const Draft least = planner.least();
  if (drafts_.over_limit(least) <= 0) {
    drafts_.clock(*least);
    e.draft = least;
  } else {
    e.needs = least->totals.max.peak_words;
  }
  return e;
}

// The search takes one cut of each dimension; these are halvings in turn. Unless time alone is preferred, and where
// each rank counts, closed forms for even pieces do not decide.
Chooser::Entrant Chooser::with_halvings(Entrant e) const {
  constexpr Int most_counted_ranks = 64;
  std::vector<Draft> drafts{e.draft};
  if ((by_words_ || tolerance_ > 0) && problem_.ranks <= most_compared_ranks) {
    const auto few_steps = [&](const Candidate& c) {
      return problem_.ranks <= most_counted_ranks || c.numbers[1] == 0;
    };
    for (const Candidate& c : candidates_carma(sought_))
      if (fits(c) && few_steps(c)) drafts.push_back(drafts_.make(drafts_.algorithm(spell_halvings(c)), c.look_ahead));
  } else if (!options_.memory_words) {  // with rounds their schedules take long to clock
    if (const Entrant halved = best_of({"cosma", candidates_carma, spell_halvings}, e.draft); halved.draft)
      drafts.push_back(halved.draft);
  }
  if (drafts.size() == 1) return e;
  drafts_.count(*e.draft);
  std::erase_if(drafts, [&](const Draft& d) {
    drafts_.count(*d);
    return drafts_.over_limit(d) > 0 || received(d) > received(e.draft);
  });
  e.draft = best(drafts);
  return e;
}

Chooser::Entrant Chooser::best_of(const Family& family, const Draft& rival) const {
  Entrant e;
  e.name = family.name;
  e.prices_layouts = family.prices_layouts;
  const std::vector<Candidate> candidates = family.candidates(sought_);
  const bool priced = prices_layouts() && !family.prices_layouts;
  std::vector<Candidate> best = sorted(candidates, priced ? nullptr : rival);
  if (priced && !by_words_) price_layouts(family, best);
  clock_first(family, best, rival, e);
  if (!e.draft && !e.candidate && !candidates.empty()) {
    double least = candidates.front().memory;
    for (const Candidate& c : candidates) least = std::min(least, c.memory);
    e.needs = std::max(static_cast<Int>(std::ceil(least)), *options_.memory_words + 1);
    e.family = &family;
    if (!best.empty())  // as far as the closed forms tell
      if (const Least smallest = this->least(family); smallest.words <= *options_.memory_words) {
        const Draft d = made(family, smallest.candidate);
        if (drafts_.over_limit(d) <= 0) e.draft = d;
      }
  }
  if (e.candidate) e.spelling = family.spell(*e.candidate);
  return e;
}

// What redistribution costs is part of every schedule that is clocked; estimated first, it spares making most of them.
bool Chooser::prices_layouts() const {
  constexpr Int most_estimated_ranks = 4096;
  return has_layouts(problem_) && problem_.ranks <= most_estimated_ranks;
}

void Chooser::price_layouts(const Family& family, std::vector<Candidate>& candidates) const {
  constexpr std::size_t most_priced = 4;
  std::size_t priced = 0;
  while (priced < std::min(most_priced, candidates.size())) {
    Candidate& c = candidates[priced++];
    const Schedule s = drafts_.algorithm(family.spell(c)).schedule;
    c.seconds += redistribution_seconds(s, sought_.machine, problem_.type);
  }
  if (priced == 0) return;
  candidates.resize(priced);
  candidates = sorted(candidates, nullptr);
}

Draft Chooser::made(const Family& family, const Candidate& c) const {
  return drafts_.make(drafts_.algorithm(family.spell(c)), c.look_ahead);
}

// Closed forms discard what cannot beat the rival; among the first others the clock decides.
void Chooser::clock_first(const Family& family, const std::vector<Candidate>& candidates, const Draft& rival,
                          Entrant& e) const {
  std::vector<Draft> drafts;
  std::size_t tried = 0;
  for (const Candidate& c : candidates) {
    if (drafts.size() == most_clocked(problem_, family, by_words_) || tried == most_made) break;
    const bool long_way = work(c) > most_work && !(by_words_ && rival && c.received < received(rival));
    const bool hopeless = rival && (!can_win(c, rival) || long_way);
    if (!e.candidate && hopeless) e.candidate = c;
    if (hopeless || (e.draft && !can_win(c, e.draft))) continue;
    if (options_.memory_words && work(c) > most_work && memory_of(drafts_, sought_, family, c) > *options_.memory_words)
      continue;
    const Draft d = drafts_.unclocked(drafts_.algorithm(family.spell(c)), c.look_ahead);
    if (rival && real(d->wire.ranks) * real(static_cast<Int>(d->wire.steps.size())) > most_steps) {
      if (!e.candidate) e.candidate = c;
      continue;
    }
    ++tried;
    if (options_.memory_words && memory_of(drafts_, d) > *options_.memory_words) continue;
    drafts_.clock(*d);
    const bool slower = rival && d->times.seconds > (1 + tolerance_) * rival->times.seconds;
    if (options_.memory_words && (by_words_ || !slower)) {
      drafts_.count(*d);
      if (drafts_.over_limit(d) > 0) continue;
    }
    drafts.push_back(d);
    if (best(drafts) != d) continue;
    e.draft = d;
    e.candidate = c;
  }
}

// Those that fit and are not behind the rival, and the best even if it is; the best first.
std::vector<Candidate> Chooser::sorted(const std::vector<Candidate>& candidates, const Draft& rival) const {
  constexpr double none = std::numeric_limits<double>::infinity();
  double fastest = none;
  for (const Candidate& c : candidates)
    if (fits(c)) fastest = std::min(fastest, c.seconds);
  if (fastest == none) return {};
  using Key = std::tuple<bool, double, double, Int, std::size_t>;
  const auto key = [&](std::size_t i) {
    const Candidate& c = candidates[i];
    const bool words = by_words_ || (tolerance_ > 0 && c.seconds <= (1 + tolerance_) * fastest);
    return Key(tolerance_ > 0 && !words, words ? c.received : c.seconds, words ? c.seconds : c.received, c.ranks, i);
  };
  std::optional<Key> best;
  std::vector<Key> keys;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!fits(candidates[i])) continue;
    const Key k = key(i);
    if (!best || k < *best) best = k;
    if (!rival || !behind(candidates[i], rival)) keys.push_back(k);
  }
  std::sort(keys.begin(), keys.end());
  if (keys.empty() || keys.front() != *best) keys.insert(keys.begin(), *best);
  std::vector<Candidate> sorted;
  for (const Key& k : keys) sorted.push_back(candidates[std::get<std::size_t>(k)]);
  return sorted;
}

bool Chooser::fits(const Candidate& c) const {
  return !options_.memory_words || c.memory <= static_cast<double>(*options_.memory_words);
}

// In what decides, as far as the closed forms tell; these know nothing of redistributions.
bool Chooser::behind(const Candidate& c, const Draft& rival) const {
  if (by_words_) {
    drafts_.count(*rival);
    return c.received > received(rival);
  }
  return static_cast<float>(c.seconds) > static_cast<float>(rival->times.seconds) * static_cast<float>(1 + tolerance_);
}

bool Chooser::can_win(const Candidate& c, const Draft& rival) const {
  const auto mine = static_cast<float>(c.seconds), its = static_cast<float>(rival->times.seconds);
  if (behind(c, rival)) return false;
  if (by_words_ && c.received == received(rival)) return mine < its;
  if (!by_words_ && mine * static_cast<float>(1 + tolerance_) < its) return true;
  drafts_.count(*rival);
  return c.received < received(rival);
}

Draft Chooser::best(const std::vector<Draft>& drafts) const {
  Draft fastest;
  for (const Draft& d : drafts)
    if (!fastest || drafts_.better(d, fastest)) fastest = d;
  if (tolerance_ == 0) return fastest;
  Draft fewest = fastest;
  for (const Draft& d : drafts) {
    if (d->times.seconds > (1 + tolerance_) * fastest->times.seconds) continue;
    drafts_.count(*d);
    drafts_.count(*fewest);
    if (received(d) < received(fewest) || (received(d) == received(fewest) && drafts_.faster(d, fewest))) fewest = d;
  }
  return fewest;
}

Draft Chooser::winner(const std::vector<Entrant>& entrants) const {
  std::vector<Draft> drafts;
  for (const Entrant& e : entrants)
    if (e.draft) drafts.push_back(e.draft);
  return best(drafts);
}

// Among plans that take as long, as far as the machine's figures tell, one that stays where the caller's matrices lie,
// and of these the one that receives least: what redistribution costs is known least, then what is hidden.
Draft Chooser::rather_in_place(const Draft& fastest, const std::vector<Entrant>& entrants) const {
  Draft fewest;
  for (const Entrant& e : entrants) {
    if (!e.prices_layouts || !e.draft) continue;
    if (e.draft->times.seconds > (1 + sought_.machine.precision) * fastest->times.seconds) continue;
    drafts_.count(*e.draft);
    if (!fewest || received(e.draft) < received(fewest)) fewest = e.draft;
  }
  return fewest ? fewest : fastest;
}

// Of many ranks, counted only to be told, those at corners speak for all.
Count Chooser::loser_count(const Draft& d) const {
  const Int most_counted_ranks = has_layouts(problem_) ? 16 : 64;
  if (!d->counted && problem_.ranks > most_counted_ranks) {
    Count most;
    for (Int rank : corners(d->wire.grid)) {
      const Count c = count(d->collective, d->wire, rank, d->transport);
      most.received = std::max(most.received, c.received);
      most.messages = std::max(most.messages, c.messages);
    }
    return most;
  }
  drafts_.count(*d);
  return d->totals.max;
}

RunnerUp Chooser::runner_up(const Entrant& e, const Plan::Data& winner) const {
  RunnerUp r;
  r.algorithm = e.name;
  if (e.needs && !e.draft) {
    r.why = fmt::format("does not fit, needs {} words of memory or more", *e.needs);
  } else if (!e.draft && !e.candidate) {
    r.why = fmt::format("no grid of {} ranks or fewer fits", problem_.ranks);
  } else {
    r.exact = e.draft != nullptr;
    const Count most = e.draft ? loser_count(e.draft) : Count();
    r.algorithm = e.draft ? e.draft->collective.algorithm : e.spelling;
    r.received = e.draft ? static_cast<double>(most.received) : e.candidate->received;
    r.messages = e.draft ? static_cast<double>(most.messages) : e.candidate->messages;
    r.seconds = e.draft ? e.draft->times.seconds : e.candidate->seconds;
    r.why = why_not(r, winner);
    if (!e.draft && (by_words_ ? r.received < real(winner.totals.max.received) : r.seconds < winner.times.seconds))
      r.why = "not clocked, its steps are too many; plan it by its name";
  }
  return r;
}

}  // namespace cairn
