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
/// Elements that both hold.
PairedBlock paired(const Array& to, const Array& from, const IndexSet& rows, const IndexSet& cols);
/// A message, from `at` on, as an array: it has no gaps.
Array in_message(Int at, const IndexSet& rows, const IndexSet& cols, Order order);
/// Elements of an array, and where they are in a message of nothing else.
PairedBlock unpacked(const Array& a, const IndexSet& rows, const IndexSet& cols);

}  // namespace cairn
