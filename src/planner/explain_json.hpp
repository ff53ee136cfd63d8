// What the JSON of every plan has, whatever is planned.
#pragma once
#include <nlohmann/json.hpp>

#include "planner/plan_data.hpp"

namespace cairn {

/// Words and messages of a rank.
void add_communication(nlohmann::ordered_json& json, const Totals& totals, const std::optional<NodeWords>& from_nodes,
                       Int ranks_per_node);

/// Computation, memory, time, and what else was looked at.
struct CostFacts {
  const Totals& totals;
  Int ranks;
  MemoryParts memory;
  Times times;
  const Machine& machine;
  const Options& options;
  const std::vector<RunnerUp>& others;
};
void add_costs(nlohmann::ordered_json& json, const CostFacts& facts);

/// Of these, the predicted time, and what else was looked at and how far.
void add_times(nlohmann::ordered_json& json, const Times& times, const Machine& machine, const Options& options);
void add_others(nlohmann::ordered_json& json, const std::vector<RunnerUp>& others);

/// null of what has no ratio
nlohmann::ordered_json json_ratio(double ratio);

}  // namespace cairn
