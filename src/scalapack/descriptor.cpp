#include "scalapack/descriptor.hpp"

namespace cairn::scalapack {

Descriptor parse_descriptor(const int* d) {
  Descriptor x;
  x.type = d[0], x.context = d[1];
  if (!x.known()) return x;
  x.m = d[2], x.n = d[3];
  x.imb = d[4], x.inb = d[5];
  const int* const rest = x.type == Descriptor::type_1 ? d + 4 : d + 6;
  x.mb = rest[0], x.nb = rest[1];
  x.rsrc = rest[2], x.csrc = rest[3];
  x.lld = rest[4];
  return x;
}

Dealt rows_of(const Descriptor& d, const ProcessGrid& grid) { return {d.imb, d.mb, d.rsrc, grid.rows}; }
Dealt cols_of(const Descriptor& d, const ProcessGrid& grid) { return {d.inb, d.nb, d.csrc, grid.cols}; }

Int Dealt::count(Int extent, int part) const {
  if (everywhere()) return extent;
  const Int turn = wrap(part - src, parts);
  if (extent <= first) return turn == 0 ? extent : 0;
  const Int whole = (extent - first) / block, rest = (extent - first) % block;  // blocks after the first one
  const Int dealt = turn == 0 ? whole / parts : (whole - turn) / parts + (whole >= turn ? 1 : 0);
  return (turn == 0 ? first : 0) + dealt * block + ((whole + 1) % parts == turn ? rest : 0);
}

Dealt Dealt::from(Int start) const {
  if (everywhere()) return *this;
  const Int number = start < first ? 0 : 1 + (start - first) / block;
  const Int rest = start < first ? first - start : block - (start - first) % block;
  return {rest, block, static_cast<int>((src + number) % parts), parts};
}

namespace {

std::vector<Cut> cuts(const Dealt& x, int axis) {
  if (x.everywhere()) return {};
  return {Cut{Cut::Kind::cyclic, x.parts, Affine::along(axis) + Affine(-x.src), x.block, x.first, {}}};
}

}  // namespace

Layout layout_of(const Dealt& rows, Int m, const Dealt& cols, Int n, const ProcessGrid& grid) {
  Layout l;
  l.grid = Grid({{"pr", grid.rows}, {"pc", grid.cols}});
  l.rows = {{0, m}, cuts(rows, 0)};
  l.cols = {{0, n}, cuts(cols, 1)};
  return l;
}

Layout layout_of(const Descriptor& d, Int i, Int j, Int m, Int n, const ProcessGrid& grid) {
  return layout_of(rows_of(d, grid).from(i), m, cols_of(d, grid).from(j), n, grid);
}

Int offset_of(const Descriptor& d, Int i, Int j, const ProcessGrid& grid) {
  return rows_of(d, grid).count(i, grid.row) + cols_of(d, grid).count(j, grid.col) * d.lld;
}

}  // namespace cairn::scalapack
