#include "local/sparse/block_operations.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "local/sparse/large_pages.hpp"
#include "local/sparse/squares.hpp"

namespace cairn {

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
  return chosen(A, [&](BlockIndex row, BlockIndex col, Int) { return rows.has(row) && cols.has(col); });
}

BlockPattern within(const BlockPattern& x, Range rows) {
  BlockPattern some = none_like(x);
  const std::size_t first = first_row(x, rows.lo), last = first_row(x, rows.hi);
  const auto begin = x.first[first], end = x.first[last];
  some.rows.assign(x.rows.begin() + static_cast<Int>(first), x.rows.begin() + static_cast<Int>(last));
  some.first.clear();
  for (std::size_t r = first; r <= last; ++r) some.first.push_back(x.first[r] - begin);
  some.cols.assign(x.cols.begin() + begin, x.cols.begin() + end);
  some.at.assign(x.at.begin() + begin, x.at.begin() + end);
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
  const auto stays = [&](BlockIndex, BlockIndex, Int b) { return !(norm_of[place(b)] < eps); };
  A = compact<T>({chosen(A, stays), A.values.data()});
}

#define CAIRN_INSTANTIATE(T)                                 \
  template std::vector<double> norms(const BlocksView<T>&);  \
  template double largest_finite(const BlocksView<T>&);      \
  template Blocks<T> transposed(const BlocksView<T>&, bool); \
  template void append_rows(Blocks<T>&, const Blocks<T>&);   \
  template void filter(Blocks<T>&, double);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
