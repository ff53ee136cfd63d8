// Panels on their way down the columns of ranks.
#include <numeric>

#include "algorithms/triangles_turned.hpp"
#include "base/arithmetic.hpp"

namespace cairn {

// Of `wide` blocks of rows, whose columns are on c, block y is held by row y of ranks, modulo their number: those that
// one row of ranks holds travel together. The last ones go by themselves, since ranks without rows from there on have
// no use for them.
Slot Turned::down_the_columns(Slot P, Range R, Int n, Int shares, Here at) {
  const Layout p = seen(s.layout(P));
  Dim mine = Part::within(R).of(by_cols(n));
  const Int share = b / shares;
  if (shares > 1) mine.cuts.push_back(dealt(l, share));
  if (extent(r) == 1) {
    if (extent(c) == 1) return part(P, mine, p.cols, {});
    return turned ? s.copy(P, p.cols, mine, at) : s.copy(P, mine, p.cols, at);
  }
  Layout all = p;
  all.rows = mine;
  const Slot Q = s.scratch(s.name(P), seen(std::move(all)));
  const Int blocks = ceil_div(n, b), last = R.hi < n || shares > 1 ? blocks : last_blocks(blocks),
            period = std::lcm(extent(r), layers * extent(c));
  const Range first_ones{R.lo, std::min(R.hi, last * b)};
  for (Int first = 0; first < layers && first_ones.lo < first_ones.hi; ++first)
    for (Int y = first; y < period; y += layers * extent(c)) {
      const Affine block = layers * Affine::along(c) + y;
      const Affine of_block = shares > 1 ? shares * block + Affine::along(l) : block;
      const Cut these{Cut::Kind::cyclic, shares * period, of_block, share, share, {}};
      const Slot piece = part(Q, Part::within(first_ones).of({{0, n}, {these}}), p.cols, {});
      s.bcast(P, piece, r, block, at);
    }
  for (Int y = std::max(last, R.lo / b); y < blocks; ++y) {
    const Slot piece = part(Q, Range{y * b, std::min(n, y * b + b)}, p.cols, {{c, y % extent(c)}});
    const Int row = y % extent(r);
    s.take(P, piece, r, row, row, blocks - y, at);
  }
  return Q;
}

// From which one on. It spares much where there are few blocks; on large grids messages from one rank to each take
// longer than these words.
Int Turned::last_blocks(Int blocks) const {
  constexpr Int few = 8, large = 20;  // for each row of ranks
  if (s.grid().axes() > 2 || blocks > few * extent(r) || extent(r) + 2 * extent(c) > large) return blocks;
  return std::max<Int>(0, blocks - extent(r) + 1);
}

double sources(const Panels& x) {
  const auto rows = static_cast<Int>(x.pr), cols = static_cast<Int>(x.pc * x.layers);
  return std::min(real(rows / std::gcd(rows, cols)), std::max(1.0, x.blocks() / (2 * real(cols))));
}

}  // namespace cairn
