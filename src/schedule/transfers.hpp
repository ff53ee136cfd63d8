// Who sends which elements to whom when a matrix changes its layout.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "base/arithmetic.hpp"
#include "cairn/layout.hpp"

namespace cairn {

/// Elements that one rank sends to another, or keeps: for every pair of patches that meet, their common rows and
/// columns, in the order of the destination. Sender and receiver derive the same list.
struct Transfer {
  struct Region {
    IndexSet rows, cols;
    std::size_t src_patch, dst_patch;  ///< numbers in patches() of sender and receiver
    Int words() const { return rows.size() * cols.size(); }
  };
  Int peer;
  std::vector<Region> regions;
  Int words() const;
};

/// What travels of a matrix: all of it, or a triangle in the shape of stairs. Its columns are then cut into strips, at
/// the same columns for all ranks, and of each the rows from its first column on travel (lower), or those up to its
/// last one (upper): the triangle itself up to order 64, and at most 1/64 of it besides for larger ones.
struct Stairs {
  static constexpr Int most = 64;  ///< strips: each is one more entry in what two ranks send each other
  Uplo shape = Uplo::full;
  Int order = 0;  ///< of the triangle
  Int width() const { return std::max<Int>(1, ceil_div(order, most)); }
  Int strips() const { return shape == Uplo::full ? 1 : std::max<Int>(1, ceil_div(order, width())); }
  /// Calls visit(rows, cols) for each strip of a triangle.
  template <class Visit>
  void for_each(Visit visit) const {
    for (Int lo = 0; lo < order; lo += width()) {
      const Int hi = std::min(lo + width(), order);
      visit(shape == Uplo::lower ? Range{lo, order} : Range{0, hi}, Range{lo, hi});
    }
  }
  /// Elements on the stairs, of so many rows and columns in each strip.
  Int words(std::span<const Int> rows, std::span<const Int> cols) const;
  bool operator==(const Stairs&) const = default;
};

/// Words that both hold.
Int in_common(const std::vector<Patch>& a, const std::vector<Patch>& b);
/// What `to` gets from `from`; empty where `to` holds it already or another copy of the source serves it.
Transfer transfer(const Layout& src, const Layout& dst, Int from, Int to, Stairs stairs = {});
/// What `rank` sends to others, and receives from them, by ascending peer; `ranks` take part.
std::vector<Transfer> outgoing(const Layout& src, const Layout& dst, Int rank, Int ranks, Stairs stairs = {});
std::vector<Transfer> incoming(const Layout& src, const Layout& dst, Int rank, Int ranks, Stairs stairs = {});

}  // namespace cairn
