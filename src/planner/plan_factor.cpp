#include "planner/plan_factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>

#include "algorithms/registry.hpp"
#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "model/transport.hpp"
#include "planner/best_first.hpp"
#include "planner/choose_collectives.hpp"
#include "planner/choose_for_all.hpp"
#include "planner/limits.hpp"
#include "planner/page.hpp"
#include "planner/plan_data.hpp"
#include "planner/problem_text.hpp"
#include "planner/promising.hpp"
#include "planner/within_limit.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

void require_size(std::string_view name, Int size) {
  constexpr Int most = Int{1} << 29U;  // the square is counted exactly
  if (size < 0 || size > most) throw ArgumentError(fmt::format("{} is {}, expected 0 to {}", name, size, most));
}

void require_layout(std::string_view name, const std::optional<Layout>& l, Int m, Int n, Int ranks) {
  if (l && (l->m() != m || l->n() != n))
    throw ArgumentError(fmt::format("layout of {}: {}x{}, expected {}x{}", name, l->m(), l->n(), m, n));
  cairn::require_layout(name, l, ranks);
  require_whole(name, l);
}

void require(const FactoriseProblem& p) {
  require_size("n", p.n);
  require_layout("A", p.a, p.n, p.n, p.ranks);
}

void require(const SolveProblem& p) {
  require_size("m", p.m);
  require_size("n", p.n);
  require_one_of("side", p.side, Side::right);
  require_one_of("op", p.op, Op::adjoint);
  require_one_of("diag", p.diag, Diag::unit);
  require_layout("A", p.a, p.order(), p.order(), p.ranks);
  require_layout("B", p.b, p.m, p.n, p.ranks);
}

// So many ranks at least share the work, though not evenly.
template <class P>
void require_countable(const P& p, double ranks) {
  constexpr double uneven = 2;
  if (uneven * flops(p) / ranks > real(std::numeric_limits<Int>::max()))
    throw ArgumentError(fmt::format("{}, on {}: a rank may have more operations than a 64-bit integer counts",
                                    formula(p), ranks_text(p.ranks)));
}

template <class P>
void require_all(const P& p, const Options& o) {
  if (p.ranks < 1 || p.ranks > limits.triangle_ranks)
    throw ArgumentError(fmt::format("ranks: {}, expected 1 to {}", p.ranks, limits.triangle_ranks));
  require_one_of("type", p.type, ScalarType::complex128);
  require_one_of("triangle", p.triangle, Uplo::upper);
  require(p);
  require_countable(p, real(p.ranks) / 2);
  if (p.triangle == Uplo::full) throw ArgumentError("triangle: full, expected lower or upper");
  require_options(o);
  if (!o.transport.empty() && transport_named(o.transport) == Transport::node_shared)
    throw ArgumentError(
        fmt::format("transport: {}, expected two-sided or one-sided, which carry triangles", o.transport));
}

std::optional<Layout> layout_of_b(const FactoriseProblem&) { return {}; }
std::optional<Layout> layout_of_b(const SolveProblem& p) { return p.b; }
// With two, a factorisation passes panels on amid updates, which may take longer. Panels of a triangle that is solved
// with are there from the start: the earlier they travel the better, as far as memory allows. [decision 56]
std::vector<int> look_aheads(const FactoriseProblem&) { return {1, 2, 0}; }
std::vector<int> look_aheads(const SolveProblem&) { return {4, 1, 0}; }
bool first_that_fits(const FactoriseProblem&) { return false; }
bool first_that_fits(const SolveProblem&) { return true; }
using Draft = std::shared_ptr<FactorPlan::Data>;

// Compares variants of all algorithms for one problem. Of those whose sketches promise most schedules are made and
// clocked; where that takes long, the sketches decide alone.
template <class P>
class Chooser {
 public:
  Chooser(const Machine& machine, const P& problem, const Options& options)
      : machine_(machine),
        problem_(problem),
        options_(options),
        ways_(machine_, problem.type, parse_collectives(options.collectives),
              {options.memory_words.has_value(), words_decide()}) {}

  Draft best() {
    if (has_arguments(options_.algorithm))
      consider(options_.algorithm);
    else
      compare();
    if (drafts_.empty()) refuse();
    const bool compared = drafts_.size() > 1;
    if (!words_decide()) replay_if_short();
    const Draft found = compared ? at_best_depth(winner()) : drafts_.front();
    if (!compared) tell_of_sketches(*found);
    if (words_decide()) replay_alone(*found);
    found->leaves_out_larger = leaves_out_larger_;
    return found;
  }

  // Rank 0 is counted first, which is soon done.
  bool fits(const Draft& d) {
    if (!options_.memory_words) return true;
    const Int words = peak_words(d->wire, Uses(d->wire), 0, d->transport);
    if (words <= *options_.memory_words && d->totals().max.peak_words <= *options_.memory_words) return true;
    too_large_.emplace(words, d);
    return false;
  }

  // Of one variant, with ways that were found before.
  Draft with(const FactorPlan::Data::Ways& ways) {
    ways_for_all_ = {options_.algorithm, first_depth(), ways};
    return make(options_.algorithm, *options_.look_ahead);
  }

 private:
  bool words_decide() const { return preference(options_) == Prefer::words; }
  double seconds(const Sketch& s) const { return promised_seconds(machine_, problem_, s); }

  // Those that promise most. If none fits into the memory, those that take least, until one does; where none does, the
  // first of them tell how much would do.
  void compare() {
    std::vector<Sketch> sketches = promising(machine_, problem_, options_, problem_.ranks);
    if (sketches.empty()) refuse_variants();
    for (const Sketch& s : sketches) {
      if (!may_fit(s)) continue;
      if (enough())
        only_sketched_.push_back(s);
      else
        consider(s);
    }
    if (words_decide())
      consider_widths();
    else
      consider_fewer_ranks(seconds(sketches.front()));
    if (!drafts_.empty()) return;
    if (!words_decide())
      on_fewer_ranks([&](const Sketch& best) {
        sketches.push_back(best);
        return true;
      });
    std::stable_sort(sketches.begin(), sketches.end(),
                     [](const Sketch& a, const Sketch& b) { return a.held < b.held; });
    work_ = 0;  // as much again, so that the error names little
    for (std::size_t i = 0; i < std::min(sketches.size(), 4 * limits.sketched) && drafts_.empty(); ++i)
      if (i == 0 || work_ <= limits.sketched_work || may_fit(sketches[i])) consider(sketches[i].spelling);
  }
  void consider(const Sketch& s) {
    const std::size_t before = drafts_.size();
    consider(s.spelling);
    if (before == 0 && !drafts_.empty()) first_ = s;
  }
  void consider_also(const Sketch& s) {
    const auto is_this = [&](const Draft& d) { return spelled(d) == s.spelling; };
    if (may_fit(s) && work_ <= limits.sketched_work && std::ranges::none_of(drafts_, is_this)) consider(s);
  }
  // All of the grid that receives the fewest words.
  void consider_widths() {
    if (drafts_.empty()) return;
    const auto grid_of = [](const std::string& spelling) { return spelling.substr(0, spelling.find(" b=")); };
    const std::string best =
        spelled(*std::ranges::min_element(drafts_, [this](const Draft& a, const Draft& b) { return better(*a, *b); }));
    for (const Sketch& s : variants(problem_, options_.algorithm))
      if (grid_of(s.spelling) == grid_of(best)) consider_also(s);
  }
  // Those of fewer ranks, if they promise as much, or all is short: small matrices take longest on many ranks. By words
  // one rank would be the best.
  void consider_fewer_ranks(double best) {
    if (work_ > limits.sketched_work) return;
    on_fewer_ranks([&](const Sketch& s) {
      if (work_ <= limits.compared_work || seconds(s) <= limits.as_promising * best) consider_also(s);
      return work_ <= limits.sketched_work;
    });
  }
  // Calls visit(sketch) for the best of three quarters of the ranks, of three quarters of these, and so on, as long as
  // it returns true.
  template <class Visit>
  void on_fewer_ranks(Visit visit) const {
    for (Int ranks = problem_.ranks; ranks > 1;) {
      ranks -= std::max<Int>(1, ranks / 4);
      const std::vector<Sketch> sketches = promising(machine_, problem_, options_, ranks);
      if (sketches.empty() || !visit(sketches.front())) return;
    }
  }
  static const std::string& spelled(const Draft& d) { return d->collective.algorithm; }
  // Where the sketches decided.
  void tell_of_sketches(FactorPlan::Data& plan) const {
    if (!first_) return;
    for (const Sketch& s : only_sketched_)
      if (plan.others.size() < told)
        plan.others.push_back(
            {.algorithm = s.spelling,
             .sketched = FactorPlan::Data::Other::Sketched{ratio(seconds(s), seconds(*first_)),
                                                           ratio(s.most_received(), first_->most_received()), s.held}});
  }
  // Words are counted sooner than plans are clocked; half of the work is left for other widths of the best plan's
  // blocks.
  bool enough() const {
    if (words_decide()) return looked_at_ >= limits.sketched_for_words || work_ > limits.sketched_work / 2;
    return (looked_at_ >= limits.sketched && work_ > limits.compared_work) || work_ > limits.sketched_work;
  }
  bool may_fit(const Sketch& s) {
    if (!options_.memory_words || s.held <= real(*options_.memory_words)) return true;
    leaves_out_larger_ = true;
    return false;
  }
  [[noreturn]] void refuse_variants() const {
    const std::vector<Sketch> all = variants(problem_, options_.algorithm);
    const Int fewest = fewest_ranks(problem_.ranks, options_);
    const auto overlapping =
        std::ranges::find_if(all, [&](const Sketch& s) { return s.overlapping && s.ranks() >= fewest; });
    if (!all.empty())
      throw ArgumentError(fmt::format(
          "max_idle: {}, but no variant of {} keeps {} of {} busy, expected a larger share{}", *options_.max_idle,
          !options_.algorithm.empty() ? fmt::format("'{}'", options_.algorithm)
          : overlapping == all.end()  ? "any algorithm"
                                      : "any algorithm that leaves each element on one rank",
          fewest, ranks_text(problem_.ranks),
          overlapping == all.end() ? "" : fmt::format(", or algorithm '{}'", algorithm_name(overlapping->spelling))));
    throw ArgumentError(
        fmt::format("algorithm: '{}' has no variant to compare for this problem on {}, expected its arguments, too, or "
                    "another algorithm",
                    options_.algorithm, ranks_text(problem_.ranks)));
  }
  [[noreturn]] void refuse() const {
    Int least = std::numeric_limits<Int>::max();
    bool exact = true;
    for (const auto& [words_of_rank_0, d] : too_large_) {
      if (words_of_rank_0 >= least) break;
      const bool whole = work(*d) <= limits.sketched_work;
      const Int words = most_words(*d, whole ? 1 : d->wire.grid.size() / 16 | 1);
      if (words < least) least = words, exact = whole;
    }
    throw MemoryError(fmt::format("memory: {}, too few for any plan that is compared, expected {} {}",
                                  words_text(*options_.memory_words), exact ? "at least" : "about", least));
  }
  // Of a long schedule some ranks are counted, of all rows and columns of the grid; all would take too long.
  static Int most_words(const FactorPlan::Data& d, Int every) {
    const Uses uses(d.wire);
    Int words = 0;
    const Int ranks = redistributes(d.wire) ? d.wire.ranks : d.wire.grid.size();  // others hold nothing
    for (Int rank = 0; rank < ranks; rank += every)
      words = std::max(words, peak_words(d.wire, uses, rank, d.transport));
    return words;
  }
  // With the best look-ahead. Nothing that needs too much memory.
  void consider(const std::string& spelling) {
    ++looked_at_;
    Draft found;
    for (int depth : options_.look_ahead ? std::vector<int>{*options_.look_ahead} : look_aheads(problem_)) {
      if (found && (first_that_fits(problem_) || words_decide() || work_ > limits.sketched_work)) break;
      const Draft d = make(spelling, depth);
      if (fits(d) && (!found || better(*d, *found))) found = d;
    }
    if (found)
      drafts_.push_back(options_.look_ahead ? in_fastest_ways(found) : found);
    else
      leaves_out_larger_ = true;
  }
  // A depth that is asked for may take less time in ways of its own.
  Draft in_fastest_ways(const Draft& found) {
    if (words_decide() || found->look_ahead == first_depth()) return found;
    const Draft own = make(found->collective.algorithm, found->look_ahead, found->look_ahead);
    const bool both_short = work(*found) + work(*own) <= limits.replayed_work;
    const auto seconds = [&](const Draft& d) { return (both_short ? d->by_replay() : d->by_clock()).seconds; };
    return own->ways != found->ways && fits(own) && seconds(own) < seconds(found) ? own : found;
  }
  // Words hardly depend on the depth, so that only the best plan by words looks for its own.
  Draft at_best_depth(Draft found) {
    if (!words_decide() || options_.look_ahead || first_that_fits(problem_) || work_ > limits.sketched_work)
      return found;
    for (int depth : look_aheads(problem_)) {
      const Draft d = depth == found->look_ahead ? found : make(found->collective.algorithm, depth);
      if (d != found && fits(d) && better(*d, *found)) d->others = std::move(found->others), found = d;
    }
    return found;
  }
  int first_depth() const { return look_aheads(problem_).front(); }
  Draft make(const std::string& spelling, int depth) { return make(spelling, depth, first_depth()); }
  // With look-ahead `depth`, in the ways that are fastest for all with look-ahead `ways_at`.
  Draft make(const std::string& spelling, int depth, int ways_at) {
    auto d = std::make_shared<FactorPlan::Data>();
    d->type = problem_.type, d->options = options_, d->machine = machine_;
    d->a = problem_.a, d->b = layout_of_b(problem_);
    d->look_ahead = depth, d->transport = transport_named(options_.transport);
    const auto made = [&](int at) { return ways_.choose(look_ahead(make_algorithm(problem_, spelling), at)); };
    d->collective = made(depth);
    if (ways_for_all_.spelling != spelling || ways_for_all_.depth != ways_at)
      ways_for_all_ = {spelling, ways_at, fastest_ways(depth == ways_at ? d->collective : made(ways_at))};
    d->ways = ways_for_all_.ways;
    for (const auto& [of, how] : d->ways) d->collective = all_by(of, how, std::move(d->collective));
    d->wire = expand_collectives(d->collective);
    work_ += work(*d);
    return d;
  }
  // Those of one algorithm are chosen once for all collectives of a kind.
  FactorPlan::Data::Ways fastest_ways(Schedule s) const {
    FactorPlan::Data::Ways ways;
    for (Collective of : {Collective::bcast, Collective::reduce})
      if (const auto how = ways_.open(of) ? fastest_for_all(of, machine_, problem_.type, s) : std::nullopt) {
        s = all_by(of, *how, std::move(s));
        ways.emplace(of, *how);
      }
    return ways;
  }
  static double work(const FactorPlan::Data& d) { return real(d.wire.steps.size()) * real(d.wire.grid.size()); }

  // The clock hopes for more from some schedules than from others. Where those of which it hopes for most are short
  // together, the replay tells them apart: all, or without the longest the clock's favourite and at least one more. Of
  // very short ones it hopes for too much; there the replay decides alone.
  void replay_if_short() {
    const bool all_short = drafts_.size() == 1 || work_ <= limits.compared_work;
    std::vector<Draft> finalists = all_short ? drafts_ : most_hopeful();
    const auto steps = [](const Draft& d) { return work(*d); };
    const auto too_long = [&] {
      double all = 0;
      for (const Draft& d : finalists) all += steps(d);
      return all > limits.replayed_work;
    };
    while (finalists.size() > 2 && too_long())
      finalists.erase(std::ranges::max_element(finalists.begin() + 1, finalists.end(), {}, steps));
    if (too_long()) return;
    std::ranges::copy_if(drafts_, std::back_inserter(clocked_),
                         [&](const Draft& d) { return std::ranges::find(finalists, d) == finalists.end(); });
    drafts_ = std::move(finalists);
    for (const Draft& d : drafts_) d->replays = true;
  }
  // What was chosen by its words takes as long as the replay says.
  static void replay_alone(FactorPlan::Data& d) {
    if (work(d) > limits.replayed_work) return;
    const double clocked = d.times().seconds;
    d.replays = true;
    for (auto& other : d.others)
      if (!other.sketched) other.seconds *= ratio(d.times().seconds, clocked), other.about = true;
  }
  static double hope(const Draft& d) { return d->by_clock().seconds; }
  std::vector<Draft> most_hopeful() const {
    std::vector<Draft> all = drafts_, some;
    std::ranges::stable_sort(all, {}, hope);
    for (const Draft& d : all) {
      const auto alike = std::ranges::count_if(some, [&](const Draft& other) {
        return algorithm_name(other->collective.algorithm) == algorithm_name(d->collective.algorithm) &&
               other->wire.grid == d->wire.grid;
      });
      if (hope(d) > limits.as_hopeful * hope(all.front()) || some.size() == limits.replayed_plans) break;
      if (alike < limits.replayed_alike) some.push_back(d);
    }
    return some;
  }

  double rank(const FactorPlan::Data& d) const {
    return words_decide() ? real(d.totals().max.wire_words) : d.times().seconds;
  }
  bool better(const FactorPlan::Data& a, const FactorPlan::Data& b) const {
    const auto x = static_cast<float>(rank(a)), y = static_cast<float>(rank(b));
    return x != y ? x < y : a.times().seconds < b.times().seconds;
  }
  Draft winner() {
    best_first(
        drafts_, preference(options_), machine_.precision,
        [&](const Draft& d) { return words_decide() ? static_cast<float>(rank(*d)) : real(d->totals().max.received); },
        [](const Draft& d) { return d->times().seconds; });
    Draft best = drafts_.front();
    const auto tell = [&](const Draft& d, double seconds, bool about) {
      if (d != best && best->others.size() < told)
        best->others.push_back({d->collective.algorithm, d->look_ahead, d->ways, seconds, about});
    };
    for (const Draft& d : drafts_) tell(d, d->times().seconds, false);
    std::ranges::stable_sort(clocked_, {}, hope);
    for (const Draft& d : clocked_) tell(d, hope(d) / hope(best) * best->times().seconds, true);
    if (preference(options_) == Prefer::time)
      std::ranges::stable_sort(best->others, {}, &FactorPlan::Data::Other::seconds);
    return best;
  }

  static constexpr std::size_t told = 5;  // of those that were not chosen
  const Machine& machine_;
  const P& problem_;
  const Options& options_;
  CollectiveChooser ways_;
  struct {
    std::string spelling;
    int depth = 0;
    FactorPlan::Data::Ways ways;
  } ways_for_all_;                     // of the algorithm that was looked at last
  std::vector<Draft> drafts_;          // of what fits
  std::vector<Draft> clocked_;         // those of them that are not replayed
  std::optional<Sketch> first_;        // of the first of them, if it was compared
  std::vector<Sketch> only_sketched_;  // those that may fit
  std::size_t looked_at_ = 0;
  double work_ = 0;                      // steps of ranks in the schedules that were made
  std::multimap<Int, Draft> too_large_;  // what does not fit, by what rank 0 needs
  bool leaves_out_larger_ = false;       // whether anything does not, or is not even made for that reason
};

template <class P>
FactorPlan planned(const Machine& machine, const P& problem, const Options& options) {
  require_arguments(problem, options);
  const auto best = [&](const Options& o) { return Chooser<P>(machine, problem, o).best(); };
  Chooser<P> limited(machine, problem, options);
  const bool spelled_out = has_arguments(options.algorithm);
  Draft chosen =
      spelled_out ? best(options) : within_limit(options, best, [&](const Draft& d) { return limited.fits(d); });
  require_countable(*chosen);
  return FactorPlan(std::move(chosen));
}

FactoriseProblem asked(const FactorPlan::Data& d, const Factorise& f) {
  return {f.n, f.triangle, d.wire.ranks, d.type, d.a};
}
SolveProblem asked(const FactorPlan::Data& d, const Solve& s) {
  return {s.m, s.n, s.side, s.triangle, s.op, s.diag, d.wire.ranks, d.type, d.a, d.b};
}

}  // namespace

void require_arguments(const FactoriseProblem& problem, const Options& options) { require_all(problem, options); }
void require_arguments(const SolveProblem& problem, const Options& options) { require_all(problem, options); }

FactorPlan plan_on(const Machine& m, const FactoriseProblem& p, const Options& o) { return planned(m, p, o); }
FactorPlan plan_on(const Machine& m, const SolveProblem& p, const Options& o) { return planned(m, p, o); }
FactorPlan plan(const FactoriseProblem& p, const Options& o) { return planned(machine_of(o), p, o); }
FactorPlan plan(const SolveProblem& p, const Options& o) { return planned(machine_of(o), p, o); }

AnyProblem problem_of(const FactorPlan::Data& d) {
  if (const Factorise* f = std::get_if<Factorise>(&d.collective.problem)) return asked(d, *f);
  return asked(d, std::get<Solve>(d.collective.problem));
}

FactorPlan made_again(const FactorPlan::Data& d, const FactorPlan::Data::Other& other) {
  Options o = d.options;
  o.algorithm = other.algorithm, o.look_ahead = other.look_ahead;
  const auto made = [&](const auto& problem) { return FactorPlan(Chooser(d.machine, problem, o).with(other.ways)); };
  const Factorise* f = std::get_if<Factorise>(&d.collective.problem);
  return f ? made(asked(d, *f)) : made(asked(d, std::get<Solve>(d.collective.problem)));
}

}  // namespace cairn
