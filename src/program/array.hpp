// Where elements lie in memory: what every lowering of a schedule is made of.
#pragma once
#include "program/program.hpp"

namespace cairn {

/// A dense local array that holds some rows and columns.
struct Array {
  Slot storage;  ///< -1: `offset` is counted from the start of the arena
  Int offset;
  IndexSet rows, cols;
  Int ld;
  Order order;

  /// So many local rows and columns of it.
  LocalView view(Range rows, Range cols) const;
};

/// Some of its elements: as few dense blocks as they make, and line by line.
std::vector<LocalView> blocks(const Array& a, const IndexSet& rows, const IndexSet& cols);
Lines lines(const Array& a, const IndexSet& rows, const IndexSet& cols, Uplo shape = Uplo::full);
/// Elements that both arrays hold, in blocks of equal shape, in the order of `to`.
std::vector<LocalUpdate::Pair> pairs(const Array& to, const Array& from, const IndexSet& rows, const IndexSet& cols);
/// Elements of an array, and where they are in a message that holds them without gaps.
std::vector<LocalUpdate::Pair> unpacked(const Array& a, const IndexSet& rows, const IndexSet& cols);

}  // namespace cairn
