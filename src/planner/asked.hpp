// What was asked for when a plan was made, as its JSON keeps it: enough to make the plan again.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cairn/options.hpp"
#include "cairn/problem.hpp"

namespace cairn {

/// The options that a plan depends on; memory_words has a key of its own.
nlohmann::ordered_json asked_json(const Options& options);

/// A caller's layouts by the names of their matrices, as the head of a schedule; null if there are none.
using NamedLayouts = std::vector<std::pair<std::string, std::optional<Layout>>>;
nlohmann::ordered_json layouts_json(const NamedLayouts& layouts, Int ranks);

}  // namespace cairn
