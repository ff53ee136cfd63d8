// What is done to the blocks of one matrix.
#pragma once
#include <vector>

#include "base/arithmetic.hpp"
#include "local/sparse/block_panel.hpp"

namespace cairn {

/// Frobenius norms of the blocks, in the order of `cols`.
template <class T>
std::vector<double> norms(const BlocksView<T>& A);
template <class T>
std::vector<double> norms(const Blocks<T>& A) {
  return norms(BlocksView<T>(A));
}

/// Finds those of a panel, unless somebody has.
template <class T>
void find_norms(BlockPanel<T>& x) {
  if (x.norms.empty()) x.norms = norms(x.view());
}
/// The largest component of all elements, of those that are finite.
template <class T>
double largest_finite(const BlocksView<T>& A);

/// The rows of a pattern of which next[i + 1] says how many blocks row i will have; next[i] then says where the first
/// of them comes. Columns and places of the blocks are left to be set.
void set_rows(BlockPattern& x, std::vector<Int>& next);
/// f of the elements of the block of `width` × `height` whose transpose is wanted; returns where it ends.
template <class T, class F>
T* put_transposed(const T* from, Int height, Int width, T* to, F f) {
  for (Int c = 0; c < width; ++c)
    for (Int r = 0; r < height; ++r) *to++ = f(from[c + r * width]);
  return to;
}

/// The transpose, of the conjugate if asked for. Its values come in the order of its rows.
template <class T>
Blocks<T> transposed(const BlocksView<T>& A, bool conjugate);
template <class T>
Blocks<T> transposed(const Blocks<T>& A, bool conjugate) {
  return transposed(BlocksView<T>(A), conjugate);
}

/// The blocks for which wanted(row, column, number), where they are.
template <class F>
BlockPattern chosen(const BlockPattern& A, const F& wanted) {
  BlockPattern some = none_like(A);
  for_each(A, [&](BlockIndex row, BlockIndex col, Int b) {
    if (wanted(row, col, b)) some.append(row, col, A.at[place(b)]);
  });
  return some;
}
/// Those in these block rows and columns.
BlockPattern within(const BlockPattern& A, BlockRange rows, BlockRange cols);
/// Those in block rows rows.lo to before rows.hi.
BlockPattern within(const BlockPattern& A, Range rows);

/// `more`, whose block rows come after those of x and whose values lie one after another.
template <class T>
void append_rows(Blocks<T>& x, const Blocks<T>& more);

/// Drops the blocks whose Frobenius norm is less than eps; never those with NaN. Values then come in the order of rows.
template <class T>
void filter(Blocks<T>& A, double eps);

}  // namespace cairn
