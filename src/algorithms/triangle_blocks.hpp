// Which rank holds which classes of rows: every two of some classes meet in a rank, most of them in one only.
#pragma once
#include <vector>

#include "cairn/types.hpp"

namespace cairn {

/// Ranks by the classes of rows and columns that they hold [aldaas-spaa23]. A rank holds the elements whose row and
/// column are of its classes.
struct TriangleBlocks {
  Int ranks = 0;
  std::vector<std::vector<Int>> holders;  ///< of each class, its ranks, in the order in which they take turns

  Int classes() const { return static_cast<Int>(holders.size()); }
  /// In the mean.
  double holders_of_a_class() const;
  /// The ranks that hold both classes, in the order in which they take turns.
  std::vector<Int> meeting(Int one, Int other) const;
  /// Of the ranks that hold both classes, the one whose turn it is in this round.
  Int turn(Int one, Int other, Int round) const;
  /// The holders of those classes of which it is this rank's turn, with class `with`; of the others, nobody.
  std::vector<std::vector<Int>> served_by(Int rank, Int with, Int round) const;
  /// Of each class, the ranks that hold class `with`, too, if they are several.
  std::vector<std::vector<Int>> sharing(Int with) const;
};

/// For q²+q+1 or q²+q ranks, q one of 1, 2, 3, 4, 5, 7, 8, 9, 11, 13 and 16, for 4 and for 50; otherwise without ranks.
///   q²+q+1: the lines and points of a projective plane, from a perfect difference set [singer-1938]
///   q²+q: the same without a line and its points, which is an affine plane
///   4: classes 0..4 in {0,1,2}, {0,3,4}, {1,3,4} and {2,3,4}
///   50: a Steiner system S(2, 4, 25)
TriangleBlocks triangle_blocks(Int ranks);
/// The most ranks, at most so many, for which there are such blocks: at least 3. Throws nothing.
Int most_in_triangle_blocks(Int ranks);

}  // namespace cairn
