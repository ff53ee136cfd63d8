#include "planner/reason.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "algorithms/registry.hpp"
#include "base/arithmetic.hpp"
#include "planner/plan_cosma.hpp"

namespace cairn {

namespace {

std::string grid_text(const CosmaWay& w) { return fmt::format("{} x {} x {}", w.pm, w.pn, w.pk); }

// How another figure compares with this one, in words.
struct Comparison {
  std::string_view more, less, same, times;
  std::string operator()(double other, double mine) const {
    if (mine == 0 && other > 0) return std::string(more);
    const double change = 100 * (ratio(other, mine) - 1);
    if (std::abs(change) < 0.05) return std::string(same);
    if (change > 100) return fmt::format("{:.1f} times {}", ratio(other, mine), times);
    return fmt::format("{:.1f} % {}", std::abs(change), change > 0 ? more : less);
  }
};
constexpr Comparison in_words{"more words", "fewer words", "as many words", "the words"};
constexpr Comparison in_messages{"more messages", "fewer messages", "as many messages", "the messages"};
constexpr Comparison in_time{"longer", "less time", "as long", "as long"};

std::string versus(const CosmaCandidate& other, const CosmaCandidate& mine) {
  const bool from_nothing = mine.received == 0 && other.received > 0;
  return fmt::format("receive {} and take {}",
                     from_nothing ? fmt::format("{} words instead of none", other.received)
                                  : in_words(real(other.received), real(mine.received)),
                     in_time(other.seconds, mine.seconds));
}

bool by_words(const Plan::Data& p) { return preference(p.options) == Prefer::words; }

// Of a plan by COSMA: what other grids would cost.
std::string reason_of_grid(const Plan::Data& p) {
  const GemmProblem& g = p.problem;
  Options other = p.options;
  other.transport = name_of(p.transport);
  const auto best = [&]() -> std::vector<CosmaCandidate> {
    const Draft d = CosmaPlanner(Drafts(p.machine, g, other)).best();
    return d ? d->found.best : std::vector<CosmaCandidate>();
  };
  const Int used = p.collective.grid.size();
  const CosmaCandidate& mine = p.found.best.front();
  const CosmaCandidate& fastest = p.found.fastest;
  if (fastest.seconds < mine.seconds && (fastest.way.ranks() != used || fastest.received != mine.received))
    return fmt::format("words are preferred: the fastest, {}, would {}", grid_text(fastest.way), versus(fastest, mine));
  if (used < g.ranks) {
    other.max_idle = 0;
    const std::vector<CosmaCandidate> all = best();
    if (all.empty()) return fmt::format("no grid of all {} ranks fits into the memory", g.ranks);
    return fmt::format("the best grid of all {} ranks, {}, would {}", g.ranks, grid_text(all[0].way),
                       versus(all[0], mine));
  }
  if (other.memory_words) {
    other.memory_words.reset();
    const CosmaCandidate free = best().front();
    if (grid_text(free.way) != grid_text(mine.way) && (free.way.ranks() != used || free.received != mine.received))
      return fmt::format("the best that fits into the memory; {} would {}", grid_text(free.way), versus(free, mine));
  }
  if (p.found.best.size() < 2) return by_words(p) ? "no other grid fits" : "no other grid is as fast";
  return fmt::format("the next best, {}, would {}", grid_text(p.found.best[1].way), versus(p.found.best[1], mine));
}

}  // namespace

std::string reason(const Plan::Data& p) {
  const GemmProblem& g = p.problem;
  if (!leaves_cuts_open(p.options.algorithm)) return "it was asked for";
  if (g.ranks == 1) return "one rank has nothing to exchange";
  if ((g.a || g.b || g.c) && !by_words(p) && !p.others.empty() && p.others.front().exact &&
      p.others.front().seconds < p.times().seconds)
    return "it stays where the given layouts are, and is as fast as far as the machine's figures tell";
  if (g.a || g.b || g.c)
    return fmt::format("the {}, redistribution from and to the given layouts included",
                       by_words(p) ? "fewest words" : "least time");
  if (!p.found.best.empty()) return (by_words(p) ? "the fewest words; " : "") + reason_of_grid(p);
  if (p.others.empty() && !p.options.algorithm.empty()) return "the best of the algorithm that was asked for";
  if (p.others.empty() || !p.others.front().fits) return "no other plan fits into the memory";
  return fmt::format("the {}; {}: {}", by_words(p) ? "fewest words" : "fastest", p.others.front().algorithm,
                     p.others.front().why);
}

std::string why_by(const Plan::Data& p) {
  std::vector<std::string> others;
  for (const OtherTransport& o : p.other_transports)
    others.push_back(o.algorithm.empty() ? fmt::format("{} does not fit into the memory", name_of(o.transport))
                                         : fmt::format("{}, {}, would take {}", name_of(o.transport), o.algorithm,
                                                       in_time(o.seconds, p.times().seconds)));
  return others.empty() ? "" : fmt::format("; {}", fmt::join(others, "; "));
}

std::string why_not_sketched(double seconds, double received, bool by_words) {
  const std::string words = std::isfinite(received) ? in_words(received, 1) : "words instead of none";
  const std::string time = in_time(seconds, 1);
  return fmt::format("about {}, {}", by_words ? words : time, by_words ? time : words);
}

std::string why_not(const RunnerUp& other, const Totals& totals, double seconds, bool by_words) {
  const double words = real(totals.max.received), messages = real(totals.max.messages);
  const bool unknown = !other.exact && other.seconds < seconds;  // a bound tells nothing then
  std::string why;
  const auto say = [&why](const std::string& what) { why += (why.empty() ? "" : ", ") + what; };
  if (other.received > words)
    say(words == 0 ? fmt::format("{:.0f} words instead of none", other.received) : in_words(other.received, words));
  else if (other.received < words || by_words || unknown)
    say(in_words(other.received, words));
  if (other.messages > messages && messages > 0) say(in_messages(other.messages, messages));
  const std::string_view how = other.exact ? "" : other.about ? "about " : "at least ";
  if (!unknown)
    say(fmt::format("{}{}", how, in_time(other.seconds, seconds)));
  else if (other.received <= words)
    say("not clocked");
  return why;
}

}  // namespace cairn
