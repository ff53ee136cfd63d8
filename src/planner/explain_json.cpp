// The plan as JSON. Keys are documented in docs/plan_json.md and stable.
#include "planner/explain_json.hpp"

#include <cmath>

#include "base/arithmetic.hpp"
#include "base/json_text.hpp"
#include "planner/limits.hpp"
#include "planner/problem_text.hpp"
#include "planner/reason.hpp"
#include "schedule/text.hpp"

namespace cairn {

using Json = nlohmann::ordered_json;

Json json_ratio(double x) { return std::isfinite(x) ? Json(x) : Json(); }

namespace {

Json runner_up(const RunnerUp& r) {
  return {{"algorithm", r.algorithm},
          {"seconds", r.fits ? Json(r.seconds) : Json()},
          {"received_words", r.fits ? Json(r.received) : Json()},
          {"messages", r.fits && !r.sketched ? Json(r.messages) : Json()},
          {"exact", r.exact},
          {"why_not", r.why}};
}

}  // namespace

Json asked_json(const Options& o) {
  return {{"algorithm", o.algorithm},           {"prefer", o.prefer},       {"look_ahead", or_null(o.look_ahead)},
          {"max_idle", or_null(o.max_idle)},    {"transport", o.transport}, {"collectives", o.collectives},
          {"ranks_per_node", o.ranks_per_node}, {"machine", o.machine},     {"kernels", o.kernels},
          {"verify_counts", o.verify_counts},   {"trace", o.trace}};
}

Json layouts_json(const NamedLayouts& layouts, Int ranks) {
  Schedule s;  // of no steps
  s.algorithm = "layouts";
  s.problem = Copy{};
  s.ranks = ranks;
  for (const auto& [name, layout] : layouts)
    if (layout) s.slots.push_back({name, *layout, SlotInfo::Role::operand});
  return s.slots.empty() ? Json() : Json(print(s, {.sources = false}));
}

void add_communication(Json& json, const PlannedSchedule& p) {
  const Totals& t = p.totals();
  json["received_words"] = {{"mean", t.mean_received}, {"max", t.max.received}};
  json["wire_words"] = {{"mean", t.mean_wire_words}, {"max", t.max.wire_words}};
  if (const auto n = node_words(p))
    json["node_words"] = {{"mean", n->mean}, {"max", n->max}, {"ranks_per_node", ranks_per_node(p)}};
  json["messages"] = {{"mean", t.mean_messages}, {"max", t.max.messages}};
}

void add_costs(Json& json, const PlannedSchedule& p, const Times& times, const std::vector<RunnerUp>& others) {
  const Totals& t = p.totals();
  json["flops"] = {{"mean", t.total_flops / real(p.wire.ranks)}, {"max", t.max.flops}};
  json["utilisation"] = utilisation(t, p.wire.ranks);
  json["memory_words"] = or_null(p.options.memory_words);
  json["peak_words"] = json_of(memory_parts(p));
  add_times(json, times, p.machine, p.options);
  add_others(json, others);
}

Json json_of(const MemoryParts& m, const char* copies) {
  Json json{{"max", m.peak()}};
  json["parts"] = {{"own_a", m.own_a},     {"own_b", m.own_b},   {"own_c", m.own_c},
                   {copies, m.copies},     {"panels", m.panels}, {"partial_sums", m.partial},
                   {"buffers", m.buffers}, {"shared", m.shared}, {"window", m.window},
                   {"gaps", m.gaps}};
  return json;
}

void add_times(Json& json, const Times& times, const Machine& machine, const Options& options) {
  json["predicted_seconds"] = times.seconds;
  json["predicted"] = {{"computation", times.computation},
                       {"communication", times.communication},
                       {"exposed", times.exposed},
                       {"steps", times.steps},
                       {"rank", times.rank}};
  json["machine"] = machine.name;
  json["asked"] = asked_json(options);
  if (!options.kernels.empty() && !machine.gemm.kernels.empty()) json["kernels"] = machine.gemm.kernels;
}

void add_others(Json& json, const std::vector<RunnerUp>& others) {
  json["limits"] = limits_json();
  json["others"] = Json::array();
  for (const RunnerUp& r : others) json["others"].push_back(runner_up(r));
}

std::string explain_json(const Plan::Data& p) {
  const PlanBounds b = plan_bounds(p);
  Json json;
  json["problem"] = json_of(p.problem);
  json["problem"]["op_a"] = name_of(p.problem.op_a);
  json["problem"]["op_b"] = name_of(p.problem.op_b);
  json["layouts"] = layouts_json({{"A", p.problem.a}, {"B", p.problem.b}, {"C", p.problem.c}}, p.problem.ranks);
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
  add_communication(json, p);
  json["bounds"] = {
      {"sequential", b.sequential}, {"theorem2", b.theorem2}, {"tight", b.tight}, {"memory_words", b.memory_words}};
  json["ratios"] = {{"sequential", json_ratio(b.sequential_ratio)},
                    {"theorem2", json_ratio(b.theorem2_ratio)},
                    {"tight", json_ratio(b.tight_ratio)}};
  Times times = p.times();
  times.rank = p.relabelling.labels.rank(times.rank);
  add_costs(json, p, times, p.others);
  return json_text(json);
}

}  // namespace cairn
