// Elements that become blocks: those of a file, or of rows that are not in blocks.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cairn/blocks.hpp"

namespace cairn {

/// An element on its way to the rank that keeps it.
template <class T>
struct Element {
  Int row, col;
  T value;
};

/// Which block an element belongs to.
class BlockBounds {
 public:
  explicit BlockBounds(const BlockSizes& sizes);

  struct Place {
    BlockIndex block;
    Int within;  ///< from the first element of the block
  };
  Place operator[](Int element) const;
  /// Elements before a block; after the last one, all.
  Int before(BlockIndex block) const { return before_[static_cast<std::size_t>(block)]; }
  Int all() const { return before_.back(); }

 private:
  std::vector<Int> before_;
};

/// Blocks of one rank that elements are added to, in any order; those of the same place are summed.
template <class T>
class GatheredBlocks {
 public:
  GatheredBlocks(const Blocks<T>& none, const BlockDistribution& where);

  /// The rank that keeps an element.
  Int owner(Int row, Int col) const { return where_.owner(rows_[row].block, cols_[col].block); }
  /// Whether an element is in a block (i, j) with i > j.
  bool below_diagonal(Int row, Int col) const { return rows_[row].block > cols_[col].block; }
  void add(const std::vector<Element<T>>& elements);
  /// The blocks, which are gone then.
  Blocks<T> take();

 private:
  const BlockDistribution& where_;
  BlockBounds rows_, cols_;
  Blocks<T> blocks_;
  std::unordered_map<std::uint64_t, Int> at_;  ///< by block row · 2^32 + block column: where its values begin
};

}  // namespace cairn
