#include "local/kernels/update_matched.hpp"

#include <array>

#include "base/scalars.hpp"

namespace cairn {

namespace {

using Matches = std::vector<Match>;

enum class Rule { set, add, scale };

// What becomes of an element: one instance for each case keeps loops free of decisions.
template <bool conj, bool scaled, Rule rule, class T>
struct Put {
  T alpha, beta;
  void operator()(T& y, T x) const {
    if constexpr (conj) x = std::conj(x);
    if constexpr (scaled) x = alpha * x;
    y = rule == Rule::set ? x : rule == Rule::add ? x + y : x + beta * y;
  }
  void line(T* y, const T* x, Int n) const {
    for (Int i = 0; i < n; ++i) (*this)(y[i], x[i]);
  }
};

Int size(const Matches& all) {
  Int n = 0;
  for (Match m : all) n += m.length;
  return n;
}

// Rows follow one another in both arrays.
template <class T, class P>
void by_lines(const Matches& rows, const Matches& cols, Strided<T> dst, Strided<const T> src, P put) {
  for (Match c : cols)
    for (Int j = 0; j < c.length; ++j) {
      T* const to = dst.data + (c.in_a + j) * dst.cs;
      const T* const from = src.data + (c.in_b + j) * src.cs;
      for (Match r : rows) put.line(to + r.in_a, from + r.in_b, r.length);
    }
}

// Rows follow one another in dst, columns in src: a square at a time, so that what is read across stays in cache.
template <Int side, class T, class P>
void by_squares(Match rows, Match cols, Strided<T> dst, Strided<const T> src, P put) {
  T* const to = dst.data + rows.in_a + cols.in_a * dst.cs;
  const T* const from = src.data + rows.in_b * src.rs + cols.in_b;
  for (Int j0 = 0; j0 < cols.length; j0 += side)
    for (Int i0 = 0; i0 < rows.length; i0 += side)
      for (Int j = j0; j < std::min(j0 + side, cols.length); ++j)
        for (Int i = i0; i < std::min(i0 + side, rows.length); ++i) put(to[i + j * dst.cs], from[i * src.rs + j]);
}

// Distance in words of every row (column) from the start of dst and of src.
struct Places {
  std::vector<Int> dst, src;
  Places(const Matches& all, Int dst_step, Int src_step) {
    for (Match m : all)
      for (Int i = 0; i < m.length; ++i) {
        dst.push_back((m.in_a + i) * dst_step);
        src.push_back((m.in_b + i) * src_step);
      }
  }
  Int size() const { return static_cast<Int>(dst.size()); }
};

// The same of many short pieces, through a tile that stays in cache, so that both sides of memory are touched by lines.
template <class T, class P>
void by_tiles(const Matches& row_matches, const Matches& col_matches, Strided<T> dst, Strided<const T> src, P put) {
  constexpr Int side = 32;
  std::array<T, static_cast<std::size_t>(side * side)> tile;
  const Places rows(row_matches, dst.rs, src.rs), cols(col_matches, dst.cs, src.cs);
  for (Int j0 = 0; j0 < cols.size(); j0 += side)
    for (Int i0 = 0; i0 < rows.size(); i0 += side) {
      const Int down = std::min(side, rows.size() - i0), across = std::min(side, cols.size() - j0);
      const Int *const row = &rows.dst[static_cast<std::size_t>(i0)], *const col =
                                                                          &cols.src[static_cast<std::size_t>(j0)];
      for (Int i = 0; i < down; ++i) {
        const T* const from = src.data + rows.src[static_cast<std::size_t>(i0 + i)];
        for (Int j = 0; j < across; ++j) tile[static_cast<std::size_t>(j * side + i)] = from[col[j]];
      }
      for (Int j = 0; j < across; ++j) {
        T* const to = dst.data + cols.dst[static_cast<std::size_t>(j0 + j)];
        const T* const from = &tile[static_cast<std::size_t>(j * side)];
        if (row[down - 1] - row[0] == down - 1)  // in dst they ascend
          put.line(to + row[0], from, down);
        else
          for (Int i = 0; i < down; ++i) put(to[row[i]], from[i]);
      }
    }
}

// From 16 elements a piece on, squares take about half as long as tiles.
bool in_long_pieces(const Matches& all) { return all.size() == 1 || size(all) >= 16 * static_cast<Int>(all.size()); }

template <class T, class P>
void transpose(const Matches& rows, const Matches& cols, Strided<T> dst, Strided<const T> src, P put) {
  if (!in_long_pieces(rows) || !in_long_pieces(cols)) return by_tiles(rows, cols, dst, src, put);
  // Lines that are a multiple of 2 KiB apart share few places of the cache.
  const bool crowded = src.rs * static_cast<Int>(sizeof(T)) % 2048 == 0;
  for (Match c : cols)
    for (Match r : rows) crowded ? by_squares<16>(r, c, dst, src, put) : by_squares<32>(r, c, dst, src, put);
}

template <class T, class P>
void update(const Matches& rows, const Matches& cols, Strided<T> dst, Strided<const T> src, P put) {
  const bool down = dst.rs == 1 && src.rs == 1, across = dst.cs == 1 && src.cs == 1;
  const Strided<T> dst_t{dst.data, dst.cs, dst.rs};
  const Strided<const T> src_t{src.data, src.cs, src.rs};
  if (down && !(across && size(cols) > size(rows))) return by_lines(rows, cols, dst, src, put);
  if (across) return by_lines(cols, rows, dst_t, src_t, put);
  dst.rs == 1 ? transpose(rows, cols, dst, src, put) : transpose(cols, rows, dst_t, src_t, put);
}

template <bool conj, bool scaled, class T>
void by_rule(const Matches& rows, const Matches& cols, Strided<T> dst, Strided<const T> src, T alpha, T beta) {
  if (beta == T(0)) return update(rows, cols, dst, src, Put<conj, scaled, Rule::set, T>{alpha, beta});
  if (beta == T(1)) return update(rows, cols, dst, src, Put<conj, scaled, Rule::add, T>{alpha, beta});
  update(rows, cols, dst, src, Put<conj, scaled, Rule::scale, T>{alpha, beta});
}

template <bool conj, class T>
void by_alpha(const Matches& rows, const Matches& cols, Strided<T> dst, Strided<const T> src, T alpha, T beta) {
  alpha == T(1) ? by_rule<conj, false>(rows, cols, dst, src, alpha, beta)
                : by_rule<conj, true>(rows, cols, dst, src, alpha, beta);
}

}  // namespace

template <class T>
void update_matched(const Matches& rows, const Matches& cols, Strided<T> dst, Strided<const T> src, T alpha, T beta,
                    bool conjugate) {
  if (rows.empty() || cols.empty()) return;
  if constexpr (!std::is_floating_point_v<T>)
    if (conjugate) return by_alpha<true>(rows, cols, dst, src, alpha, beta);
  by_alpha<false>(rows, cols, dst, src, alpha, beta);
}

#define CAIRN_INSTANTIATE(T) \
  template void update_matched(const Matches&, const Matches&, Strided<T>, Strided<const T>, T, T, bool);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
