// Block rows of A of any heights, packed and multiplied in strips of as many rows as the processor likes.
#pragma once
#include <span>
#include <vector>

#include "local/sparse/blocks_view.hpp"
#include "local/sparse/small_products.hpp"

namespace cairn {

/// Blocks that lie in one row of A.
struct BlocksOfRow {
  Int first, last;
  BlockIndex height;
};

/// Columns of C that lie one after another.
template <class T>
struct Stretch {
  Int left, width;  ///< of the product's columns
  T* values;        ///< by columns, as high as the row is
  bool unset;       ///< nothing has been added to them
};

/// Rows are packed once, and multiplied by one part of B after another. A strip that lies in one row is added to C
/// itself, others to a copy of C, so that an element's terms are summed up in the same order in both.
template <class T>
class RowStrips {
 public:
  explicit RowStrips(SmallProducts<T>& small, KernelRows kernel = kernel_rows<T>()) : small_(small), kernel_(kernel) {}

  /// Forgets all rows, and takes these blocks of A. Their columns are those of some slices, each so wide, and are
  /// multiplied slice by slice.
  void pack(const BlocksView<T>& A, std::span<const BlocksOfRow> rows, std::span<const BlockIndex> slices);

  /// C += rows · B in these stretches of each row. B has `width` columns; those of a slice's rows lie one after
  /// another, and so do slices.
  void multiply(const T* B, BlockIndex width, std::span<const std::vector<Stretch<T>>> stretches);

 private:
  struct Row {
    Int top;
    BlockIndex height;
  };
  struct Strip {
    Int top;
    BlockIndex height;        // with rows of zeros after the last one
    std::size_t first, last;  // rows
    Int at;                   // in packed_
    std::size_t products;     // in products_: the first slice's
  };
  // What a strip has of a row
  struct Share {
    Int in_strip, in_row, height;
  };

  void cut_into_strips();
  void cut(std::size_t first, std::size_t last, BlockIndex height, BlockIndex multiple);
  static Share share(const Strip& strip, const Row& row);
  bool in_one_row(const Strip& strip) const;
  void pack(const BlocksView<T>& A, const BlocksOfRow& blocks, const Strip& strip, const Share& share);
  void add_slices(const Strip& strip, const T* B, BlockIndex width, Int left, BlockIndex columns, T* C,
                  Update update) const;
  void add_product(const Strip& strip, const T* B, BlockIndex width, std::span<const Stretch<T>> stretches) const;
  void add_by_copy(const Strip& strip, const T* B, BlockIndex width,
                   std::span<const std::vector<Stretch<T>>> stretches);

  SmallProducts<T>& small_;
  KernelRows kernel_;
  std::vector<BlockIndex> slices_;
  std::vector<Row> rows_;
  std::vector<Strip> strips_;
  std::vector<ProductsOfWidths<T>*> products_;  // by strip and slice
  BlockValues<T> packed_, copy_;
};

}  // namespace cairn
