// C = Aᵀ·B with matrices that stay where the program has them: A block-cyclic as in ScaLAPACK, B in blocks of rows,
// C block-cyclic. Cairn moves them to where COSMA wants them and hands C back.
//
//     mpirun -n 6 build/dev/examples/01_your_layouts
//
// run: 6
// expect: largest error of any element of C: 0
// expect: a second product gives the same bits: yes
#include <cmath>
#include <cstdio>
#include <vector>

#include "cairn/cairn.hpp"

namespace {

constexpr cairn::Int m = 90, n = 70, k = 110;

// The largest |C(i, j) − Σ A(p, i)·B(p, j)| on any rank, where A(p, i) = p − i and B(p, j) = p + j.
double largest_error(const cairn::DistMatrix<double>& C) {
  double mine = 0, most = 0;
  C.for_each([&](auto i, auto j, double c) {
    double expected = 0;
    for (cairn::Int p = 0; p < k; ++p) expected += static_cast<double>((p - i) * (p + j));
    mine = std::fmax(mine, std::fabs(c - expected));
  });
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

}  // namespace

int main(int argc, char** argv) {
  const cairn::MpiSession mpi(&argc, &argv);
  const cairn::Comm world = cairn::Comm::world();
  using Matrix = cairn::DistMatrix<double>;
  constexpr int expected = 6;
  if (world.size() != expected) {
    if (world.rank() == 0) std::fprintf(stderr, "ranks: %d, expected %d\n", world.size(), expected);
    return 1;
  }

  // Blocks of 16 × 16 dealt over a 2 × 3 grid of ranks. A is stored k × m and used transposed.
  const cairn::Layout::BlockCyclic dealt{.mb = 16, .nb = 16, .pr = 2, .pc = 3};
  const auto A = Matrix::own(cairn::Layout::block_cyclic(k, m, dealt), world.rank());
  const auto B = Matrix::own(cairn::Layout::row_blocks(k, n, world.size(), cairn::Order::row), world.rank());
  A.for_each([](auto p, auto i, double& a) { a = static_cast<double>(p - i); });
  B.for_each([](auto p, auto j, double& b) { b = static_cast<double>(p + j); });

  // Memory that belongs to the program can be borrowed: here C's part, with room between its columns.
  const cairn::Layout c_layout = cairn::Layout::block_cyclic(m, n, dealt);
  const cairn::Int rows = c_layout.rows_at(world.rank()).size(), cols = c_layout.cols_at(world.rank()).size();
  const cairn::Int ld = rows + 5;
  std::vector<double> mine(static_cast<std::size_t>(ld * cols));
  const Matrix C = Matrix::borrow(c_layout, world.rank(), mine.data(), ld * cols, ld);

  cairn::gemm<double>(world, cairn::Op::transpose, cairn::Op::none, 1.0, A, B, 0.0, C);
  const double error = largest_error(C);

  // The plan is kept with the communicator: a product of the same shape and layouts plans no more.
  const std::vector<double> before = mine;
  cairn::gemm<double>(world, cairn::Op::transpose, cairn::Op::none, 1.0, A, B, 0.0, C);
  int same = mine == before, all_same = 0;
  MPI_Allreduce(&same, &all_same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);

  if (world.rank() == 0) {
    std::printf("largest error of any element of C: %g\n", error);
    std::printf("a second product gives the same bits: %s\n", all_same ? "yes" : "no");
  }
}
