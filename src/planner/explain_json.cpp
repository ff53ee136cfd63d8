// The plan as JSON. Keys are documented in docs/plan_json.md and stable.
#include <nlohmann/json.hpp>

#include "planner/limits.hpp"
#include "planner/plan_data.hpp"
#include "planner/reason.hpp"

namespace cairn {

namespace {

using Json = nlohmann::ordered_json;

Json ratio(double x) { return std::isfinite(x) ? Json(x) : Json(); }

Json problem(const GemmProblem& g) {
  return {{"m", g.m},
          {"n", g.n},
          {"k", g.k},
          {"ranks", g.ranks},
          {"type", std::string(name_of(g.type))},
          {"op_a", std::string(name_of(g.op_a))},
          {"op_b", std::string(name_of(g.op_b))}};
}

Json memory(const Plan::Data& p) {
  const MemoryParts m = memory_parts(p);
  Json json{{"max", p.totals.max.peak_words}};
  json["parts"] = {{"own_a", m.own_a},     {"own_b", m.own_b},
                   {"own_c", m.own_c},     {"redistributed", m.copies},
                   {"panels", m.panels},   {"partial_sums", m.partial},
                   {"buffers", m.buffers}, {"shared", m.shared},
                   {"window", m.window},   {"gaps", m.gaps}};
  return json;
}

Json runner_up(const RunnerUp& r) {
  const bool compared = r.seconds > 0;
  return {{"algorithm", r.algorithm},
          {"seconds", compared ? Json(r.seconds) : Json()},
          {"received_words", compared ? Json(r.received) : Json()},
          {"messages", compared ? Json(r.messages) : Json()},
          {"exact", r.exact},
          {"why_not", r.why}};
}

Json limits_json() {
  const Limits& l = limits;
  return {{"compared_ranks", l.compared_ranks},
          {"counted_ranks", l.counted_ranks},
          {"placed_ranks", l.placed_ranks},
          {"compared_work", l.compared_work},
          {"compared_steps", l.compared_steps},
          {"made", l.made},
          {"clocked", l.clocked},
          {"clocked_on_many", l.clocked_on_many},
          {"clocked_named", l.clocked_named},
          {"few", l.few},
          {"clocked_by_words", l.clocked_by_words},
          {"priced", l.priced},
          {"searched_ranks", l.searched_ranks},
          {"grids", l.grids},
          {"grids_of_many", l.grids_of_many},
          {"grids_tried", l.grids_tried},
          {"clocked_grids", l.clocked_grids},
          {"climbed_grids", l.climbed_grids},
          {"cosma_steps", l.cosma_steps},
          {"worth", l.worth},
          {"near", l.near},
          {"finalists", l.finalists},
          {"grids_placed", l.grids_placed},
          {"words_counted", l.words_counted},
          {"most_grids_counted", l.most_grids_counted},
          {"grids_counted_on_many", l.grids_counted_on_many},
          {"dense_rounds", l.dense_rounds},
          {"dense_rounds_clocked", l.dense_rounds_clocked},
          {"all_rounds", l.all_rounds},
          {"as_good", l.as_good},
          {"chosen_ranks", l.chosen_ranks},
          {"clocked_collective_ranks", l.clocked_collective_ranks},
          {"segments", l.segments},
          {"hopeless", l.hopeless},
          {"relabelled_ranks", l.relabelled_ranks},
          {"relabelled_unit", l.relabelled_unit}};
}

}  // namespace

std::string explain_json(const Plan::Data& p) {
  const Totals& t = p.totals;
  const PlanBounds b = plan_bounds(p);
  Json json;
  json["problem"] = problem(p.problem);
  json["algorithm"] = p.collective.algorithm;
  json["grid"] = p.grid;
  json["idle_ranks"] = p.problem.ranks - p.collective.grid.size();
  json["relabelled"] = Json();
  if (!p.relabelling.labels.empty())
    json["relabelled"] = {{"ranks", p.relabelling.labels.ranks()}, {"saved_words", p.relabelling.saved_words}};
  json["rounds"] = p.rounds;
  json["look_ahead"] = p.look_ahead;
  json["transport"] = name_of(p.transport);
  json["other_transports"] = Json::array();
  for (const OtherTransport& o : p.other_transports)
    json["other_transports"].push_back({{"transport", name_of(o.transport)},
                                        {"algorithm", o.algorithm.empty() ? Json() : Json(o.algorithm)},
                                        {"seconds", o.algorithm.empty() ? Json() : Json(o.seconds)}});
  json["reason"] = reason(p);
  json["received_words"] = {{"mean", t.mean_received}, {"max", t.max.received}};
  json["wire_words"] = {{"mean", t.mean_wire_words}, {"max", t.max.wire_words}};
  if (const auto n = node_words(p))
    json["node_words"] = {{"mean", n->mean}, {"max", n->max}, {"ranks_per_node", ranks_per_node(p)}};
  json["messages"] = {{"mean", t.mean_messages}, {"max", t.max.messages}};
  json["bounds"] = {
      {"sequential", b.sequential}, {"theorem2", b.theorem2}, {"tight", b.tight}, {"memory_words", b.memory_words}};
  json["ratios"] = {{"sequential", ratio(b.sequential_ratio)},
                    {"theorem2", ratio(b.theorem2_ratio)},
                    {"tight", ratio(b.tight_ratio)}};
  json["flops"] = {{"mean", t.total_flops / static_cast<double>(p.problem.ranks)}, {"max", t.max.flops}};
  json["utilisation"] = utilisation(p);
  json["memory_words"] = p.options.memory_words ? Json(*p.options.memory_words) : Json();
  json["peak_words"] = memory(p);
  json["predicted_seconds"] = p.times.seconds;
  json["predicted"] = {{"computation", p.times.computation},
                       {"communication", p.times.communication},
                       {"exposed", p.times.exposed},
                       {"steps", p.times.steps},
                       {"rank", p.relabelling.labels.rank(p.times.rank)}};
  json["machine"] = p.machine.name;
  if (!p.options.kernels.empty() && !p.machine.gemm.kernels.empty()) json["kernels"] = p.machine.gemm.kernels;
  json["limits"] = limits_json();
  json["others"] = Json::array();
  for (const RunnerUp& r : p.others) json["others"].push_back(runner_up(r));
  return json.dump(2) + "\n";
}

}  // namespace cairn
