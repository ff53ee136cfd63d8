// A sum of products of blocks that the threads of a rank compute together.
#pragma once
#include <vector>

#include "cairn/blocks.hpp"

namespace cairn {

/// Blocks of one rank: whole, or cut by block rows into a part for each thread.
template <class T>
class SumOfThreads {
 public:
  explicit SumOfThreads(Blocks<T> start) : whole_(std::move(start)) {}

  /// All blocks. What was cut is joined.
  Blocks<T>& whole();

  struct Part {
    BlockIndex from, to;  ///< block rows of the matrix
    Blocks<T> blocks;
  };
  /// So many parts, cut so that each has about as many products, if blocks of A have equally many, of each row in all
  /// columns or, of the upper triangle, in those from its number on. Where it is cut already, they stay as they are.
  std::vector<Part>& parts(const BlockPattern& A, bool upper, int count);

 private:
  Blocks<T> whole_;
  std::vector<Part> parts_;
};

}  // namespace cairn
