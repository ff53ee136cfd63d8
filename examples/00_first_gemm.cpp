// C = A·B with each matrix in the layout that the plan asks for: nothing is redistributed.
//
//     mpirun -n 4 build/dev/examples/00_first_gemm
//
// run: 4
// expect: ...: C(0, 0) = 71820100, expected 71820100
// expect: rank 0 received {words} words, the plan says {words}
#include <cstdio>

#include "cairn/cairn.hpp"

int main(int argc, char** argv) {
  const cairn::MpiSession mpi(&argc, &argv);
  const cairn::Comm world = cairn::Comm::world();

  const cairn::Plan plan = cairn::plan(world, {.m = 1000, .n = 800, .k = 600});
  cairn::Multiplication<double> multiplication(world, plan);  // plan once, run many times

  // Each rank has its part of each matrix, zero at first. Indices i, j are those of the whole matrix.
  const auto A = cairn::DistMatrix<double>::own(plan.layout_a(), world.rank());
  const auto B = cairn::DistMatrix<double>::own(plan.layout_b(), world.rank());
  const auto C = cairn::DistMatrix<double>::own(plan.layout_c(), world.rank());
  A.for_each([](auto i, auto j, double& a) { a = static_cast<double>(i + j); });
  B.for_each([](auto i, auto j, double& b) { b = static_cast<double>(i - j); });

  const cairn::RunReport report = multiplication.run(1.0, A, B, 0.0, C);

  if (world.rank() == 0) {  // C(0, 0) = 0² + 1² + … + 599² = 599·600·1199/6
    std::printf("%s: C(0, 0) = %.0f, expected 71820100\n", plan.algorithm().c_str(), C.local()(0, 0));
    std::printf("rank 0 received %lld words, the plan says %lld\n", static_cast<long long>(report.received),
                static_cast<long long>(plan.count(0).wire_words));
  }
}
