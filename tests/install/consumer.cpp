// A user's program, built against the installed package alone; it plans, which needs no MPI.
#include <cstdio>

#include "cairn/plan.hpp"
#include "cairn/version.hpp"

int main() {
  cairn::GemmProblem problem;
  problem.m = problem.n = problem.k = 64;
  problem.ranks = 8;
  const cairn::Plan plan = cairn::plan(problem);
  std::printf("cairn %s: %s\n", cairn::version, plan.algorithm().c_str());
  return plan.max_count().flops >= 2 * 64 * 64 * 64 / 8 ? 0 : 1;
}
