#include "cairn/grid.hpp"

#include <fmt/format.h>

#include "cairn/error.hpp"

namespace cairn {

Grid::Grid() : data_(std::make_shared<Data>()) {}

Grid::Grid(std::vector<Axis> axes) {
  auto data = std::make_shared<Data>();
  data->strides.resize(axes.size());
  for (std::size_t a = axes.size(); a-- > 0;) {
    if (axes[a].extent < 1)
      throw ArgumentError(fmt::format("grid axis {}: extent {}, expected at least 1", axes[a].name, axes[a].extent));
    const auto same = [&](const Axis& other) { return axes[a].name == other.name; };
    if (axes[a].name.empty() || std::any_of(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(a), same))
      throw ArgumentError(fmt::format("grid axis '{}': expected distinct, non-empty names", axes[a].name));
    data->strides[a] = data->size;
    if (__builtin_mul_overflow(data->size, axes[a].extent, &data->size))
      throw ArgumentError("grid: more ranks than a 64-bit integer counts");
  }
  data->axes = std::move(axes);
  data_ = std::move(data);
}

int Grid::axis(std::string_view name) const {
  for (int a = 0; a < axes(); ++a)
    if (this->name(a) == name) return a;
  throw ArgumentError(fmt::format("grid has no axis '{}'", name));
}

Grid Grid::placed(std::vector<Int> ranks) const {
  if (static_cast<Int>(ranks.size()) != size())
    throw ArgumentError(fmt::format("grid: {} ranks to be placed, expected {}", ranks.size(), size()));
  auto data = std::make_shared<Data>(*data_);
  data->places.clear();
  for (Int rank : ranks) data->places.push_back({rank, static_cast<Int>(data->places.size())});
  std::sort(data->places.begin(), data->places.end(), [](Place a, Place b) { return a.rank < b.rank; });
  const auto same = [](Place a, Place b) { return a.rank == b.rank; };
  if (data->places.front().rank < 0 ||
      std::adjacent_find(data->places.begin(), data->places.end(), same) != data->places.end())
    throw ArgumentError("grid: expected distinct ranks from 0 on to be placed");
  data->placed = std::move(ranks);
  Grid grid;
  grid.data_ = std::move(data);
  return grid;
}

Int Grid::position(Int rank) const {
  const std::vector<Place>& all = data_->places;
  const auto at = std::lower_bound(all.begin(), all.end(), rank, [](Place p, Int r) { return p.rank < r; });
  return at != all.end() && at->rank == rank ? at->position : -1;
}

Int Grid::with(Int rank, int axis, Int index) const {
  const Int step = (wrap(index, extent(axis)) - this->index(rank, axis)) * stride(axis);
  return placed() ? data_->placed[static_cast<std::size_t>(position(rank) + step)] : rank + step;
}

Int Affine::at(const Grid& grid, Int rank) const {
  Int value = constant;
  for (const Term& t : terms) value += t.factor * grid.index(rank, t.axis);
  return value;
}

Int Affine::factor(int axis) const {
  for (const Term& t : terms)
    if (t.axis == axis) return t.factor;
  return 0;
}

Affine Affine::moved(int axis, const Affine& by) const { return *this + factor(axis) * by; }

Affine operator+(Affine a, const Affine& b) {
  a.constant += b.constant;
  for (const Affine::Term& t : b.terms) {
    auto at = std::lower_bound(a.terms.begin(), a.terms.end(), t.axis,
                               [](const Affine::Term& x, int axis) { return x.axis < axis; });
    if (at != a.terms.end() && at->axis == t.axis)
      at->factor += t.factor;
    else
      a.terms.insert(at, t);
  }
  std::erase_if(a.terms, [](const Affine::Term& t) { return t.factor == 0; });
  return a;
}

Affine operator*(Int factor, Affine a) {
  if (factor == 0) return {};
  a.constant *= factor;
  for (Affine::Term& t : a.terms) t.factor *= factor;
  return a;
}

}  // namespace cairn
