#include "algorithms/operands.hpp"

#include <fmt/format.h>

#include "cairn/error.hpp"

namespace cairn {

namespace {

bool is_complex(ScalarType t) { return t == ScalarType::complex64 || t == ScalarType::complex128; }

// The caller's layout of X, seen as op(X).
Layout seen(const char* name, const std::optional<Layout>& held, Op op, const Layout& wanted) {
  if (!held) return wanted;
  const Layout l = op == Op::none ? *held : held->transposed();
  if (l.m() != wanted.m() || l.n() != wanted.n())
    throw ArgumentError(
        fmt::format("{}: op({}) is {}x{}, expected {}x{}", name, name, l.m(), l.n(), wanted.m(), wanted.n()));
  return l;
}

}  // namespace

Slot input_a(Builder& s, const GemmProblem& p, const Layout& wanted, Here at) {
  return s.input("A", seen("A", p.a, p.op_a, wanted), wanted, p.op_a == Op::adjoint && is_complex(p.type), at);
}

Slot input_b(Builder& s, const GemmProblem& p, const Layout& wanted, Here at) {
  return s.input("B", seen("B", p.b, p.op_b, wanted), wanted, p.op_b == Op::adjoint && is_complex(p.type), at);
}

Slot output_c(Builder& s, const GemmProblem& p, const Layout& made) {
  return s.output("C", seen("C", p.c, Op::none, made), made);
}

}  // namespace cairn
