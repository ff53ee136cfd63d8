#include "program/products.hpp"

#include <functional>
#include <limits>

namespace cairn {

// From counted_parts, whose squares are the steps of stairs. Of each flight of steps, what is beside them is halved as
// often as need be, and what is below them is one part.
std::vector<CountedPart> counted_products(Uplo shape, const IndexSet& rows, const IndexSet& cols, Int together) {
  if (shape == Uplo::full) return {{rows, cols, false}};
  const bool lower = shape == Uplo::lower;
  const IndexSet &across = lower ? cols : rows, &down = lower ? rows : cols;
  std::vector<Range> steps;
  for (const CountedPart& p : counted_parts(shape, rows, cols)) {
    const Range near = (lower ? p.cols : p.rows).pieces().front();
    if (steps.empty() || !(steps.back() == near)) steps.push_back(near);
  }
  std::vector<CountedPart> parts;
  const auto add = [&](std::size_t first, std::size_t end, Range below, bool on_diagonal) {
    const IndexSet far = down.intersect(below), near = across.intersect(Range{steps[first].lo, steps[end - 1].hi});
    if (!far.empty())
      parts.push_back(lower ? CountedPart{far, near, on_diagonal} : CountedPart{near, far, on_diagonal});
  };
  const std::function<void(std::size_t, std::size_t)> flight = [&](std::size_t first, std::size_t end) {
    if (end - first == 1) return add(first, end, steps[first], true);
    const std::size_t half = first + (end - first) / 2;
    flight(first, half);
    add(first, half, {steps[half - 1].hi, steps[end - 1].hi}, false);
    flight(half, end);
  };
  for (std::size_t first = 0, end = 0; first < steps.size(); first = end) {
    Int width = steps[end++].size();
    while (end < steps.size() && width + steps[end].size() <= together) width += steps[end++].size();
    flight(first, end);
    add(first, end, {steps[end - 1].hi, std::numeric_limits<Int>::max()}, false);
  }
  return parts;
}

}  // namespace cairn
