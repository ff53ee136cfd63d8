// C += alpha·A·B of block-sparse matrices on one rank.
#pragma once
#include <vector>

#include "local/sparse/blocks_view.hpp"
#include "local/sparse/column_set.hpp"
#include "local/sparse/full_tiles.hpp"
#include "local/sparse/product_filter.hpp"
#include "local/sparse/small_products.hpp"

namespace cairn {

/// Keeps its memory from call to call.
template <class T>
class LocalProduct {
 public:
  /// Returns the flops done, 2·m·n·k for a product of blocks. C may have blocks already, to which is added; new ones
  /// are put at the end of its values, and those that it had stay where they are.
  Int multiply(T alpha, const BlocksView<T>& A, const BlocksView<T>& B, const ProductFilter& filter, Blocks<T>& C);

  /// Products of blocks that were done in all calls.
  Int products() const { return products_; }

 private:
  // A block row of A, while it is multiplied
  struct Row {
    BlockIndex height = 0;
    BlockIndex first_col = 0;  // of C that is computed
    Int next = 0, end = 0;     // its blocks that are not multiplied yet
    double limit = 0;
    std::vector<T> scaled;  // alpha times one of its blocks
    Marks added;            // columns of new blocks
  };
  // A block of A
  struct Factor {
    std::size_t row;  // which of rows_
    const T* values;
    double norm, limit;  // with alpha; of the row
    BlockIndex first_col, height;
    ProductsOfWidths<T>* products;
  };
  // A product that belongs to a block of C
  struct Pair {
    ProductsOfWidths<T>* products;
    const T *a, *b;
  };
  struct Collected {
    Pair pair;
    Int next;  // of the same block; nowhere: none
  };
  struct List {
    Int first, last;  // of collected_
  };
  struct Call {
    T alpha;
    const BlockPattern &A, &B;
    const T *values_a, *values_b;
    const ProductFilter& filter;
    Blocks<T>& C;
  };

  void prepare(const Call& call);
  void begin_rows(const Call& call, Int first, Int last);
  void multiply_rows(const Call& call);
  BlockIndex take_factors(const Call& call);
  void skip_done(Row& row) const;
  Factor factor(const Call& call, std::size_t row, Int block);
  template <bool filtered, bool upper, bool collects>
  void multiply_factors(const Call& call, Int row_of_b);
  void collect(BlockIndex col, const Pair& pair);
  void multiply_collected(const Call& call);
  // A block of C that is new is set, and its memory not read.
  [[gnu::always_inline]] void multiply_pair(const Call& call, std::size_t row, BlockIndex col, BlockIndex width,
                                            const Pair& pair, Int& place) {
    if (place >= 0) return (*pair.products)(width, pair.a, pair.b, call.C.values.data() + place, Update::accumulate);
    place = new_block(call, row, col, width);
    (*pair.products)(width, pair.a, pair.b, call.C.values.data() + place, Update::overwrite);
  }
  Int new_block(const Call& call, std::size_t row, BlockIndex col, BlockIndex width);
  void end_rows(const Call& call, Int first, Int last);
  void copy_rows(const Blocks<T>& C, BlockIndex before);
  void end_row(const Blocks<T>& C, std::size_t row, BlockIndex index);

  SmallProducts<T> small_;
  FullTiles<T> tiles_{small_};
  std::vector<bool> done_;     // by block of A: whether tiles have multiplied it; empty: none
  std::vector<Int> row_of_b_;  // by block row of the matrix; -1: B has none
  std::vector<Row> rows_;
  std::vector<Int> places_;  // by block column and row: where the block of C is in its values; -1: nowhere
  std::vector<Factor> factors_;
  bool collects_ = false;  // whether products of a row are collected by block of C first
  std::vector<Collected> collected_;
  std::vector<List> lists_;  // by block column, where it is listed
  Marks listed_;
  Blocks<T> index_;         // the new index of C, and afterwards its memory
  std::size_t copied_ = 0;  // block rows of the old index that are in the new one
  Int products_ = 0, flops_ = 0;
};

}  // namespace cairn
