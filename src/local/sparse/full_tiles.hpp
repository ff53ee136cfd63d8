// Where block-sparse matrices are locally dense, many blocks are multiplied as one.
#pragma once
#include <numeric>
#include <vector>

#include "local/sparse/blocks_view.hpp"
#include "local/sparse/column_set.hpp"
#include "local/sparse/product_filter.hpp"
#include "local/sparse/row_strips.hpp"

namespace cairn {

struct ProductWork {
  Int products = 0;  ///< of blocks
  Int flops = 0;
};

/// Products of tiles of B, block rows that follow each other and have the same columns. A tile is packed once for all
/// rows of A that have a block for each of its rows, and these are packed in strips, whatever the heights of blocks. So
/// what is loaded of C is used for hundreds of columns of A instead of those of one block. As in a product of dense
/// matrices, some rows of A stay in the cache while columns of the tile go by. Tiles that follow each other and meet
/// the same rows of A are slices of one. No block is multiplied that is not there, and no product that a filter leaves
/// out.
template <class T>
class FullTiles {
 public:
  explicit FullTiles(SmallProducts<T>& small) : strips_(small) {}

  /// Does the part of C += alpha·A·B that is in such tiles. `done`, by block of A, says which blocks need not be
  /// multiplied any more; it is empty if there are no tiles. New blocks are put at the end of C's values.
  ProductWork multiply(T alpha, const BlocksView<T>& A, const BlocksView<T>& B, const ProductFilter& filter,
                       Blocks<T>& C, std::vector<bool>& done);

 private:
  // Blocks of A that meet a tile
  struct Run {
    std::size_t row;  // of A's that hold a block
    Int block;        // the first
  };
  // Where a run's next products begin: a block of the tile's first row, and one of C's
  struct Place {
    Int next, in_c;
  };
  // Columns of a packed tile that are multiplied at once: some blocks of its first row
  struct Part {
    Int first, last;
    BlockIndex width;
    const T* packed;
  };
  struct Tile {
    Int first, last;    // rows of B that hold a block
    double least_norm;  // of its blocks
    std::vector<Run> runs;
    std::vector<BlockIndex> slices;  // their heights
    Int height() const { return std::accumulate(slices.begin(), slices.end(), Int{0}); }
  };
  struct Call {
    T alpha;
    const BlocksView<T>&A, &B;
    const ProductFilter& filter;
    Blocks<T>& C;
  };

  void find_tiles(const Call& call);
  void find_runs(const Call& call);
  bool is_run(const Call& call, const Tile& tile, const Run& run) const;
  bool passes(const Call& call, const Tile& tile, const Run& run) const;
  Int first_block(const Call& call, const Tile& tile, const Run& run) const;
  bool has_place(const Call& call, const Tile& tile, const Run& run) const;
  void join_tiles(const Call& call);
  void make_blocks(const Call& call);
  void multiply(const Call& call, const Tile& tile);
  Int pack(const Call& call, const Tile& tile, Int first);
  T* pack_part(const Call& call, const Tile& tile, Int first, Int last, T* to);
  void take_rows(const Call& call, const Tile& tile, std::size_t& run);
  void find_stretches(const Call& call, std::size_t row, const Part& part);

  std::vector<Tile> tiles_;
  Marks needed_;  // columns of a row of C
  BlockValues<T> packed_;
  std::vector<Part> parts_;
  std::vector<bool> unset_;  // by block of C
  RowStrips<T> strips_;
  // By row of the strips
  std::vector<BlocksOfRow> rows_;
  std::vector<Place> places_;
  std::vector<std::vector<Stretch<T>>> stretches_;
};

}  // namespace cairn
