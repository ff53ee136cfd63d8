// Where a block lies in the local array that holds it.
#pragma once
#include <vector>

#include "cairn/layout.hpp"

namespace cairn {

/// Consecutive local indices.
struct Run {
  Int start, length;
};
/// The local indices, within an array that stores `held`, of the elements `part`, in their order: as few runs as they
/// make.
std::vector<Run> runs(const IndexSet& held, const IndexSet& part);

/// Where two arrays that store `a` and `b` have the same consecutive elements.
struct Match {
  Int in_a, in_b, length;
};
/// Of the elements `part`, which both store: as few matches as they make.
std::vector<Match> matches(const IndexSet& a, const IndexSet& b, const IndexSet& part);

/// Whether the elements rows × cols follow one another without a gap in `rank`'s dense local array of a layout, in its
/// storage order. An empty block does.
bool contiguous(const Layout& stored, Int rank, const IndexSet& rows, const IndexSet& cols);

}  // namespace cairn
