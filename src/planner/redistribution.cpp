#include "planner/redistribution.hpp"

#include "interpret/redistribution.hpp"

namespace cairn {

namespace {

double seconds(const Layout& src, const Layout& dst, const GemmProblem& p, const Machine& machine) {
  return src.same_ownership(dst, p.ranks) ? 0 : redistribution_seconds(src, dst, p.ranks, machine, p.type);
}

}  // namespace

bool has_layouts(const GemmProblem& p) { return p.a || p.b || p.c; }

GemmProblem native(const GemmProblem& p) {
  GemmProblem n;
  n.m = p.m, n.n = p.n, n.k = p.k;
  n.ranks = p.ranks;
  n.type = p.type;
  return n;
}

Schedule native_cosma(const GemmProblem& p, const CosmaWay& way) { return cosma(native(p), way.cuts()); }

double redistribution_seconds(const GemmProblem& p, const Machine& machine, const Schedule& s) {
  const auto seen = [](const Layout& held, Op op) { return op == Op::none ? held : held.transposed(); };
  double sum = 0;
  if (p.a) sum += seconds(seen(*p.a, p.op_a), s.layout(s.find("A")), p, machine);
  if (p.b) sum += seconds(seen(*p.b, p.op_b), s.layout(s.find("B")), p, machine);
  if (p.c) sum += seconds(s.layout(s.find("C")), *p.c, p, machine);
  return sum;
}

}  // namespace cairn
