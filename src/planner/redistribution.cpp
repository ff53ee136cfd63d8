#include "planner/redistribution.hpp"

#include "schedule/transfers.hpp"

namespace cairn {

namespace {

double seconds(const Layout& src, const Layout& dst, const GemmProblem& p, const Machine& machine) {
  if (src.same_ownership(dst, p.ranks)) return 0;
  Int words = 0;
  for (Int r = 0; r < p.ranks; ++r) words = std::max(words, dst.words(r) - transfer(src, dst, r, r).words());
  std::size_t messages = 0;
  for (Int r : {Int{0}, p.ranks / 2, p.ranks - 1}) messages = std::max(messages, incoming(src, dst, r, p.ranks).size());
  const Machine::Level& level = machine.levels[machine.level_of(p.ranks)];
  return (words > 0 ? level.latency_seconds : 0) + static_cast<double>(messages) * level.gap_seconds +
         static_cast<double>(words * size_of(p.type)) * level.seconds_per_byte;
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
