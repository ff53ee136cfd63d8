#include "local/sparse/block_operations.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "local/sparse/large_pages.hpp"
#include "local/sparse/squares.hpp"

namespace cairn {

namespace {

// The blocks for which wanted(row, column, number), row by row.
template <class T, class F>
Blocks<T> copied_if(const Blocks<T>& A, F wanted) {
  Blocks<T> kept = none_like(A);
  Int words = 0;
  for_each(A, [&](BlockIndex row, BlockIndex col, Int b) {
    if (wanted(row, col, b)) words += A.height(row) * A.width(col);
  });
  reserve(kept.values, place(words));
  for_each(A, [&](BlockIndex row, BlockIndex col, Int b) {
    if (wanted(row, col, b)) append(kept, row, col, A.values.data() + A.at[place(b)]);
  });
  return kept;
}

}  // namespace

template <class T>
std::vector<double> norms(const BlocksView<T>& A) {
  std::vector<double> result(A.pattern.cols.size());
  for_each(A.pattern, [&](BlockIndex row, BlockIndex col, Int b) {
    result[place(b)] = frobenius_norm(A.block(b), A.pattern.height(row) * A.pattern.width(col));
  });
  return result;
}

template <class T>
double largest_finite(const BlocksView<T>& A) {
  double most = 0;
  for_each(A.pattern, [&](BlockIndex row, BlockIndex col, Int b) {
    most = std::max(most, largest_finite(A.block(b), A.pattern.height(row) * A.pattern.width(col)));
  });
  return most;
}

void set_rows(BlockPattern& x, std::vector<Int>& next) {
  for (std::size_t row = 0; row + 1 < next.size(); ++row) {
    if (next[row + 1] > 0) x.rows.push_back(static_cast<BlockIndex>(row)), x.first.push_back(next[row] + next[row + 1]);
    next[row + 1] += next[row];
  }
  x.cols.resize(place(x.first.back())), x.at.resize(x.cols.size());
}

template <class T>
Blocks<T> transposed(const BlocksView<T>& view, bool conjugate) {
  const BlockPattern& A = view.pattern;
  std::vector<Int> next(A.col_sizes->size() + 1);  // by block column: where its next block comes in the result
  for (BlockIndex col : A.cols) ++next[place(col) + 1];
  Blocks<T> result;
  result.row_sizes = A.col_sizes, result.col_sizes = A.row_sizes;
  set_rows(result, next);
  std::vector<Int> from(A.cols.size());
  for_each(A, [&](BlockIndex row, BlockIndex col, Int b) {
    const std::size_t to = place(next[place(col)]++);
    result.cols[to] = row, from[to] = b;
  });
  resize(result.values, place(words_of(A)));
  T* to = result.values.data();
  for_each(result, [&](BlockIndex row, BlockIndex col, Int b) {
    result.at[place(b)] = to - result.values.data();
    to = put_transposed(view.block(from[place(b)]), result.height(row), result.width(col), to,
                        [&](T x) { return conjugate ? conjugated(x) : x; });
  });
  return result;
}

BlockPattern within(const BlockPattern& A, BlockRange rows, BlockRange cols) {
  BlockPattern part = none_like(A);
  for_each(A, [&](BlockIndex row, BlockIndex col, Int b) {
    if (rows.has(row) && cols.has(col)) part.append(row, col, A.at[place(b)]);
  });
  return part;
}

template <class T>
Blocks<T> cropped(const Blocks<T>& A, BlockRange rows, BlockRange cols, bool others) {
  return copied_if(A, [&](BlockIndex row, BlockIndex col, Int) { return (rows.has(row) && cols.has(col)) != others; });
}

template <class T>
Blocks<T> blocks_of_rows(const Blocks<T>& x, Range rows) {
  Blocks<T> some = none_like(x);
  const auto first = std::lower_bound(x.rows.begin(), x.rows.end(), rows.lo);
  const auto last = std::lower_bound(first, x.rows.end(), rows.hi);
  for (auto r = first; r != last; ++r) {
    const std::size_t number = static_cast<std::size_t>(r - x.rows.begin());
    for (Int b = x.first[number]; b < x.first[number + 1]; ++b)
      append(some, *r, x.cols[place(b)], x.values.data() + x.at[place(b)]);
  }
  return some;
}

template <class T>
void append_rows(Blocks<T>& x, const Blocks<T>& more) {
  const Int end = static_cast<Int>(x.values.size());
  for_each(more, [&](BlockIndex i, BlockIndex j, Int b) { x.append(i, j, end + more.at[place(b)]); });
  append(x.values, more.values.data(), static_cast<Int>(more.values.size()));
}

template <class T>
void filter(Blocks<T>& A, double eps) {
  if (eps <= 0) return;
  const std::vector<double> norm_of = norms(A);
  if (std::none_of(norm_of.begin(), norm_of.end(), [&](double norm) { return norm < eps; })) return;
  A = copied_if(A, [&](BlockIndex, BlockIndex, Int b) { return !(norm_of[place(b)] < eps); });
}

#define CAIRN_INSTANTIATE(T)                                                  \
  template std::vector<double> norms(const BlocksView<T>&);                   \
  template double largest_finite(const BlocksView<T>&);                       \
  template Blocks<T> transposed(const BlocksView<T>&, bool);                  \
  template Blocks<T> cropped(const Blocks<T>&, BlockRange, BlockRange, bool); \
  template Blocks<T> blocks_of_rows(const Blocks<T>&, Range);                 \
  template void append_rows(Blocks<T>&, const Blocks<T>&);                    \
  template void filter(Blocks<T>&, double);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
