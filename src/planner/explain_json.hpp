// What the JSON of every plan has, whatever is planned.
#pragma once
#include <nlohmann/json.hpp>

#include "planner/plan_data.hpp"

namespace cairn {

/// Words and messages of a rank.
void add_communication(nlohmann::ordered_json& json, const PlannedSchedule& plan);
/// Computation, memory, time, and what else was looked at.
void add_costs(nlohmann::ordered_json& json, const PlannedSchedule& plan, const Times& times,
               const std::vector<RunnerUp>& others);

/// Of these, what the fullest rank holds, with a key for copies of the caller's matrices; the predicted time; and what
/// else was looked at and how far.
nlohmann::ordered_json json_of(const MemoryParts& parts, const char* copies = "redistributed");
void add_times(nlohmann::ordered_json& json, const Times& times, const Machine& machine, const Options& options);
void add_others(nlohmann::ordered_json& json, const std::vector<RunnerUp>& others);

/// What was asked for, which is enough to make the plan again and to run it alike: the options, but for memory_words,
/// which has a key of its own.
nlohmann::ordered_json asked_json(const Options& options);
/// A caller's layouts by the names of their matrices, as the head of a schedule; null if there are none.
using NamedLayouts = std::vector<std::pair<std::string, std::optional<Layout>>>;
nlohmann::ordered_json layouts_json(const NamedLayouts& layouts, Int ranks);

template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}
/// null of what has no ratio
nlohmann::ordered_json json_ratio(double ratio);

}  // namespace cairn
