#include "interpret/even_moves.hpp"

#include <algorithm>
#include <numeric>

namespace cairn {

namespace {

// Whether a line's messages cross the same levels wherever the line is.
bool lines_alike(const Grid& grid, int axis, const Machine& machine) {
  const Int stride = grid.stride(axis), line = stride * grid.extent(axis);
  return std::all_of(machine.levels.begin(), machine.levels.end(), [&](const Machine::Level& l) {
    if (l.ranks == 0 || stride % l.ranks == 0) return true;
    return l.ranks % stride == 0 && (line % l.ranks == 0 || l.ranks % line == 0);
  });
}

}  // namespace

std::optional<EvenMove> even_move(Clocked& c, const Move& m) {
  if (m.from != Move::From::one || !m.by.terms.empty() || !m.origin.terms.empty()) return std::nullopt;
  const Sizes::Words& words = c.sizes.travelling(m);
  if (words.found || !Sizes::everywhere(*words.rows) || !Sizes::everywhere(*words.cols)) return std::nullopt;
  if (!lines_alike(c.s.grid, m.axis, c.machine)) return std::nullopt;
  const Int q = c.s.grid.extent(m.axis);
  EvenMove e{m.axis, wrap(m.by.constant, q), wrap(m.origin.constant, q), m.who, {}, 0};
  e.words = words.rows->values[0] * words.cols->values[0];
  for (const Layout::Where& at : c.s.layout(m.dst).where) {
    if (at.axis != e.axis) {
      e.where.push_back(at);
      continue;
    }
    const Int v = wrap(at.index - e.origin, q);
    e.who = e.who.has(v) ? Who{v, v + 1} : Who{};
  }
  return e;
}

Int grain(const Grid& grid, int axis, const Machine& machine) {
  const Int stride = grid.stride(axis), line = stride * grid.extent(axis);
  Int g = 1;
  for (const Machine::Level& l : machine.levels)
    if (l.ranks > stride && l.ranks % line != 0) g = std::lcm(g, l.ranks / stride);
  return g;
}

}  // namespace cairn
