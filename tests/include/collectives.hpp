// Schedules of one collective, and what each way of carrying it out costs: closed forms, written apart from the
// expansions.
#pragma once
#include "cairn/plan.hpp"
#include "schedule/builder.hpp"

namespace cairn::testing {

struct Matrix {
  Int m, n;
};
/// Short of rows, of columns, of both, prime, and nothing.
inline constexpr std::array<Matrix, 5> matrices{{{3, 40}, {37, 2}, {2, 3}, {19, 23}, {0, 5}}};

/// Slots A, B and C of a schedule for m × n with k = 0: collectives that only move words.
inline Schedule moving(Int m, Int n, Grid grid, Layout from, Layout to) {
  Schedule s;
  s.algorithm = "moving";
  s.problem = Multiply{m, n, 0};
  s.grid = std::move(grid);
  s.ranks = s.grid.size();
  Layout none = to;
  none.rows = {{0, 0}, {}};
  s.slots = {{"A", std::move(from), SlotInfo::Role::operand, -1},
             {"B", std::move(none), SlotInfo::Role::operand, -1},
             {"C", std::move(to), SlotInfo::Role::result, -1}};
  return s;
}

inline Layout whole(const Grid& grid, Matrix x, Order order) {
  Layout l;
  l.grid = grid;
  l.rows.extent = {0, x.m};
  l.cols.extent = {0, x.n};
  l.order = order;
  return l;
}

/// C = A, which the rank with coordinate `root` holds, along axis x of q ranks.
inline Schedule bcast_schedule(Int q, Int root, Matrix x, Order order, How how) {
  const Grid grid({{"x", q}});
  Layout at_root = whole(grid, x, order);
  at_root.where = {{0, root}};
  Schedule s = moving(x.m, x.n, grid, at_root, whole(grid, x, order));
  s.steps.push_back({Bcast{0, 2, 0, Affine(root), how}, ""});
  return s;
}

/// C = A, of which every rank holds a piece: of columns in column order, else of rows.
inline Schedule allgather_schedule(Int q, Matrix x, Order order, How how) {
  const Grid grid({{"x", q}});
  Layout part = whole(grid, x, order);
  (order == Order::col ? part.cols : part.rows).cuts.push_back(Cut::even(grid, 0));
  Schedule s = moving(x.m, x.n, grid, part, whole(grid, x, order));
  s.steps.push_back({AllGather{0, 2, 0, how}, ""});
  return s;
}

/// C ←update A B summed over axis x of q ranks, each of which multiplies a part of k; kept by the root, or in pieces.
inline Schedule sum_schedule(Int q, std::optional<Int> root, Matrix x, Int k, Order order, Update update, How how) {
  const Grid grid({{"x", q}});
  Schedule s = moving(x.m, x.n, grid, whole(grid, {x.m, k}, order), whole(grid, x, order));
  std::get<Multiply>(s.problem).k = k;
  s.slots[1].layout = whole(grid, {k, x.n}, order);
  s.slots[0].layout.cols.cuts = s.slots[1].layout.rows.cuts = {Cut::even(grid, 0)};
  s.slots.push_back({"C+", s.slots[2].layout, SlotInfo::Role::partial_sum, -1});
  s.steps.push_back({Compute{Kernel::gemm, 0, 1, 3, Update::overwrite}, ""});
  Layout& result = s.slots[2].layout;
  if (root) {
    result.where = {{0, *root}};
    s.steps.push_back({Reduce{3, 2, 0, Affine(*root), update, how}, ""});
  } else {
    (order == Order::col ? result.cols : result.rows).cuts.push_back(Cut::even(grid, 0));
    s.steps.push_back({ReduceScatter{3, 2, 0, update, how}, ""});
  }
  return s;
}

/// Words and messages that position v of q receives.
struct Received {
  Int words = 0, messages = 0;
  void operator+=(Int w) { words += w, messages += w > 0; }
  void operator+=(Received r) { words += r.words, messages += r.messages; }
};

/// A matrix cut into `parts` along one dimension.
struct Pieces {
  Matrix x;
  bool cols;
  Int parts;
  Int all() const { return x.m * x.n; }
  Int one(Int i) const {
    i = (i % parts + parts) % parts;
    const Int size = cols ? x.n : x.m, other = cols ? x.m : x.n;
    return (size / parts + (i < size % parts ? 1 : 0)) * other;
  }
  Int from(Int first, Int count) const {
    Int sum = 0;
    for (Int i = first; i < first + count; ++i) sum += one(i);
    return sum;
  }
};
/// Along the outer dimension of the storage order where that is long enough, else along the longer one.
inline Pieces pieces(Matrix x, Order order, Int parts) {
  const bool outer_cols = order == Order::col;
  const Int outer = outer_cols ? x.n : x.m;
  return {x, outer >= parts || outer >= std::max(x.m, x.n) ? outer_cols : !outer_cols, parts};
}

inline Int lowest_bit(Int v, Int q) {  // of the root: a power of two that is not below q
  Int d = 1;
  while (v == 0 ? d < q : v % (2 * d) == 0) d *= 2;
  return d;
}

inline Received bcast_received(Way way, Int v, Int q, const Pieces& p, Int segments) {
  Received r;
  if (v == 0) return r;
  if (way == Way::chain) {
    const Pieces s = {p.x, p.cols, segments};
    for (Int i = 0; i < segments; ++i) r += s.one(i);
    return r;
  }
  if (way != Way::scatter_allgather && way != Way::scatter_bruck) {
    r += p.all();
    return r;
  }
  const Int held = std::min(lowest_bit(v, q), q - v);
  r += p.from(v, held);
  if (way == Way::scatter_allgather)
    for (Int i = held; i < q; ++i) r += p.one(v + i);
  else
    for (Int d = 1; d < q; d *= 2) r += p.from(v + d, std::min(d, q - d));
  return r;
}

inline Received halving_received(Int v, Int q, const Pieces& p) {
  Received r;
  for (Int d = 1; d < q; d *= 2) r += p.from(v, std::min(d, q - d));
  return r;
}

inline Received tree_reduce_received(Way way, Int v, Int q, Int words) {
  Received r;
  for (Int u = 1; u < q; ++u) {  // whose parent is v?
    Int top = 1, level = 0, width = 1;
    while (2 * top <= u) top *= 2;
    while (level + width <= u) level += width, width *= 2;  // u is in [level, level + width)
    const Int parent = way == Way::flat     ? 0
                       : way == Way::near   ? u - lowest_bit(u, q)
                       : way == Way::binary ? level - width / 2 + (u - level) % (width / 2)
                                            : u - top;
    if (parent == v) r += words;
  }
  return r;
}

inline Received reduce_received(Way way, Int v, Int q, const Pieces& p, Int segments) {
  Received r;
  if (way == Way::chain) {
    const Pieces s = {p.x, p.cols, segments};
    for (Int i = 0; v < q - 1 && i < segments; ++i) r += s.one(i);
    return r;
  }
  if (way != Way::scatter_gather) return tree_reduce_received(way, v, q, p.all());
  r = halving_received(v, q, p);
  for (Int d = 1; d < lowest_bit(v, q) && v + d < q; d *= 2) r += p.from(v + d, std::min(d, q - v - d));
  return r;
}

inline Received allgather_received(Way way, Int v, Int q, const Pieces& p) {
  Received r;
  const bool doubles = way == Way::doubling && (q & (q - 1)) == 0;
  for (Int d = 1; (way == Way::bruck || way == Way::doubling) && d < q; d *= 2)
    r += doubles ? p.from((v ^ d) / d * d, d) : p.from(v + d, std::min(d, q - d));
  for (Int t = 1; (way == Way::ring || way == Way::direct || way == Way::packed) && t < q; ++t) r += p.one(v + t);
  return r;
}

inline Received reduce_scatter_received(Way way, Int v, Int q, const Pieces& p) {
  if (way == Way::halving) return halving_received(v, q, p);
  Received r;
  if (way == Way::tree) {
    r = tree_reduce_received(Way::near, v, q, p.all());
    if (v > 0) r += p.from(v, std::min(lowest_bit(v, q), q - v));
  }
  for (Int t = 1; way == Way::ring && t < q; ++t) r += p.one(v - 1 - t);
  for (Int t = 1; (way == Way::direct || way == Way::packed) && t < q; ++t) r += p.one(v);
  return r;
}

}  // namespace cairn::testing
