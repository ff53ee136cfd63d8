// Cartesian grids of ranks with named axes, and integers that depend on a rank's coordinate.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

/// Named axes with extents, `{i:4, j:4, l:2}`; maps ranks to coordinates, the last axis fastest, unless other ranks are
/// placed on it. An immutable value, cheap to copy. A grid knows nothing of communicators.
class Grid {
 public:
  struct Axis {
    std::string name;
    Int extent = 1;
    bool operator==(const Axis&) const = default;
  };

  /// One rank, no axes.
  Grid();
  /// Throws ArgumentError if an extent is below 1 or a name is empty or used twice.
  explicit Grid(std::vector<Axis> axes);

  /// The same axes with rank ranks[position] at each position, positions counted as ranks are otherwise: any ranks in
  /// any order. Throws ArgumentError unless they are as many as the grid is large, distinct and not negative.
  Grid placed(std::vector<Int> ranks) const;

  Int size() const { return data_->size; }
  /// One more than the highest rank.
  Int ranks() const { return placed() ? data_->places.back().rank + 1 : size(); }
  bool placed() const { return !data_->placed.empty(); }
  /// Ranks by position, if placed.
  const std::vector<Int>& placement() const { return data_->placed; }
  bool has(Int rank) const { return placed() ? position(rank) >= 0 : rank < size(); }
  int axes() const { return static_cast<int>(data_->axes.size()); }
  const std::string& name(int axis) const { return data_->axes[static_cast<std::size_t>(axis)].name; }
  Int extent(int axis) const { return data_->axes[static_cast<std::size_t>(axis)].extent; }
  /// Distance in ranks between neighbours along an axis.
  Int stride(int axis) const { return data_->strides[static_cast<std::size_t>(axis)]; }
  /// Number of the axis called `name`; throws ArgumentError if there is none.
  int axis(std::string_view name) const;

  /// Coordinate of `rank` on `axis`.
  Int index(Int rank, int axis) const { return (placed() ? position(rank) : rank) / stride(axis) % extent(axis); }
  /// The rank whose coordinate on `axis` is `index` (taken modulo the extent), otherwise as `rank`.
  Int with(Int rank, int axis, Int index) const;

  bool operator==(const Grid& other) const {
    return data_ == other.data_ || (data_->axes == other.data_->axes && data_->placed == other.data_->placed);
  }

 private:
  /// -1 where the rank is not placed.
  Int position(Int rank) const;

  struct Place {
    Int rank, position;
  };
  struct Data {
    std::vector<Axis> axes;
    std::vector<Int> strides;
    Int size = 1;
    std::vector<Int> placed;    ///< by position; empty: each rank at its own
    std::vector<Place> places;  ///< the same by rank, ascending
  };
  std::shared_ptr<const Data> data_;
};

/// a mod n in [0, n).
inline Int wrap(Int a, Int n) {
  a %= n;
  return a < 0 ? a + n : a;
}

/// Σ factor·coordinate(axis) + constant: roots, skews and cyclic positions as data, not as code.
struct Affine {
  struct Term {
    int axis;
    Int factor;
    bool operator==(const Term&) const = default;
  };
  std::vector<Term> terms;  ///< sorted by axis, no factor 0
  Int constant = 0;

  Affine() = default;
  Affine(Int value) : constant(value) {}
  /// The coordinate along `axis`.
  static Affine along(int axis) {
    Affine a;
    a.terms.push_back({axis, 1});
    return a;
  }
  Int at(const Grid& grid, Int rank) const;
  Int factor(int axis) const;
  /// The same with the coordinate on `axis` replaced by itself plus `by`.
  Affine moved(int axis, const Affine& by) const;
  bool operator==(const Affine&) const = default;
};

Affine operator+(Affine a, const Affine& b);
Affine operator*(Int factor, Affine a);

}  // namespace cairn
