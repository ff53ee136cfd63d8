#include "interpret/cells.hpp"

#include <algorithm>

namespace cairn {

namespace {

constexpr Int most_exact_ranks = 4096;     // of schedules that classes describe nearly as well
constexpr Int most_cells = Int{1} << 22U;  // of schedules that they do not

}  // namespace

Cells::Cells(const Grid& grid, std::vector<AxisClasses> axes) : grid_(grid), axes_(std::move(axes)) {
  stride_.resize(axes_.size());
  std::size_t cells = 1;
  for (std::size_t a = axes_.size(); a-- > 0;) {
    stride_[a] = cells;
    cells *= axes_[a].representative.size();
  }
  if (!axes_.empty()) run_ = axes_.back().representative.size();
  rank_.reserve(cells);
  weight_.reserve(cells);
  for_each_class(grid, axes_, [&](Int rank, Int ranks) {
    rank_.push_back(rank);
    weight_.push_back(ranks);
  });
  exact_ = static_cast<Int>(cells) == grid.size();
}

std::vector<Cells::Strip> Cells::strips_of(Int q, Int by, Int origin, const Who& who) {
  std::vector<Strip> strips;
  for_each_interval(who, [&](Int lo, Int hi) {
    while (lo < hi) {
      const Int to = (lo + origin) % q, from = (to + by) % q, n = std::min({hi - lo, q - to, q - from});
      strips.push_back({static_cast<std::size_t>(to), static_cast<std::size_t>(from), static_cast<std::size_t>(n)});
      lo += n;
    }
  });
  return strips;
}

std::size_t Cells::with(std::size_t cell, int axis, Int coordinate) const {
  const auto a = static_cast<std::size_t>(axis);
  const auto& first = axes_[a].representative;
  coordinate = wrap(coordinate, grid_.extent(axis));
  const auto then =
      exact_ ? static_cast<std::size_t>(coordinate)
             : static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), coordinate) - first.begin()) - 1;
  return cell + then * stride_[a] - index(cell, axis) * stride_[a];
}

Cells cells_of(const Schedule& s, const Machine& machine) {
  const bool travels = std::any_of(s.steps.begin(), s.steps.end(), [&](const LabelledStep& l) {
    const Effect e = effect(l.step);
    const Move* m = as_move(e);
    return m && !m->stays() && (m->has_one_source() || !m->everybody_takes_part(s.grid));
  });
  const bool alike = machine.level_of(s.grid.size()) == 0;
  const bool each = travels ? s.grid.size() <= most_cells : !alike && s.grid.size() <= most_exact_ranks;
  return {s.grid, each ? each_coordinate(s.grid) : classes({&s})};
}

}  // namespace cairn
