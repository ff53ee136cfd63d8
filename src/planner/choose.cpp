#include "planner/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "planner/callers_memory.hpp"
#include "planner/candidate.hpp"
#include "planner/limits.hpp"
#include "planner/memory_of.hpp"
#include "planner/plan_cosma.hpp"
#include "planner/problem_text.hpp"
#include "planner/reason.hpp"
#include "planner/redistribution.hpp"

namespace cairn {

namespace {

// Schedules of one family that are clocked; with layouts, whose redistribution is known before, fewer; where it is
// not, as outlines know no words of it, more.
std::size_t most_clocked(const GemmProblem& p, const Family& family, Prefer prefer) {
  if (prefer == Prefer::words && has_layouts(p) && p.ranks <= limits.counted_ranks) return limits.clocked_by_words;
  const Int few = has_layouts(p) && family.stays == 0 ? limits.placed_ranks : limits.counted_ranks;
  if (p.ranks > few) return limits.clocked_on_many;
  return prefer == Prefer::balanced || p.ranks > limits.placed_ranks ? limits.clocked - 1 : limits.clocked;
}

// Steps of all ranks, about: a message of a tree is as many steps as the tree is high.
double work(const Outline& o) {
  const double ranks = real(o.ranks());
  return ranks * (1 + o.messages * std::log2(ranks + 1));
}

double received(const Draft& d) { return real(d->totals().max.received); }

// One planner choosing among all algorithms.
class Chooser {
 public:
  explicit Chooser(const Drafts& drafts)
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
        prunes_(preference(options_) == Prefer::words ||
                !shares_memory(transport_named(options_.transport), problem_.ranks)),
        by_words_(preference(options_) == Prefer::words),
        tolerance_(preference(options_) == Prefer::balanced ? drafts.machine().precision : 0) {}

  Draft run() const {
    if (!leaves_cuts_open(options_.algorithm)) return as_asked();
    const std::string_view name = algorithm_name(options_.algorithm);
    std::vector<Entrant> entrants;
    if (name.empty() || name == "cosma") entrants.push_back(cosma());
    const auto enter = [&](Family f) {
      entrants.push_back(best_of(std::move(f), prunes_ ? winner(entrants) : nullptr));
    };
    std::vector<Family> later;  // after all that leave a matrix in place
    for (const Algorithm& a : algorithms()) {
      const bool compared = name.empty() && a.compared && problem_.ranks <= limits.compared_ranks;
      if (a.name == "cosma" || (name != a.name && !compared)) continue;
      for (Family& f : families(a, sought_))
        if (f.stays == 0 && has_layouts(problem_))
          later.push_back(std::move(f));
        else
          enter(std::move(f));
    }
    for (Family& f : later) enter(std::move(f));
    if (!winner(entrants)) take_smallest_of(entrants);
    const Draft chosen = by_words_ ? winner(entrants) : rather_in_place(winner(entrants), entrants);
    for (const Entrant& e : entrants)
      if (e.draft != chosen) chosen->others.push_back(runner_up(e, *chosen));
    const auto key = [this](const RunnerUp& r) {  // what does not fit has no time, and comes last
      return std::tuple(!r.fits, by_words_ ? r.received : 0, r.seconds);
    };
    std::stable_sort(chosen->others.begin(), chosen->others.end(),
                     [&](const RunnerUp& a, const RunnerUp& b) { return key(a) < key(b); });
    return chosen;
  }

 private:
  // What takes the least memory.
  struct Least {
    Int words;
    Candidate candidate;
    Family family{};
  };

  // The best of one algorithm, as far as it is known.
  struct Entrant {
    std::string_view name;
    Draft draft;                         // null: it cannot win, or nothing fits
    std::optional<Candidate> candidate;  // of the draft, or else the one that the closed forms like best
    Outline outline{};                   // of that candidate
    std::string spelling{};
    Family family{};           // without its variants
    std::optional<Int> needs;  // if nothing fits: words of memory without which nothing does
    std::optional<Least> least{};
    bool too_long = false;  // whether the candidate has too many steps to be clocked beside a rival
  };

  Draft as_asked() const {
    const MadeAlgorithm made = drafts_.algorithm(options_.algorithm);
    const int furthest = algorithm_name(options_.algorithm) == "cosma" ? 2 : 1;  // as where it is compared
    Draft best = drafts_.make(made, options_.look_ahead.value_or(0));
    const auto better = [&](const Draft& d) {
      const Int over = drafts_.over_limit(d), least = drafts_.over_limit(best);
      return over <= 0 && least <= 0 ? drafts_.faster(d, best) : over < least;
    };
    for (int depth = 1; !options_.look_ahead && made.rounds > depth && depth <= furthest; ++depth) {
      const Draft further = drafts_.make(made, depth);
      if (!better(further)) break;
      best = further;
    }
    if (drafts_.over_limit(best) > 0) refuse_memory(best->totals().max.peak_words, options_.algorithm);
    return best;
  }

  Entrant cosma() const {
    const CosmaPlanner planner(drafts_);
    Entrant e;
    e.name = "cosma";
    e.draft = planner.best();
    if (e.draft) return with_halvings(e);
    if (!options_.memory_words) throw ArgumentError(too_large(problem_, "a rank has more operations"));
    e.needs = planner.least_words();
    if (e.needs && *e.needs > *options_.memory_words) return e;
    const Draft least = planner.least();  // may fit where all that the search has found do not, by a few words
    if (drafts_.over_limit(least) <= 0)
      e.draft = least, e.needs.reset();
    else
      e.needs = least->totals().max.peak_words;
    return e;
  }

  // The search takes one cut of each dimension; these are halvings in turn. Unless time alone is preferred, and where
  // each rank counts, outlines for even pieces do not decide.
  Entrant with_halvings(Entrant e) const {
    std::vector<Draft> drafts{e.draft};
    const auto halvings = [this] { return families(algorithm_named("cosma"), sought_).back(); };
    if ((by_words_ || tolerance_ > 0) && problem_.ranks <= limits.compared_ranks) {
      const Family family = halvings();
      for (const Candidate& c : family.candidates) {
        const Outline& o = family.outline(c);
        if (fits(o) && (problem_.ranks <= limits.counted_ranks || o.rounds == 1)) drafts.push_back(make(family, c));
      }
    } else if (!options_.memory_words) {  // with rounds their schedules take long to clock
      if (const Entrant halved = best_of(halvings(), e.draft); halved.draft) drafts.push_back(halved.draft);
    }
    if (drafts.size() == 1) return e;
    std::erase_if(drafts, [&](const Draft& d) { return drafts_.over_limit(d) > 0 || received(d) > received(e.draft); });
    e.draft = best(drafts);
    return e;
  }

  Entrant best_of(Family family, const Draft& rival) const {
    Entrant e;
    e.name = family.name();
    double least = std::numeric_limits<double>::infinity();
    for (const Outline& o : family.variants->outlines)
      if (o.stays == family.stays) least = std::min(least, o.memory);
    sort(family, compares_layouts(problem_) ? nullptr : rival);
    if (prices_layouts()) price_layouts(family);
    e.family = std::move(family);
    clock_first(rival, e);
    if (!e.draft && !e.candidate && std::isfinite(least)) {
      e.needs = std::max(static_cast<Int>(std::ceil(least)), *options_.memory_words + 1);
      if (!e.family.candidates.empty() || has_layouts(problem_)) {  // of which outlines know too little
        const Least& smallest = e.least.emplace(least_of(e.family));
        if (smallest.words < std::numeric_limits<Int>::max())
          e.needs = std::max(smallest.words, *options_.memory_words + 1);
        if (smallest.words <= *options_.memory_words) take_smallest(smallest, rival, e);
      }
    }
    if (e.candidate) e.outline = e.family.outline(*e.candidate), e.spelling = e.family.spell(*e.candidate);
    e.family.variants = nullptr;  // thousands on many ranks, which nothing asks for any more
    return e;
  }

  // In panels so thin there may be so many rounds that beside a rival they are told of, but not clocked.
  void take_smallest(const Least& smallest, const Draft& rival, Entrant& e) const {
    const Draft d = make(smallest.family, smallest.candidate);
    if (rival && steps_of_all(*d) > limits.compared_steps) {
      e.family = smallest.family, e.candidate = smallest.candidate, e.too_long = true;
      e.needs.reset();
      return;
    }
    if (drafts_.over_limit(d) <= 0) e.draft = d;
  }

  // What redistribution costs is part of every schedule that is clocked; estimated first, it spares making most of
  // them. What is not in place is redistributed alike in however many rounds.
  bool prices_layouts() const { return compares_layouts(problem_) && !by_words_; }
  void price_layouts(Family& family) const {
    const auto price = [&](const Candidate& c) {
      return redistribution_seconds(drafts_.algorithm(family.spell(c)).schedule, sought_.machine, problem_.type);
    };
    if (family.candidates.empty()) return;
    const double in_place = family.stays != 0 ? price(family.candidates.front()) : 0;
    if (family.candidates.size() > limits.priced && family.stays == 0) family.candidates.resize(limits.priced);
    for (Candidate& c : family.candidates) c.seconds += family.stays != 0 ? in_place : price(c);
    sort(family, nullptr);
  }

  Draft make(const Family& family, const Candidate& c) const {
    return drafts_.make(drafts_.algorithm(family.spell(c)), c.look_ahead);
  }
  static double steps_of_all(const Plan::Data& d) { return real(d.wire.ranks) * real(std::ssize(d.wire.steps)); }

  // Outlines discard what cannot beat the rival; among the first others the clock decides.
  void clock_first(const Draft& rival, Entrant& e) const {
    const Family& family = e.family;
    std::vector<Draft> drafts;
    const std::size_t most = family.variants->outlines.size() <= limits.few ? limits.few
                             : by_estimate() && !rival                      ? limits.clocked_named
                                                       : most_clocked(problem_, family, preference(options_));
    std::size_t tried = 0, too_large = 0;
    std::optional<Candidate> discarded;  // the first, by its bound
    for (const Candidate& c : family.candidates) {
      if (drafts.size() == most || tried == std::max(limits.made, most)) break;
      const Outline& o = family.outline(c);
      const bool long_way = work(o) > limits.compared_work && !(by_words_ && rival && o.received < received(rival));
      const bool beaten = rival && !can_win(family, c, rival), hopeless = rival && (beaten || long_way);
      if (!e.candidate && hopeless) e.candidate = c, e.too_long = !beaten;
      if (!discarded && beaten) discarded = c;
      if (hopeless || (e.draft && !can_win(family, c, e.draft))) continue;
      if (options_.memory_words && work(o) > limits.compared_work &&
          memory_of(drafts_, sought_, family, c) > *options_.memory_words)
        continue;
      const Draft d = make(family, c);
      if (rival && steps_of_all(*d) > limits.compared_steps) {
        if (!e.candidate) e.candidate = c, e.too_long = true;
        continue;
      }
      if (options_.memory_words && memory_of(drafts_, d) > *options_.memory_words) {
        if (++too_large == limits.few) break;
        continue;
      }
      ++tried;
      if ((by_words_ || !rival || !slower(*d, *rival)) && drafts_.over_limit(d) > 0) continue;
      drafts.push_back(d);
      if (best(drafts) != d) continue;
      e.draft = d;
      e.candidate = c;
    }
    if (e.draft && discarded && by_estimate() && slower(*e.draft, *rival) &&
        discarded->seconds < e.draft->times().seconds)
      e.draft = nullptr, e.candidate = discarded;  // what was clocked need not be the best of those that lose
  }
  bool slower(const Plan::Data& d, const Plan::Data& rival) const {
    return d.times().seconds > (1 + tolerance_) * rival.times().seconds;
  }

  // Where nothing but time decides, and outlines know all of it.
  bool by_estimate() const {
    return prunes_ && !by_words_ && tolerance_ == 0 && !has_layouts(problem_) && !options_.memory_words;
  }

  // Those that fit and are not behind the rival, and the best even if it is; the best first.
  void sort(Family& family, const Draft& rival) const {
    double fastest = std::numeric_limits<double>::infinity();
    std::erase_if(family.candidates, [&](const Candidate& c) { return !fits(family.outline(c)); });
    for (const Candidate& c : family.candidates) fastest = std::min(fastest, c.seconds);
    const Machine::Level& far = sought_.machine.levels.back();
    const auto estimate = [&](const Candidate& c) {  // as if nothing overlapped, and trees were as high as one message
      const Outline& o = family.outline(c);
      const double bytes = o.received * real(size_of(problem_.type));
      return c.seconds + bytes * far.seconds_per_byte + o.messages * far.latency_seconds;
    };
    const auto key = [&](const Candidate& c) {
      const Outline& o = family.outline(c);
      const bool words = by_words_ || (tolerance_ > 0 && c.seconds <= (1 + tolerance_) * fastest);
      const double seconds = by_estimate() ? estimate(c) : c.seconds;
      return std::tuple(tolerance_ > 0 && !words, words ? o.received : seconds, words ? seconds : o.received,
                        o.ranks());
    };
    const auto before = [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); };
    if (family.candidates.empty()) return;
    const Candidate best = *std::ranges::min_element(family.candidates, before);
    if (rival) std::erase_if(family.candidates, [&](const Candidate& c) { return behind(family, c, rival); });
    std::ranges::stable_sort(family.candidates, before);
    if (by_estimate() && !family.candidates.empty()) {  // and that first which promises most
      const auto most = std::ranges::min_element(family.candidates, {}, &Candidate::seconds);
      std::rotate(family.candidates.begin(), most, most + 1);
    }
    if (rival && behind(family, best, rival)) family.candidates.insert(family.candidates.begin(), best);
  }

  bool fits(const Outline& o) const { return !sought_.memory_words || o.memory <= real(*sought_.memory_words); }

  // In what decides, as far as the outlines tell; these know nothing of redistributions, and where the caller's blocks
  // are multiplied in place not even which words.
  bool behind(const Family& family, const Candidate& c, const Draft& rival) const {
    if (by_words_) return family.stays == 0 && family.outline(c).received > received(rival);
    return static_cast<float>(c.seconds) >
           static_cast<float>(rival->times().seconds) * static_cast<float>(1 + tolerance_);
  }

  bool can_win(const Family& family, const Candidate& c, const Draft& rival) const {
    const auto mine = static_cast<float>(c.seconds), its = static_cast<float>(rival->times().seconds);
    const double words = family.outline(c).received;
    if (behind(family, c, rival)) return false;
    if (by_words_ && family.stays != 0) return true;
    if (by_words_ && words == received(rival)) return mine < its;
    if (!by_words_ && mine * static_cast<float>(1 + tolerance_) < its) return true;
    return words < received(rival);
  }

  Draft best(const std::vector<Draft>& drafts) const {
    Draft fastest;
    for (const Draft& d : drafts)
      if (!fastest || drafts_.better(d, fastest)) fastest = d;
    if (tolerance_ == 0) return fastest;
    Draft fewest = fastest;
    for (const Draft& d : drafts) {
      if (d->times().seconds > (1 + tolerance_) * fastest->times().seconds) continue;
      if (received(d) < received(fewest) || (received(d) == received(fewest) && drafts_.faster(d, fewest))) fewest = d;
    }
    return fewest;
  }

  Draft winner(const std::vector<Entrant>& entrants) const {
    std::vector<Draft> drafts;
    for (const Entrant& e : entrants)
      if (e.draft) drafts.push_back(e.draft);
    return best(drafts);
  }

  // Among plans that take as long, as far as the machine's figures tell, one that stays where the caller's matrices
  // lie, and of these the one that receives least: what redistribution costs is known least, then what is hidden.
  Draft rather_in_place(const Draft& fastest, const std::vector<Entrant>& entrants) const {
    Draft fewest;
    for (const Entrant& e : entrants) {
      if (e.family.stays == 0 || !e.draft) continue;
      if (e.draft->times().seconds > (1 + sought_.machine.precision) * fastest->times().seconds) continue;
      if (!fewest || received(e.draft) < received(fewest)) fewest = e.draft;
    }
    return fewest ? fewest : fastest;
  }

  // Of many ranks, counted only to be told, those at corners speak for all.
  Count loser_count(const Draft& d) const {
    if (!d->counted() && problem_.ranks > (has_layouts(problem_) ? limits.placed_ranks : limits.counted_ranks)) {
      Count most;
      for (Int rank : corners(d->wire.grid)) {
        const Count c = count(d->collective, d->wire, rank, d->transport);
        most.received = std::max(most.received, c.received);
        most.messages = std::max(most.messages, c.messages);
        most.peak_words = std::max(most.peak_words, c.peak_words);
      }
      return most;
    }
    return d->totals().max;
  }

  RunnerUp runner_up(const Entrant& e, const Plan::Data& winner) const {
    RunnerUp r;
    r.algorithm = e.name, r.fits = e.draft || (!e.needs && e.candidate);
    if (e.needs && !e.draft) {
      r.why = *e.needs > *options_.memory_words + 1
                  ? fmt::format("does not fit, needs {} words of memory or more", *e.needs)
                  : "does not fit";
    } else if (!e.draft && !e.candidate) {
      r.why = fmt::format("no grid of {} ranks or fewer fits", problem_.ranks);
    } else {
      r.exact = e.draft != nullptr, r.about = !r.exact && prices_layouts();
      const Count most = e.draft ? loser_count(e.draft) : Count();
      r.algorithm = e.draft ? e.draft->collective.algorithm : e.spelling;
      r.received = e.draft ? real(most.received) : e.outline.received;
      r.messages = e.draft ? real(most.messages) : e.outline.messages;
      r.held = e.draft ? real(most.peak_words) : e.outline.memory;
      r.seconds = e.draft ? e.draft->times().seconds : e.candidate->seconds;
      r.why = why_not(r, winner.totals(), winner.times().seconds, by_words_);
      const bool promises =
          by_words_ ? r.received < real(winner.totals().max.received) : r.seconds < winner.times().seconds;
      if (!e.draft && e.too_long && promises) r.why = "not clocked, its steps are too many; plan it by its name";
    }
    return r;
  }

  // --- Where no plan fits into the memory: how much would do
  // The smallest of those that outlines and the caller's layouts say to be the smallest, in panels as thin as can be.
  // If so many rounds take long to count, of fewer of them, and of some in fewer rounds.
  Least least_of(const Family& family) const {
    const bool known = as_closed_forms_know(drafts_);
    const CallersMemory callers(problem_);
    const auto holds = [&](const Outline& o) { return o.memory + callers.beside(o.ranks()); };
    const auto takes_long = [](const Outline& o) { return rounds_of_all(o) > limits.least_work; };
    Family all = variants_for(0, family, holds);
    std::size_t most = limits.few;
    if (!all.candidates.empty())
      if (const Outline first = all.outline(all.candidates.front()); takes_long(first)) {
        const double slack = limits.least_slack * first.memory, enough = holds(first) + slack;
        most = limits.made;
        if (!known) {
          all = variants_for(first.memory + slack, family, rounds_of_all);
          std::erase_if(all.candidates, [&](const Candidate& c) { return holds(all.outline(c)) > enough; });
        }
      }
    Least least{std::numeric_limits<Int>::max(), {}};
    for (std::size_t i = 0; i < std::min(most, all.candidates.size()); ++i) {
      const Candidate& c = all.candidates[i];
      const Outline& o = all.outline(c);
      if ((known || (has_layouts(problem_) && takes_long(o))) && holds(o) >= real(least.words)) break;
      if (const Int words = memory_of(drafts_, sought_, all, c); words < least.words) least = {words, c, all};
    }
    return least;
  }

  static double rounds_of_all(const Outline& o) { return real(o.ranks()) * real(o.rounds); }

  // In panels for so many words, by a figure of their outlines, then by look-ahead.
  template <class By>
  Family variants_for(double words, const Family& family, By by) const {
    Sought sought = sought_;
    sought.memory_words = static_cast<Int>(words);
    Family all = family_for(family, sought);
    std::ranges::stable_sort(all.candidates, {},
                             [&](const Candidate& c) { return std::pair(by(all.outline(c)), c.look_ahead); });
    return all;
  }

  [[noreturn]] void refuse_memory(Int needed, std::string_view what) const {
    throw MemoryError(too_few_words(*options_.memory_words, what, needed));
  }

  // The smallest of each algorithm may fit although its outline does not: outlines know messages in an algorithm's own
  // layouts. If none does, an error says how much would do.
  void take_smallest_of(std::vector<Entrant>& entrants) const {
    std::optional<Int> words;
    for (Entrant& e : entrants) {
      if (!e.needs || (as_closed_forms_know(drafts_) && words && *e.needs >= *words)) continue;
      Int needed = *e.needs;
      if (e.family.algorithm) {
        const Least smallest = e.least ? *e.least : least_of(e.family);
        needed = smallest.words;
        if (needed <= *options_.memory_words) take_smallest(smallest, nullptr, e);
      }
      words = std::min(needed, words.value_or(needed));
    }
    if (winner(entrants)) return;
    if (!words)
      throw ArgumentError(fmt::format("{}: no grid of {} to {} ranks fits, expected other sizes or more idle ranks",
                                      options_.algorithm, sought_.fewest, problem_.ranks));
    refuse_memory(*words, entrants.size() == 1 ? fmt::format("any plan of {}", entrants.front().name) : "any plan");
  }

  const Drafts& drafts_;
  const GemmProblem& problem_;
  const Options& options_;
  Sought sought_;
  bool prunes_;       // by closed forms, which know messages: they tell nothing of ranks that share memory
  bool by_words_;     // words decide; only between equals the clock
  double tolerance_;  // a share by which predictions may differ and are taken for equal; 0: the clock alone decides
};

}  // namespace

Draft choose(const Drafts& drafts) { return Chooser(drafts).run(); }

}  // namespace cairn
