// Panels of block-sparse matrices, which travel as a whole: what is an element to a dense schedule.
#pragma once
#include <functional>
#include <type_traits>
#include <vector>

#include "local/sparse/blocks_view.hpp"

namespace cairn {

/// Some blocks of a matrix, and what a message says of them.
template <class T>
struct BlockPanel {
  BlockPattern blocks;
  std::shared_ptr<const T> values;  ///< the panel's own, or the matrix's
  Int words = 0;                    ///< of its blocks
  /// Of A: how many blocks each of these rows has in all of the matrix. Filters depend on it.
  std::vector<BlockIndex> in_row;
  /// What another rank needs to know of the pattern: see index_of.
  std::vector<BlockIndex> index;
  /// Frobenius norms of its blocks, once somebody has asked for them.
  std::vector<double> norms;

  BlocksView<T> view() const { return {blocks, values.get()}; }
};

/// Numbers from which a panel is made again: rows, blocks in each, blocks of these rows in all if known, and columns.
template <class T>
std::vector<BlockIndex> index_of(const BlockPanel<T>& panel);
/// The panel of such an index and its values.
template <class T>
BlockPanel<T> panel_of(std::vector<BlockIndex> index, std::shared_ptr<const T> values, const BlockPattern& like);
/// All of these blocks.
template <class T>
BlockPanel<T> panel_of(Blocks<T> blocks);
/// Its values lie one after another from now on, by rows, where `values` begins: what a message sends.
template <class T>
void put_in_order(BlockPanel<T>& panel);
/// Copies its index and, by rows, its values to where others read them.
template <class T>
void write(const BlockPanel<T>& panel, std::byte* index, std::byte* values);

/// x in panels: panel_of(i, j) says to which of `panels` block (i, j) belongs. Every panel has its index, and shares
/// the values of x, which must stay as long as it is used.
template <class T>
std::vector<BlockPanel<T>> split(const BlocksView<T>& x, std::size_t panels,
                                 const std::function<std::size_t(BlockIndex, BlockIndex)>& panel_of,
                                 const std::vector<BlockIndex>* in_row = nullptr);
/// The blocks of all panels, which have none in common.
template <class T>
Blocks<T> joined(const std::vector<BlocksView<T>>& panels, const BlockPattern& like);
/// The same blocks one after another in `values`, by rows.
template <class T>
Blocks<T> compact(const BlocksView<T>& x);
/// x gets the blocks of `more`, none of which it has; their values are among its own. All, or none if memory is short.
void insert(BlockPattern& x, const BlockPattern& more);
/// Block columns in which there are any blocks.
Int columns_with_blocks(const BlockPattern& x);
/// Where the values of block (i, j) begin; -1 if it is not there.
Int find(const BlockPattern& x, BlockIndex i, BlockIndex j);
/// x += factor·y, where x may get more blocks at the end of its values.
template <class T>
void add(Blocks<T>& x, T factor, const BlocksView<T>& y);
/// No blocks, of a matrix of the same block rows and columns: of the same type, or as what is asked for.
template <class Made = void, class Like>
auto none_like(const Like& x) {
  std::conditional_t<std::is_void_v<Made>, Like, Made> none;
  none.row_sizes = x.row_sizes, none.col_sizes = x.col_sizes;
  return none;
}

}  // namespace cairn
