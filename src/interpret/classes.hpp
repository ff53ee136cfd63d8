// Coordinates that no step can tell apart. A schedule's sizes depend on a coordinate only through whether each even
// cut gave it the longer or the shorter piece, so a few classes an axis stand for a million ranks.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "schedule/effect.hpp"

namespace cairn {

/// Classes of the coordinates of one axis, in ascending order of their first coordinate.
struct AxisClasses {
  std::vector<Int> representative, multiplicity;
};

/// A cut acts on each interval that is left by those before it. How long the intervals are that it leaves, if that is
/// the same for all pieces; so is their number then.
std::optional<Int> same_length(const Cut& cut, Int length);

/// Exact: ranks whose coordinates are in the same class on every axis receive, send, compute and hold the same number
/// of words in every step. Where an axis enters in a way that is not separable (block-cyclic cuts, skews, other grids)
/// each of its coordinates is a class of its own.
std::vector<AxisClasses> classes(const std::vector<const Schedule*>& schedules);

/// Classes by what ranks hold alone: nothing is said of what they send and receive.
std::vector<AxisClasses> size_classes(const Schedule& schedule);

/// Every coordinate a class of its own.
std::vector<AxisClasses> each_coordinate(const Grid& grid);

/// Number of combinations of classes.
Int combinations(const std::vector<AxisClasses>& axes);

/// Calls visit(representative rank, number of ranks it stands for) for every combination.
void for_each_class(const Grid& grid, const std::vector<AxisClasses>& axes, const std::function<void(Int, Int)>& visit);

}  // namespace cairn
