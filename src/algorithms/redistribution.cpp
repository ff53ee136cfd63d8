#include "algorithms/redistribution.hpp"

#include "schedule/builder.hpp"

namespace cairn {

Schedule redistribution(Op op, const Layout& a, const Layout& b, Int ranks) {
  Builder s("redistribute", Copy{b.m(), b.n()}, Grid(), ranks);
  const Layout seen = op == Op::none ? a : a.transposed();  // op(A) lies where A lies
  const Slot A = s.input("A", seen, seen, false), B = s.output("B", b, b);
  s.redistribute(A, B, op == Op::adjoint);
  return s.done();
}

}  // namespace cairn
