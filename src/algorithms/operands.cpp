#include "algorithms/operands.hpp"

#include <fmt/format.h>

#include "base/scalars.hpp"
#include "cairn/error.hpp"

namespace cairn {

namespace {

Seen seen(const GemmProblem& p, const std::optional<Layout>& held, Op op) {
  Seen x;
  if (held) x.layout = op == Op::none ? *held : held->transposed();
  x.conjugated = op == Op::adjoint && is_complex(p.type);
  return x;
}

Layout layout_of(const char* name, const Seen& x, const Layout& wanted) {
  if (!x.layout) return wanted;
  const Layout& l = *x.layout;
  if (l.m() != wanted.m() || l.n() != wanted.n())
    throw ArgumentError(
        fmt::format("{}: op({}) is {}x{}, expected {}x{}", name, name, l.m(), l.n(), wanted.m(), wanted.n()));
  return l;
}

}  // namespace

Seen seen_a(const GemmProblem& p) { return seen(p, p.a, p.op_a); }
Seen seen_b(const GemmProblem& p) { return seen(p, p.b, p.op_b); }
Seen seen_c(const GemmProblem& p) { return seen(p, p.c, Op::none); }

Slot input_a(Builder& s, const GemmProblem& p, const Layout& wanted, Here at) {
  const Seen A = seen_a(p);
  return s.input("A", layout_of("A", A, wanted), wanted, A.conjugated, at);
}

Slot input_b(Builder& s, const GemmProblem& p, const Layout& wanted, Here at) {
  const Seen B = seen_b(p);
  return s.input("B", layout_of("B", B, wanted), wanted, B.conjugated, at);
}

Slot output_c(Builder& s, const GemmProblem& p, const Layout& made) {
  return s.output("C", layout_of("C", seen_c(p), made), made);
}

}  // namespace cairn
