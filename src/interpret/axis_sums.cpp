#include "interpret/axis_sums.hpp"

namespace cairn {

double* AxisSums::of(const EvenStep& e) {
  std::vector<int> axes;
  for (const Layout::Where& w : e.where) axes.push_back(w.axis);
  axes.push_back(e.axis);
  auto at = std::find_if(tables_.begin(), tables_.end(), [&](const Table& t) { return t.axes == axes; });
  if (at == tables_.end()) {
    Int entries = 1;
    for (int a : axes) entries *= grid_.extent(a);
    at = tables_.insert(at, {axes, std::vector<double>(static_cast<std::size_t>(entries), 0)});
  }
  Int first = 0;
  for (const Layout::Where& w : e.where) first = first * grid_.extent(w.axis) + w.index;
  return at->seconds.data() + first * grid_.extent(e.axis);
}

std::vector<double> AxisSums::all() const {
  std::vector<double> sums(static_cast<std::size_t>(grid_.size()), 0);
  for (const Table& t : tables_)
    for (Int rank = 0; rank < grid_.size(); ++rank) {
      Int at = 0;
      for (int a : t.axes) at = at * grid_.extent(a) + grid_.index(rank, a);
      sums[static_cast<std::size_t>(rank)] += t.seconds[static_cast<std::size_t>(at)];
    }
  return sums;
}

}  // namespace cairn
