// The page of a plan of a factorisation or a solve, and the same as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/registry.hpp"
#include "base/arithmetic.hpp"
#include "base/json_text.hpp"
#include "planner/explain_json.hpp"
#include "planner/page.hpp"
#include "planner/plan_factor.hpp"
#include "planner/problem_text.hpp"
#include "planner/reason.hpp"

namespace cairn {

namespace {

// Rows and columns of ranks, layers; or, if the ranks of a layer are in a line, these, and layers if there are several.
struct Extents {
  std::vector<Int> of;
  const char* what;
};
Extents grid_of(const FactorPlan::Data& d) {
  const Grid& g = d.collective.grid;
  const auto extent = [&g](const char* axis) { return g.extent(g.axis(axis)); };
  if (g.name(0) == "x" && g.axes() == 1) return {{g.size()}, "in a line"};
  if (g.name(0) == "x") return {{extent("x"), extent("l")}, "in a line x layers"};
  return {{extent("i"), extent("j"), g.axes() > 2 ? extent("l") : 1}, "rows x columns x layers"};
}

// Made once more, since a plan that runs has no need of them; or as sketched, where all these plans take too long.
std::vector<RunnerUp> others_of(const FactorPlan::Data& d) {
  std::vector<RunnerUp> all;
  // Where words decide, they are those that travel, which may be more than are received by definition.
  const bool by_words = preference(d.options) == Prefer::words;
  Totals mine = d.totals();
  if (by_words) mine.max.received = mine.max.wire_words;
  const auto too_large = [&d](double words) { return d.options.memory_words && words > real(*d.options.memory_words); };
  const auto leave_out = [&all](const std::string& algorithm) {  // compared without the limit
    all.push_back({.algorithm = algorithm, .why = "does not fit", .fits = false});
  };
  for (const FactorPlan::Data::Other& other : d.others) {
    if (other.sketched) {
      const auto [seconds, received, held] = *other.sketched;
      if (too_large(held)) {
        leave_out(other.algorithm);
        continue;
      }
      all.push_back({other.algorithm, seconds * d.times().seconds, received * real(d.totals().max.received), 0, false,
                     why_not_sketched(seconds, received, by_words), true});
      continue;
    }
    const FactorPlan plan = made_again(d, other);
    const Count& most = plan.data().totals().max;
    if (too_large(real(most.peak_words))) {
      leave_out(other.algorithm);
      continue;
    }
    const Int words = by_words ? most.wire_words : most.received;
    RunnerUp r{other.algorithm, other.seconds, real(words), real(most.messages), !other.about, ""};
    r.about = other.about;
    r.why = why_not(r, mine, d.times().seconds, by_words), r.received = real(most.received);
    all.push_back(std::move(r));
  }
  std::ranges::stable_partition(all, &RunnerUp::fits);
  return all;
}

std::string reason(const FactorPlan::Data& d, const std::vector<RunnerUp>& others) {
  const Prefer prefer = preference(d.options);
  if (has_arguments(d.options.algorithm)) return "it was asked for";
  if (d.wire.ranks == 1) return "one rank has nothing to exchange";
  std::string why = prefer == Prefer::time    ? "the fastest"
                    : prefer == Prefer::words ? "the fewest words on the wire"
                                              : "the fewest words of those that are as fast";
  if (d.a || d.b) why += ", redistribution from and to the given layouts included";
  if (others.empty() || !others.front().fits)
    return fmt::format("no other variant {}", d.leaves_out_larger || !others.empty() ? "fits into the memory"
                                              : d.options.max_idle                   ? "keeps as many ranks busy"
                                                                                     : "is compared for this problem");
  if (others.front().sketched)
    return fmt::format("{}, by its sketch; {}: {}", why, others.front().algorithm, others.front().why);
  return fmt::format("{}; {}: {}", why, others.front().algorithm, others.front().why);
}

// With the memory that the plan may use, or else does use.
struct Touched {
  double memory, bound, ratio;
};
Touched touched_of(const FactorPlan::Data& d) {
  const double memory = real(d.options.memory_words.value_or(d.totals().max.peak_words));
  const double bound = touched_bound(d.collective.problem, d.wire.ranks, memory);
  return {memory, bound, ratio(real(d.totals().most_touched), bound)};
}

}  // namespace

std::string FactorPlan::explain() const {
  const Data& d = *data_;
  const std::vector<RunnerUp> others = others_of(d);
  const double bound = received_bound();
  Page page(d.type);
  page.line(fmt::format("{}, {}, on {}\n", formula(problem_of(d)), name_of(d.type), ranks_text(d.wire.ranks)));
  page.item("algorithm", algorithm());
  page.grid(grid_of(d).of, grid_of(d).what, d.collective.grid.size(), d.wire.ranks);
  page.item("because", reason(d, others));
  page.item("transport", name_of(d.transport));
  if (d.a || d.b) page.item("given layouts", redistributed_text(d.collective));
  page.item("look-ahead", d.look_ahead == 0 ? "none: a panel is ready when all before it is done"
                                            : fmt::format("{}: the next panels are made ready, and travel{}, while "
                                                          "the rest is updated",
                                                          d.look_ahead, d.look_ahead > 1 ? " all the way" : ""));
  page.communication(d);
  const Touched touched = touched_of(d);
  page.title("lower bounds", "words", "plan / bound");
  page.row("received, any memory", grouped(std::ceil(bound)), ratio_text(ratio(real(d.totals().max.received), bound)));
  page.row("touched", grouped(std::ceil(touched.bound)), ratio_text(touched.ratio));
  page.line(fmt::format("  with {} words of memory, {}; touched: received, or own part", grouped(touched.memory),
                        d.options.memory_words ? "the limit" : "what the plan uses"));
  page.computation(d);
  page.memory(memory_parts(d), d.wire, d.options.memory_words);
  page.time(d.times(), d.machine, d.options,
            fmt::format("{}{}", how_timed(d.replays),
                        clocked_as_messages(d) ? ", as if two-sided messages carried the words" : ""));
  page.others("other grids and blocks", others);
  return std::move(page).text();
}

std::string FactorPlan::json() const {
  const Data& d = *data_;
  const std::vector<RunnerUp> others = others_of(d);
  nlohmann::ordered_json json;
  json["problem"] = json_of(problem_of(d));
  json["layouts"] = layouts_json({{"A", d.a}, {"B", d.b}}, d.wire.ranks);
  json["algorithm"] = algorithm();
  json["grid"] = grid_of(d).of;
  json["idle_ranks"] = d.wire.ranks - d.collective.grid.size();
  json["look_ahead"] = d.look_ahead;
  json["transport"] = name_of(d.transport);
  json["reason"] = reason(d, others);
  add_communication(json, d);
  const Touched touched = touched_of(d);
  json["bounds"] = {{"touched", touched.bound}, {"tight", received_bound()}, {"memory_words", touched.memory}};
  json["ratios"] = {{"touched", json_ratio(touched.ratio)},
                    {"tight", json_ratio(ratio(real(d.totals().max.received), received_bound()))}};
  add_costs(json, d, d.times(), others);
  json["replayed"] = d.replays;
  return json_text(json);
}

}  // namespace cairn
