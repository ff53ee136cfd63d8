// Grids of ranks and sizes of blocks: what block-cyclic algorithms for triangles are compared with.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/layout.hpp"

namespace cairn {

/// The form that block-cyclic algorithms share: pr × pc ranks in one layer or in several, and the size of a block.
struct GridAndBlock {
  Int pr, pc, layers, b;
  auto operator<=>(const GridAndBlock&) const = default;
  /// The same with layers as columns of ranks, or as rows: there lies a matrix that is dealt to them, too.
  GridAndBlock flat(bool as_rows) const { return {as_rows ? pr * layers : pr, as_rows ? pc : pc * layers, 1, b}; }
};
std::string print(std::string_view name, const GridAndBlock& form);
/// "4x4 b=64" or "4x4x2 b=64"; `example` is a whole spelling.
GridAndBlock parse_grid_and_block(std::string_view arguments, std::string_view example);
/// Whether a matrix lies as the algorithms want it. Names of axes and the storage order do not matter.
bool lies_so(const Layout& held, const GridAndBlock& form);
/// The first of b, 2b, 4b, … in blocks of which a rank has 256 at most, as planning takes time for each, where n
/// indices are dealt to so many ranks.
Int wide_enough(Int b, Int n, Int ranks);
/// Sizes of blocks, powers of two, for n indices that are dealt to so many ranks: at least 32, so that a product of
/// panels is one, and wide enough; then up to 512, with which every rank has two, or one rank all.
std::vector<Int> widths(Int n, Int ranks);
/// All grids to which no row and no column of ranks could be added, with every number of layers up to the cube root and
/// a few sizes of blocks, for matrices of order n; and those on which a matrix that is dealt to the layers, as columns
/// of ranks or as rows, lies where the caller holds it. Block columns are dealt to the columns of ranks and to layers,
/// or to the rows of ranks where all is `turned`.
std::vector<GridAndBlock> grids_and_blocks(Int ranks, Int n, const std::optional<Layout>& held, bool turned);

/// The form, of order n, on a grid without ranks that have no block column, or none of so many rows. Nothing if it is
/// one of several ranks, in a block so wide that the others have none.
std::optional<GridAndBlock> without_idle(GridAndBlock form, Int ranks, Int n, Int rows, bool turned);

/// The same for the matrix itself, none of whose grids has ranks without a block, unless it lies there; and those with
/// fewer columns of ranks, a multiple of the rows, so that what goes down a column comes from one row.
std::vector<GridAndBlock> grids_of_blocks(Int ranks, Int n, const std::optional<Layout>& held, bool turned);

}  // namespace cairn
