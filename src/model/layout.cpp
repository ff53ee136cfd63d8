#include "cairn/layout.hpp"

#include <fmt/format.h>

#include <array>
#include <span>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"

namespace cairn {

namespace {

// Pieces a to b, of as many even ones of r.
Range pieces(Range r, Int parts, Int a, Int b) { return {piece(r, parts, a).lo, piece(r, parts, b).lo}; }

// The numbers of the pieces that a span or a group keeps; a span that wraps around keeps the first ones too.
std::array<Range, 2> numbers(const Cut& cut, Int index) {
  if (cut.kind == Cut::Kind::group) {
    const Int lo = index / cut.block * cut.block;
    return {Range{lo, std::min(lo + cut.block, cut.parts)}, {}};
  }
  const Int end = index + std::min(cut.block, cut.parts);
  if (end <= cut.parts) return {Range{index, end}, {}};
  return {Range{0, end - cut.parts}, {index, cut.parts}};
}

// Block `b` of a piece: block 0 is [0, first), block b starts at first + (b-1)·block. Nothing beyond the end.
Range dealt_block(const Cut& cut, Int b, Range r) {
  const Int lo = b == 0 ? 0 : cut.first + (b - 1) * cut.block;
  return {r.lo + lo, std::min(r.hi, r.lo + cut.first + b * cut.block)};
}

// Class by class within each round of classes.
template <class Out>
void cut_classes(const Cut& cut, Int index, Range r, Out& out) {
  const std::vector<Int> held = cut.holders.held(index);
  if (held.empty()) return;
  for (Int round = 0; dealt_block(cut, round, r).lo < r.hi; round += cut.holders.size())
    for (Int number : held)
      if (const Range block = dealt_block(cut, round + number, r); !block.empty()) out.push_back(block);
}

template <class Out>
void cut_piece(const Cut& cut, Int index, Range r, Out& out) {
  switch (cut.kind) {
    case Cut::Kind::even: out.push_back(piece(r, cut.parts, index)); break;
    case Cut::Kind::each:
      for (Int t = 0; t < cut.parts; ++t) out.push_back(piece(r, cut.parts, t));
      break;
    case Cut::Kind::cyclic:
      for (Int b = index; dealt_block(cut, b, r).lo < r.hi; b += cut.parts) out.push_back(dealt_block(cut, b, r));
      break;
    case Cut::Kind::classes: cut_classes(cut, index, r, out); break;
    case Cut::Kind::bounds: {
      const auto i = static_cast<std::size_t>(index);
      out.push_back(intersect(r, {r.lo + cut.bounds[i], r.lo + cut.bounds[i + 1]}));
      break;
    }
    case Cut::Kind::span:
    case Cut::Kind::group:
      for (Range n : numbers(cut, index)) out.push_back(pieces(r, cut.parts, n.lo, n.hi));
      break;
  }
}

// Of pieces in a row, those parts that the cut keeps of all of them together.
template <class Out>
void cut_joined(const Cut& cut, Int index, std::span<const Range> row, Out& out) {
  Int total = 0, before = 0;
  for (Range r : row) total += r.size();
  std::vector<Range> kept;
  cut_piece(cut, index, {0, total}, kept);
  for (Range k : kept) {
    before = 0;
    for (Range r : row) {
      const Range part = intersect(k, {before, before + r.size()});
      if (!part.empty()) out.push_back({r.lo + part.lo - before, r.lo + part.hi - before});
      before += r.size();
    }
  }
}

}  // namespace

IndexSet Dim::at(const Grid& grid, Int rank) const {
  Range whole = extent;  // even cuts that come first, as most cuts do, leave one interval
  auto first = cuts.begin();
  for (; first != cuts.end() && first->kind == Cut::Kind::even; ++first)
    whole = piece(whole, first->parts, wrap(first->index.at(grid, rank), first->parts));
  if (first == cuts.end()) return whole;
  const auto cut = [&](const Cut& by, std::span<const Range> pieces, auto& out) {
    const Int index = wrap(by.index.at(grid, rank), by.parts);
    if (by.joined) return cut_joined(by, index, pieces, out);
    for (Range r : pieces) cut_piece(by, index, r, out);
  };
  std::span<const Range> all(&whole, 1);
  std::vector<Range> now, next;
  for (; first + 1 != cuts.end(); ++first) {
    next.clear();
    cut(*first, all, next);
    now.swap(next);
    all = now;
  }
  IndexSet set;
  cut(*first, all, set);
  return set;
}

namespace {

// What `rest` keeps of every `parts`th block of a piece of `size`, from block `index` on.
template <class Rest>
Int kept_blocks(const Cut& cut, Int parts, Int index, Int size, Rest rest) {
  const Int blocks = size <= cut.first ? 1 : 1 + ceil_div(size - cut.first, cut.block);
  const Int whole = index < blocks ? (blocks - 1 - index) / parts + 1 : 0;  // blocks kept, but for both ends
  const bool has_first = index == 0, has_last = blocks > 1 && (blocks - 1) % parts == index;
  const Int last = size - cut.first - (blocks - 2) * cut.block, inner = whole - has_first - has_last;
  return (has_first ? rest(std::min(size, cut.first)) : 0) + (has_last ? rest(last) : 0) +
         (inner > 0 ? inner * rest(cut.block) : 0);
}

// What the cuts from `cut` to `end` keep of a piece of `size`: where the piece lies does not matter.
Int kept(const Cut* cut, const Cut* end, Int size, const Grid& grid, Int rank) {
  if (cut == end || size == 0) return size;
  const Int parts = cut->parts, index = wrap(cut->index.at(grid, rank), parts);
  const auto rest = [&](Int length) { return kept(cut + 1, end, length, grid, rank); };
  switch (cut->kind) {
    case Cut::Kind::even: return rest(piece({0, size}, parts, index).size());
    case Cut::Kind::each: {
      const Int longer = size % parts;
      return (longer > 0 ? longer * rest(size / parts + 1) : 0) + (parts - longer) * rest(size / parts);
    }
    case Cut::Kind::cyclic: return kept_blocks(*cut, parts, index, size, rest);
    case Cut::Kind::classes: {
      Int sum = 0;
      for (Int number : cut->holders.held(index)) sum += kept_blocks(*cut, cut->holders.size(), number, size, rest);
      return sum;
    }
    case Cut::Kind::bounds: {
      const auto i = static_cast<std::size_t>(index);
      return rest(intersect({0, size}, {cut->bounds[i], cut->bounds[i + 1]}).size());
    }
    case Cut::Kind::span:
    case Cut::Kind::group: break;
  }
  Int sum = 0;
  for (Range n : numbers(*cut, index)) sum += rest(pieces({0, size}, parts, n.lo, n.hi).size());
  return sum;
}

}  // namespace

Int Dim::size(const Grid& grid, Int rank) const {
  const Cut *const begin = cuts.data(), *const end = begin + cuts.size();
  const Cut* const joined = std::find_if(begin, end, [](const Cut& c) { return c.joined; });
  if (joined == end) return kept(begin, end, extent.size(), grid, rank);
  if (joined + 1 != end) return at(grid, rank).size();
  return kept(joined, end, kept(begin, joined, extent.size(), grid, rank), grid, rank);
}

namespace {

// Where no size overflows, no part of a layout does.
void require_sizes(Int m, Int n) {
  if (m < 0) throw ArgumentError(fmt::format("m: {}, expected 0 or more", m));
  if (n < 0) throw ArgumentError(fmt::format("n: {}, expected 0 or more", n));
  if (Int words = 0; __builtin_mul_overflow(m, n, &words))
    throw ArgumentError(fmt::format("m, n: {} x {}, more words than a 64-bit integer counts", m, n));
}

void require_ranks(Int ranks) {
  if (ranks < 1) throw ArgumentError(fmt::format("ranks: {}, expected 1 or more", ranks));
}

// Which is still to be cut among the ranks, along the only axis of the grid or in blocks.
Layout on_a_line(Int m, Int n, Int ranks, Order order) {
  require_ranks(ranks);
  Layout l = Layout::on_one_rank(m, n, order);
  l.grid = Grid({{"p", ranks}});
  return l;
}

}  // namespace

Layout Layout::on_one_rank(Int m, Int n, Order order) {
  require_sizes(m, n);
  Layout l;
  l.rows.extent = {0, m};
  l.cols.extent = {0, n};
  l.order = order;
  return l;
}

Layout Layout::row_blocks(Int m, Int n, Int ranks, Order order) {
  Layout l = on_a_line(m, n, ranks, order);
  l.rows.cuts = {Cut::even(l.grid, 0)};
  return l;
}

Layout Layout::col_blocks(Int m, Int n, Int ranks, Order order) {
  Layout l = on_a_line(m, n, ranks, order);
  l.cols.cuts = {Cut::even(l.grid, 0)};
  return l;
}

Layout Layout::block_cyclic(Int m, Int n, const BlockCyclic& how) {
  if (how.mb < 1 || how.nb < 1)
    throw ArgumentError(fmt::format("block_cyclic: blocks of {}x{}, expected at least 1x1", how.mb, how.nb));
  if (how.pr < 1 || how.pc < 1)
    throw ArgumentError(fmt::format("block_cyclic: a grid of {}x{}, expected at least 1x1", how.pr, how.pc));
  Layout l = on_one_rank(m, n);
  l.grid = how.row_major ? Grid({{"pr", how.pr}, {"pc", how.pc}}) : Grid({{"pc", how.pc}, {"pr", how.pr}});
  if (how.rsrc < 0 || how.rsrc >= how.pr || how.csrc < 0 || how.csrc >= how.pc)
    throw ArgumentError(
        fmt::format("block_cyclic: the first block at (rsrc, csrc) = ({}, {}), expected a place in a {}x{} grid",
                    how.rsrc, how.csrc, how.pr, how.pc));
  const auto deal = [&](std::string_view axis, Int src, Int block) {
    const int a = l.grid.axis(axis);
    const Int parts = l.grid.extent(a);
    const Int longest = std::max<Int>(1, (Int{1} << 60U) / parts);  // as rows of all ranks that plans are made for
    block = std::min(block, longest);
    return Cut{Cut::Kind::cyclic, parts, Affine::along(a) + Affine(-src), block, block, {}};
  };
  l.rows.cuts = {deal("pr", how.rsrc, how.mb)};
  l.cols.cuts = {deal("pc", how.csrc, how.nb)};
  return l;
}

Layout Layout::arbitrary(Int m, Int n, Int ranks, Blocks blocks, Order order) {
  require_sizes(m, n);
  Layout l = on_a_line(m, n, ranks, order);
  l.blocks = std::make_shared<const Blocks>(std::move(blocks));
  if (const auto problem = l.problem()) throw ArgumentError(*problem);
  return l;
}

bool Layout::live(Int rank) const {
  if (!grid.has(rank)) return false;
  return std::all_of(where.begin(), where.end(), [&](Where w) { return grid.index(rank, w.axis) == w.index; });
}

std::vector<Patch> Layout::patches(Int rank) const {
  std::vector<Patch> all;
  if (!live(rank)) return all;
  if (!blocks) {
    all.push_back({rows.at(grid, rank), cols.at(grid, rank)});
    return all;
  }
  const std::size_t down = blocks->row_bounds.size() - 1, across = blocks->col_bounds.size() - 1;
  for (std::size_t b = 0; b < down * across; ++b) {
    const std::size_t r = blocks->by_columns ? b % down : b / across;
    const std::size_t c = blocks->by_columns ? b / down : b % across;
    if (blocks->owner[r * across + c] == rank)
      all.push_back({IndexSet(Range{blocks->row_bounds[r], blocks->row_bounds[r + 1]}),
                     IndexSet(Range{blocks->col_bounds[c], blocks->col_bounds[c + 1]})});
  }
  return all;
}

Int Layout::words(Int rank) const {
  if (!live(rank)) return 0;
  if (!blocks) return rows.size(grid, rank) * cols.size(grid, rank);
  const std::size_t across = blocks->col_bounds.size() - 1;
  Int sum = 0;
  for (std::size_t b = 0; b < blocks->owner.size(); ++b) {
    if (blocks->owner[b] != rank) continue;
    const std::size_t r = b / across, c = b % across;
    sum += (blocks->row_bounds[r + 1] - blocks->row_bounds[r]) * (blocks->col_bounds[c + 1] - blocks->col_bounds[c]);
  }
  return sum;
}

bool Layout::replicated(int axis) const {
  if (blocks) return false;
  for (const Dim* dim : {&rows, &cols})
    for (const Cut& cut : dim->cuts)
      if (cut.index.factor(axis) != 0) return false;
  return std::none_of(where.begin(), where.end(), [&](Where w) { return w.axis == axis; });
}

Int Layout::original(Int rank) const {
  for (int a = 0; a < grid.axes(); ++a)
    if (replicated(a)) rank = grid.with(rank, a, 0);
  return rank;
}

bool Layout::overlapping() const {
  bool shared = false;
  for (const Dim* dim : {&rows, &cols})
    for (const Cut& cut : dim->cuts) {
      if (cut.kind != Cut::Kind::classes) continue;
      if (!cut.holders.overlapping()) return false;
      shared = true;
    }
  return shared && !blocks;
}

Layout Layout::transposed() const {
  Layout t = *this;
  std::swap(t.rows, t.cols);
  t.order = order == Order::col ? Order::row : Order::col;
  if (!blocks) return t;
  auto b = std::make_shared<Blocks>();
  b->by_columns = !blocks->by_columns;  // the blocks stay where they are in memory
  b->row_bounds = blocks->col_bounds;
  b->col_bounds = blocks->row_bounds;
  const std::size_t down = blocks->row_bounds.size() - 1, across = blocks->col_bounds.size() - 1;
  for (std::size_t c = 0; c < across; ++c)
    for (std::size_t r = 0; r < down; ++r) b->owner.push_back(blocks->owner[r * across + c]);
  t.blocks = std::move(b);
  return t;
}

bool Layout::same_ownership(const Layout& other, Int ranks) const {
  if (rows.extent != other.rows.extent || cols.extent != other.cols.extent) return false;
  if (!blocks && !other.blocks && grid == other.grid && rows == other.rows && cols == other.cols &&
      where == other.where)
    return true;
  if (blocks && other.blocks && grid == other.grid && *blocks == *other.blocks) return true;
  for (Int r = 0; r < ranks; ++r) {
    const auto a = patches(r), b = other.patches(r);
    const auto held = [](const std::vector<Patch>& p) { return p.size() == 1 && p[0].words() > 0; };
    if (words(r) == 0 && other.words(r) == 0) continue;
    if (!held(a) || !held(b) || !(a[0].rows == b[0].rows) || !(a[0].cols == b[0].cols)) return false;
  }
  return true;
}

bool Layout::operator==(const Layout& other) const {
  const bool same_blocks = blocks == other.blocks || (blocks && other.blocks && *blocks == *other.blocks);
  return same_blocks && grid == other.grid && rows == other.rows && cols == other.cols && where == other.where &&
         order == other.order;
}

}  // namespace cairn
