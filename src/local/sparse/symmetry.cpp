#include "local/sparse/symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "base/arithmetic.hpp"
#include "local/sparse/block_operations.hpp"
#include "local/sparse/squares.hpp"

namespace cairn {

namespace {

// Half of each, so that large numbers do not overflow; what is equal stays as it is.
template <class T>
T mean(T x, T y) {
  constexpr auto half = static_cast<decltype(std::abs(T()))>(0.5);
  return x == y ? x : half * x + half * y;
}

}  // namespace

template <class T>
Blocks<T> operated(Op op, Symmetry symmetry, Blocks<T> upper) {
  if (op != Op::none)
    for (T& x : upper.values) x = operated(op, symmetry, x);
  return upper;
}

// Mirror images come from rows above, and so before the row's own blocks.
template <class T>
BlockPattern whole(Op op, Symmetry symmetry, const BlocksView<T>& upper, BlockRange rows, BlockRange cols,
                   const std::function<T*(Int)>& memory) {
  const BlockPattern& x = upper.pattern;
  const auto wanted = [&](BlockIndex i, BlockIndex j) { return rows.has(i) && cols.has(j); };
  std::vector<Int> next(x.row_sizes->size() + 1);  // by block row: where its next block comes in the result
  Int words = 0;
  for_each(x, [&](BlockIndex i, BlockIndex j, Int) {
    const Int size = x.height(i) * x.width(j);
    if (wanted(i, j)) ++next[place(i) + 1], words += size;
    if (i != j && wanted(j, i)) ++next[place(j) + 1], words += size;
  });
  BlockPattern all = none_like(x);
  set_rows(all, next);
  std::vector<Int> from(all.cols.size());
  const auto put = [&](BlockIndex i, BlockIndex j, Int b) {
    const std::size_t to = place(next[place(i)]++);
    all.cols[to] = j, from[to] = b;
  };
  for_each(x, [&](BlockIndex i, BlockIndex j, Int b) {
    if (wanted(i, j)) put(i, j, b);
    if (i != j && wanted(j, i)) put(j, i, b);
  });
  T* const begin = memory(words);
  const auto copy = [&](auto own, auto image) {
    T* to = begin;
    for_each(all, [&](BlockIndex i, BlockIndex j, Int b) {
      const Int height = all.height(i), width = all.width(j);
      const T* const source = upper.block(from[place(b)]);
      all.at[place(b)] = to - begin;
      to = i <= j ? std::transform(source, source + height * width, to, own)
                  : put_transposed(source, height, width, to, image);
    });
  };
  const auto same = [](T v) { return v; };
  const auto of_op = [&](T v) { return operated(op, symmetry, v); };
  if (std::is_floating_point_v<T> && symmetry == Symmetry::symmetric)
    copy(same, same);
  else
    copy(of_op, [&](T v) { return mirrored(symmetry, of_op(v)); });
  return all;
}

OffSymmetry::OffSymmetry(double largest) : scale_(scale_of_squares(largest)) {}

void OffSymmetry::add_real(double x, double expected) {
  const bool same = x == expected || (std::isnan(x) && std::isnan(expected));
  const double off = same ? 0 : scale_ * x - scale_ * expected, size = scale_ * finite_size(x);
  squares[0] += off * off, squares[1] += size * size;
}

template <class T>
OffSymmetry off_symmetry(Symmetry symmetry, const T* block, Int order) {
  OffSymmetry off(largest_finite(block, order * order));
  for (Int c = 0; c < order; ++c)
    for (Int r = 0; r < order; ++r) off.add(block[r + c * order], mirrored(symmetry, block[c + r * order]));
  return off;
}

template <class T>
void make_exact(Symmetry symmetry, T* block, Int order) {
  for (Int c = 0; c < order; ++c)
    for (Int r = 0; r <= c; ++r) {
      T &x = block[r + c * order], &y = block[c + r * order];
      x = mean(x, mirrored(symmetry, y));
      if (r != c) y = mirrored(symmetry, x);
    }
}

template <class T>
void make_exact(Symmetry symmetry, Blocks<T>& blocks) {
  if (symmetry == Symmetry::general) return;
  for_each(blocks, [&](BlockIndex i, BlockIndex j, Int b) {
    if (i == j) make_exact(symmetry, blocks.values.data() + blocks.at[place(b)], blocks.height(i));
  });
}

#define CAIRN_INSTANTIATE(T)                                                              \
  template Blocks<T> operated(Op, Symmetry, Blocks<T>);                                   \
  template BlockPattern whole(Op, Symmetry, const BlocksView<T>&, BlockRange, BlockRange, \
                              const std::function<T*(Int)>&);                             \
  template OffSymmetry off_symmetry(Symmetry, const T*, Int);                             \
  template void make_exact(Symmetry, T*, Int);                                            \
  template void make_exact(Symmetry, Blocks<T>&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
