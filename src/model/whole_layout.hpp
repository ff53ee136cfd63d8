// Whether a layout has each element once.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/layout.hpp"

namespace cairn {

/// What is wrong with a layout that is to have each element on one rank, or in copies along axes of its grid.
std::optional<std::string> unless_whole(std::string_view name, const Layout& layout);

/// What is wrong with one in which ranks may share elements: the first row in which one is on no rank.
std::optional<std::string> unless_covered(std::string_view name, const Layout& layout);

/// Whether two of these have an element in common.
bool any_meet(const std::vector<Patch>& patches);

}  // namespace cairn
