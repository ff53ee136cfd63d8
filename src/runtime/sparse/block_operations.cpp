#include "runtime/sparse/block_operations.hpp"

#include <algorithm>

#include "base/scalars.hpp"
#include "runtime/sparse/block_panel.hpp"
#include "runtime/sparse/large_pages.hpp"
#include "runtime/sparse/squares.hpp"

namespace cairn {

namespace {

std::size_t at(Int i) { return static_cast<std::size_t>(i); }

// The blocks for which wanted(row, column, number), row by row.
template <class T, class F>
Blocks<T> copied_if(const Blocks<T>& A, F wanted) {
  Blocks<T> kept = none_like(A);
  Int words = 0;
  for_each(A, [&](BlockIndex row, BlockIndex col, Int b) {
    if (wanted(row, col, b)) words += A.height(row) * A.width(col);
  });
  reserve(kept.values, at(words));
  for_each(A, [&](BlockIndex row, BlockIndex col, Int b) {
    if (wanted(row, col, b)) append(kept, row, col, A.values.data() + A.at[at(b)]);
  });
  return kept;
}

}  // namespace

template <class T>
std::vector<double> norms(const BlocksView<T>& A) {
  std::vector<double> result(A.pattern.cols.size());
  for_each(A.pattern, [&](BlockIndex row, BlockIndex col, Int b) {
    result[at(b)] = frobenius_norm(A.block(b), A.pattern.height(row) * A.pattern.width(col));
  });
  return result;
}

template <class T>
Blocks<T> transposed(const BlocksView<T>& view, bool conjugate) {
  const BlockPattern& A = view.pattern;
  std::vector<Int> next(A.col_sizes->size() + 1);  // by block column: where its next block comes in the result
  for (BlockIndex col : A.cols) ++next[at(col) + 1];
  Blocks<T> result;
  result.row_sizes = A.col_sizes, result.col_sizes = A.row_sizes;
  for (std::size_t col = 0; col + 1 < next.size(); ++col) {
    if (next[col + 1] > 0)
      result.rows.push_back(static_cast<BlockIndex>(col)), result.first.push_back(next[col] + next[col + 1]);
    next[col + 1] += next[col];
  }
  result.cols.resize(A.cols.size()), result.at.resize(A.cols.size());
  std::vector<std::size_t> from(A.cols.size());
  Int words = 0;
  for_each(A, [&](BlockIndex row, BlockIndex col, Int b) {
    const std::size_t to = at(next[at(col)]++);
    result.cols[to] = row, from[to] = at(b);
    words += A.height(row) * A.width(col);
  });
  reserve(result.values, at(words));
  for_each(result, [&](BlockIndex row, BlockIndex col, Int b) {
    const Int height = result.height(row), width = result.width(col);
    result.at[at(b)] = static_cast<Int>(result.values.size());
    const T* source = view.block(static_cast<Int>(from[at(b)]));
    for (Int j = 0; j < width; ++j)
      for (Int i = 0; i < height; ++i) {
        const T x = source[j + i * width];
        result.values.push_back(conjugate ? conjugated(x) : x);
      }
  });
  return result;
}

BlockPattern within(const BlockPattern& A, BlockRange rows, BlockRange cols) {
  BlockPattern part = none_like(A);
  for_each(A, [&](BlockIndex row, BlockIndex col, Int b) {
    if (rows.has(row) && cols.has(col)) part.append(row, col, A.at[at(b)]);
  });
  return part;
}

template <class T>
Blocks<T> cropped(const Blocks<T>& A, BlockRange rows, BlockRange cols, bool others) {
  return copied_if(A, [&](BlockIndex row, BlockIndex col, Int) { return (rows.has(row) && cols.has(col)) != others; });
}

template <class T>
void filter(Blocks<T>& A, double eps) {
  if (eps <= 0) return;
  const std::vector<double> norm_of = norms(A);
  if (std::none_of(norm_of.begin(), norm_of.end(), [&](double norm) { return norm < eps; })) return;
  A = copied_if(A, [&](BlockIndex, BlockIndex, Int b) { return !(norm_of[at(b)] < eps); });
}

#define CAIRN_INSTANTIATE(T)                                                  \
  template std::vector<double> norms(const BlocksView<T>&);                   \
  template Blocks<T> transposed(const BlocksView<T>&, bool);                  \
  template Blocks<T> cropped(const Blocks<T>&, BlockRange, BlockRange, bool); \
  template void filter(Blocks<T>&, double);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
