// The blocks that a rank stores, as a range.
#pragma once
#include <cstddef>
#include <iterator>
#include <type_traits>

#include "cairn/blocks.hpp"
#include "cairn/matrix.hpp"

namespace cairn {

/// A block that is stored, and its block row and column; T is const where the matrix is.
template <class T>
struct StoredBlock {
  BlockIndex row = 0, col = 0;
  MatrixView<T> values;
};

/// Goes from block to block, row by row. It makes what it points to: a StoredBlock, whose values are the matrix's own.
template <class T>
class BlockIterator {
 public:
  /// Blocks<T>, const where T is.
  using Of = std::conditional_t<std::is_const_v<T>, const Blocks<std::remove_const_t<T>>, Blocks<T>>;
  using iterator_concept = std::forward_iterator_tag;
  using iterator_category = std::input_iterator_tag;  // for algorithms older than C++20, which want true references
  using value_type = StoredBlock<T>;
  using reference = StoredBlock<T>;
  using pointer = void;
  using difference_type = std::ptrdiff_t;

  BlockIterator() = default;
  /// At the first block.
  explicit BlockIterator(Of& blocks) : blocks_(&blocks) { find_row(); }
  static BlockIterator end_of(Of& blocks) {
    BlockIterator end;
    end.blocks_ = &blocks, end.number_ = blocks.blocks();
    return end;
  }

  StoredBlock<T> operator*() const {
    const BlockIndex i = blocks_->rows[row_], j = blocks_->cols[static_cast<std::size_t>(number_)];
    T* const values = blocks_->values.data() + blocks_->at[static_cast<std::size_t>(number_)];
    return {i, j, {values, blocks_->height(i), blocks_->width(j), blocks_->height(i)}};
  }
  BlockIterator& operator++() {
    ++number_;
    find_row();
    return *this;
  }
  BlockIterator operator++(int) {
    const BlockIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const BlockIterator& other) const { return number_ == other.number_; }

 private:
  /// The row that holds the block; there may be rows without any.
  void find_row() {
    while (number_ < blocks_->blocks() && number_ >= blocks_->first[row_ + 1]) ++row_;
  }

  Of* blocks_ = nullptr;
  std::size_t row_ = 0;  ///< among those that hold a block
  Int number_ = 0;       ///< of the block
};

}  // namespace cairn
