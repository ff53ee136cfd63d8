#include "planner/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "cairn/error.hpp"
#include "planner/plan_cosma.hpp"
#include "planner/reason.hpp"

namespace cairn {

namespace {

constexpr std::size_t most_clocked = 3;  // schedules of one algorithm that fit into the memory
constexpr std::size_t most_made = 12;    // schedules of one algorithm in all

[[noreturn]] void refuse_memory(Int limit, Int needed, std::string_view what) {
  throw MemoryError(
      fmt::format("memory: {} words a rank are too few for {}, expected at least {}", limit, what, needed));
}

double received(const Draft& d) { return static_cast<double>(d->totals.max.received); }

}  // namespace

Chooser::Chooser(const Drafts& drafts)
    : drafts_(drafts),
      problem_(drafts.problem()),
      options_(drafts.options()),
      sought_{{problem_.m, problem_.n, problem_.k},
              problem_.ranks,
              fewest_ranks(problem_.ranks, options_.max_idle),
              problem_.type,
              options_.memory_words,
              options_.look_ahead,
              drafts.machine()},
      tolerance_(prefers_words(options_) ? drafts.machine().precision : 0) {}

Draft Chooser::run() const {
  if (!leaves_cuts_open(options_.algorithm)) return as_asked();
  const std::string_view name = algorithm_name(options_.algorithm);
  std::vector<Entrant> entrants;
  if (name.empty() || name == "cosma") entrants.push_back(cosma());
  for (const Family& f : families())
    if (name.empty() || name == f.name) entrants.push_back(best_of(f, winner(entrants)));
  const Draft chosen = winner(entrants);
  if (!chosen) refuse(entrants);
  drafts_.count(*chosen);
  for (const Entrant& e : entrants)
    if (e.draft != chosen) chosen->others.push_back(runner_up(e, *chosen));
  std::stable_sort(chosen->others.begin(), chosen->others.end(),
                   [](const RunnerUp& a, const RunnerUp& b) { return a.seconds < b.seconds; });
  return chosen;
}

Draft Chooser::as_asked() const {
  const MadeAlgorithm made = make_algorithm(problem_, options_.algorithm);
  Draft best = drafts_.make(made, options_.look_ahead.value_or(0));
  if (!options_.look_ahead && made.rounds > 1) {
    const Draft overlapping = drafts_.make(made, 1);
    if (drafts_.over_limit(overlapping) <= 0 && drafts_.faster(overlapping, best)) best = overlapping;
  }
  drafts_.count(*best);
  if (drafts_.over_limit(best) > 0)
    refuse_memory(*options_.memory_words, best->totals.max.peak_words, options_.algorithm);
  return best;
}

Chooser::Entrant Chooser::cosma() const {
  const CosmaPlanner planner(drafts_);
  Entrant e;
  e.name = "cosma";
  if ((e.draft = planner.best())) return e;
  if (!options_.memory_words)
    throw ArgumentError(fmt::format("{} x {} x {} on {} ranks: a rank has more operations than a 64-bit integer counts",
                                    problem_.m, problem_.n, problem_.k, problem_.ranks));
  const Draft least = planner.least();
  if (drafts_.over_limit(least) <= 0)
    e.draft = least;
  else
    e.needs = least->totals.max.peak_words;
  return e;
}

Chooser::Entrant Chooser::best_of(const Family& family, const Draft& rival) const {
  Entrant e;
  e.name = family.name;
  std::vector<Candidate> candidates = family.candidates(sought_);
  sort(candidates);
  clock_first(family, candidates, rival, e);
  const bool none_fits = !e.draft && !candidates.empty() && (!rival || !e.candidate);
  if (none_fits) {
    const Draft smallest = least(family, candidates);
    if (drafts_.over_limit(smallest) <= 0)
      e.draft = smallest;
    else
      e.needs = smallest->totals.max.peak_words;
  }
  if (e.candidate) e.spelling = family.spell(*e.candidate);
  return e;
}

// Closed forms discard what cannot beat the rival; among the first others the clock decides.
void Chooser::clock_first(const Family& family, const std::vector<Candidate>& candidates, const Draft& rival,
                          Entrant& e) const {
  std::vector<Draft> drafts;
  std::size_t made = 0;
  for (const Candidate& c : candidates) {
    if (!fits(c) || drafts.size() == most_clocked || made == most_made) break;
    if (!e.candidate && rival && !can_win(c, rival)) e.candidate = c;
    if ((rival && !can_win(c, rival)) || (e.draft && !can_win(c, e.draft))) continue;
    const Draft d = drafts_.make(make_algorithm(problem_, family.spell(c)), c.look_ahead);
    ++made;
    if (drafts_.over_limit(d) > 0) continue;
    drafts.push_back(d);
    if (best(drafts) != d) continue;
    e.draft = d;
    e.candidate = c;
  }
}

// The smallest of those that may be.
Draft Chooser::least(const Family& family, std::vector<Candidate> candidates) const {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.memory < b.memory; });
  Draft best;
  std::size_t made = 0;
  for (const Candidate& c : candidates) {
    if (made++ == most_made || (best && c.memory >= static_cast<double>(best->totals.max.peak_words))) break;
    const Draft d = drafts_.make(make_algorithm(problem_, family.spell(c)), c.look_ahead);
    if (!best || d->totals.max.peak_words < best->totals.max.peak_words) best = d;
  }
  return best;
}

// Those that fit, the best first; then the others.
void Chooser::sort(std::vector<Candidate>& candidates) const {
  double fastest = std::numeric_limits<double>::infinity();
  for (const Candidate& c : candidates)
    if (fits(c)) fastest = std::min(fastest, c.seconds);
  const auto key = [&](const Candidate& c) {
    const bool words = tolerance_ > 0 && c.seconds <= (1 + tolerance_) * fastest;
    return std::tuple(!fits(c), tolerance_ > 0 && !words, words ? c.received : c.seconds,
                      words ? c.seconds : c.received, c.ranks);
  };
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
}

bool Chooser::fits(const Candidate& c) const {
  return !options_.memory_words || c.memory <= static_cast<double>(*options_.memory_words);
}

// As far as the closed forms tell.
bool Chooser::can_win(const Candidate& c, const Draft& rival) const {
  const auto mine = static_cast<float>(c.seconds), its = static_cast<float>(rival->times.seconds);
  const auto blur = static_cast<float>(1 + tolerance_);
  if (mine * blur < its) return true;
  if (mine > its * blur) return false;
  drafts_.count(*rival);
  return c.received < received(rival);
}

Draft Chooser::best(const std::vector<Draft>& drafts) const {
  Draft fastest;
  for (const Draft& d : drafts)
    if (!fastest || drafts_.faster(d, fastest)) fastest = d;
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

RunnerUp Chooser::runner_up(const Entrant& e, const Plan::Data& winner) const {
  RunnerUp r;
  r.algorithm = e.name;
  if (e.needs) {
    r.why = fmt::format("does not fit, needs {} words of memory", *e.needs);
  } else if (!e.draft && !e.candidate) {
    r.why = fmt::format("no grid of {} ranks or fewer fits", problem_.ranks);
  } else {
    r.exact = e.draft != nullptr;
    if (e.draft) drafts_.count(*e.draft);
    r.algorithm = e.draft ? e.draft->collective.algorithm : e.spelling;
    r.received = e.draft ? received(e.draft) : e.candidate->received;
    r.messages = e.draft ? static_cast<double>(e.draft->totals.max.messages) : e.candidate->messages;
    r.seconds = e.draft ? e.draft->times.seconds : e.candidate->seconds;
    r.why = why_not(r, winner);
  }
  return r;
}

void Chooser::refuse(const std::vector<Entrant>& entrants) const {
  const Entrant* least = nullptr;
  for (const Entrant& e : entrants)
    if (e.needs && (!least || *e.needs < *least->needs)) least = &e;
  if (!least)
    throw ArgumentError(fmt::format("{}: no grid of {} to {} ranks fits, expected other sizes or more idle ranks",
                                    options_.algorithm, sought_.fewest, problem_.ranks));
  refuse_memory(*options_.memory_words, *least->needs,
                entrants.size() == 1 ? fmt::format("any plan of {}", least->name) : "any plan");
}

}  // namespace cairn
