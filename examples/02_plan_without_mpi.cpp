// What a multiplication on 512 ranks will receive, hold and take: planned on a laptop, no MPI run, no matrices.
//
//     build/dev/examples/02_plan_without_mpi
//
// run: 0
// expect: C = A·B: 20000 x 20000 x 20000 (m x n x k), float64, on 512 ranks
// expect:
// expect:   algorithm           cosma pm8,pn8,pk8...
// expect:   grid                8 x 8 x 8 (pm x pn x pk) = 512 of 512 ranks, 0 idle
// expect:   because             ...
// expect:   a rank multiplies   2500 x 2500 x 2500
// expect:   rounds              ...
// expect:
// expect: communication of a rank                     mean               max
// expect:   words received                      16,406,250        ...
// expect:   words received on the wire          16,406,250        ...
// expect:   messages received...
// expect:
// expect: lower bounds                               words      plan / bound
// expect:   received, any memory                16,406,250             1.0...
// expect:   touched, Theorem 2                  18,750,000             1.0...
// expect:   touched in all, Theorem 1...
// expect:   with ... words of memory, what the plan uses; touched: received, or own part of A, B or C
// expect:
// expect: computation                                 mean               max     utilisation
// expect:   flops of a rank                 31,250,000,000    31,250,000,000        100.00 %
// expect:
// expect: memory of the fullest rank                 words             bytes
// expect:   own part of A                          ...
// expect:   own part of B                          ...
// expect:   own part of C                          ...
// expect:   gathered panels...
// expect:   partial sums of C                    6,250,000          47.7 MiB
// expect:   peak...
// expect:
// expect: time predicted for "generic"           last rank            of all
// expect:   computation...
// expect:   communication...
// expect:     of it waited for...
// expect:   steps...
// expect:   in all...
// expect:   figures: orders of magnitude of a current cluster, one rank a core
// expect:
// expect: rank 511 alone: ... words
// expect: memory: 2000000 words a rank are too few for any plan, expected at least ...
#include <cstdio>

#include "cairn/error.hpp"
#include "cairn/plan.hpp"

int main() {
  cairn::GemmProblem problem;
  problem.m = problem.n = problem.k = 20000;
  problem.ranks = 512;

  cairn::Options options;
  options.prefer = "words";  // among the plans that are about as fast as the fastest
  const cairn::Plan plan = cairn::plan(problem, options);
  std::printf("%s", plan.explain().c_str());
  std::printf("\nrank 511 alone: %lld words\n", static_cast<long long>(plan.count(511).received));

  options.memory_words = 2'000'000;  // less than a rank's share of A, B and C
  try {
    cairn::plan(problem, options);
  } catch (const cairn::MemoryError& e) {
    std::printf("%s\n", e.what());
  }
}
