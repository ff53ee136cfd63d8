#include "planner/asked.hpp"

#include "schedule/text.hpp"

namespace cairn {

using Json = nlohmann::ordered_json;

namespace {

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace

Json asked_json(const Options& o) {
  return {{"algorithm", o.algorithm},           {"prefer", o.prefer},       {"look_ahead", or_null(o.look_ahead)},
          {"max_idle", or_null(o.max_idle)},    {"transport", o.transport}, {"collectives", o.collectives},
          {"ranks_per_node", o.ranks_per_node}, {"machine", o.machine},     {"kernels", o.kernels}};
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

}  // namespace cairn
