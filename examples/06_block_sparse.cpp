// The inverse of an overlap matrix by Hotelling's iteration, X = X·(2 − S·X), with block-sparse products that leave out
// what is small: the first step of linear-scaling electronic structure. S is that of 128 water molecules in data/, of 6
// functions each.
//
//     mpirun -n 4 build/dev/examples/06_block_sparse data/water128_szv_S.mtx.gz
//
// run: 4 data/water128_szv_S.mtx.gz
// expect: S: 128 x 128 blocks on 4 ranks, ... % of them there
// expect: 8 iterations, S⁻¹: ... % of its blocks there
// expect: largest element of S·S⁻¹ - 1: below 1e-05
// expect: a rank received ... words in the mean, about ... were predicted
#include <cmath>
#include <cstdio>

#include "cairn/cairn.hpp"

using cairn::Op;
using Matrix = cairn::BlockSparse<double>;

int main(int argc, char** argv) {
  const cairn::MpiSession mpi(&argc, &argv);
  const cairn::Comm world = cairn::Comm::world();
  if (argc != 2) return std::fprintf(stderr, "expected the file of S\n"), 2;

  const cairn::FileInfo file = cairn::inspect_file(world, argv[1]);
  const auto dense =
      cairn::read_matrix<double>(world, file, cairn::Layout::row_blocks(file.rows, file.cols, world.size()));
  constexpr cairn::BlockIndex functions = 6;
  const auto molecules = static_cast<std::size_t>(file.rows / functions);
  const cairn::BlockSizes sizes(molecules, functions);
  const auto where = cairn::BlockDistribution::dealt(file.rows / functions, file.rows / functions, world.size());
  constexpr double eps = 1e-7;
  const Matrix S = Matrix::from_dense(world, dense, sizes, sizes, where, eps);

  // X = 1/‖S‖ is near enough, since S is positive definite.
  Matrix X(world, sizes, sizes, where), R(X), Y(X);
  X.add_to_diagonal(1 / S.norm(cairn::Norm::gershgorin));
  const cairn::BlockProductOptions filtered{.filter_eps = eps};
  double words[2] = {0, 0};  // received, predicted
  const auto product = [&](double alpha, const Matrix& A, const Matrix& B, double beta, Matrix& C) {
    const auto report = cairn::multiply(Op::none, Op::none, alpha, A, B, beta, C, filtered);
    words[0] += static_cast<double>(report.received), words[1] += report.predicted;
  };
  int iterations = 0;
  const auto residual = [&] {  // R = 1 − S·X
    product(-1, S, X, 0, R);
    R.add_to_diagonal(1);
    return R.norm(cairn::Norm::max);
  };
  while (residual() > 1e-5 && iterations < 100) {
    Y = X;
    product(1, X, R, 1, Y);  // X·(2 − S·X) = X + X·R
    std::swap(X, Y);
    ++iterations;
  }

  const double of_s = 100 * S.occupancy(), of_x = 100 * X.occupancy(), error = R.norm(cairn::Norm::max);
  MPI_Allreduce(MPI_IN_PLACE, words, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (world.rank() == 0) {
    std::printf("S: %zu x %zu blocks on %d ranks, %.1f %% of them there\n", molecules, molecules, world.size(), of_s);
    std::printf("%d iterations, S⁻¹: %.1f %% of its blocks there\n", iterations, of_x);
    std::printf("largest element of S·S⁻¹ - 1: %s\n", error < 1e-5 ? "below 1e-05" : "too large");
    std::printf("a rank received %.0f words in the mean, about %.0f were predicted\n", words[0] / world.size(),
                words[1] / world.size());
  }
  return 0;
}
