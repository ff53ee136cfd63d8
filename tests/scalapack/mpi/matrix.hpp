// Block-cyclic matrices as ScaLAPACK's descriptors describe them, element by element.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "blacs.hpp"

namespace cairn::testing {

/// How the indices along one side are dealt out.
struct Axis {
  int size, first, block;  ///< of the matrix, of its first block, of the others
  int source;              ///< process of the first block; -1: every process has all
  int owner(int index, int processes) const {
    return index < first ? source : (source + 1 + (index - first) / block) % processes;
  }
  std::vector<int> owned_by(int process, int processes) const {
    std::vector<int> mine;
    for (int index = 0; index < size; ++index)
      if (source < 0 || owner(index, processes) == process) mine.push_back(index);
    return mine;
  }
};

/// A matrix on a grid: its descriptor, and which elements the calling rank has. Ranks outside the grid have none.
struct Matrix {
  Axis down, across;
  std::vector<int> rows, cols;  ///< global indices of the local ones
  int leading;                  ///< local leading dimension
  std::vector<int> desc;

  /// Of the given descriptor type, 1 or 2; type 1 has no first block of its own. Columns are `gap` apart.
  Matrix(const Grid& grid, int type, Axis rows_of, Axis cols_of, int gap) : down(rows_of), across(cols_of) {
    if (type == 1) down.first = down.block, across.first = across.block;
    if (grid.inside()) {
      rows = down.owned_by(grid.row(), grid.rows());
      cols = across.owned_by(grid.col(), grid.cols());
    }
    leading = std::max(1, static_cast<int>(rows.size())) + gap;
    desc = {type, grid.context(), down.size, across.size};
    if (type == 2) desc.insert(desc.end(), {down.first, across.first});
    desc.insert(desc.end(), {down.block, across.block, down.source, across.source, leading});
  }

  std::size_t storage() const { return static_cast<std::size_t>(leading) * cols.size() + 1; }

  /// f(position, i, j) for every local element, and f(position, -1, -1) for what is between columns.
  template <class F>
  void for_each(F f) const {
    for (std::size_t position = 0; position + 1 < storage(); ++position) {
      const std::size_t i = position % static_cast<std::size_t>(leading),
                        j = position / static_cast<std::size_t>(leading);
      if (i < rows.size())
        f(position, rows[i], cols[j]);
      else
        f(position, -1, -1);
    }
    f(storage() - 1, -1, -1);
  }
};

/// A part of a matrix.
struct Window {
  int i = 0, j = 0, rows = 0, cols = 0;  ///< from 0
  bool has(int row, int col) const { return row >= i && row < i + rows && col >= j && col < j + cols; }
};

}  // namespace cairn::testing
