// The eigenvalue problem H·c = ε·S·c of a quantum-chemical calculation brought to standard form: S = L·Lᴴ, and
// C = L⁻¹·H·L⁻ᴴ has the same eigenvalues. H and S are those of 128 water molecules in data/.
//
//     mpirun -n 4 build/dev/examples/04_standard_form data/water128_szv_H.mtx.gz data/water128_szv_S.mtx.gz
//
// run: 4 data/water128_szv_H.mtx.gz data/water128_szv_S.mtx.gz
// expect: S = L·Lᴴ of order 768 on 4 ranks, C = L⁻¹·H·L⁻ᴴ
// expect: L·C·Lᴴ is H but for rounding: yes, the largest error is ... of the largest element
// expect: lowest orbital energy, where C − ε·1 ceases to be positive definite: -0.86234 Hartree
#include <cmath>
#include <cstdio>

#include "cairn/cairn.hpp"

namespace {

using cairn::Diag, cairn::Op, cairn::Side, cairn::Uplo;
using Matrix = cairn::DistMatrix<double>;

double largest(const Matrix& X) {
  double mine = 0, all = 0;
  X.for_each([&](auto, auto, double x) { mine = std::fmax(mine, std::fabs(x)); });
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

Matrix copy_of(const cairn::Comm& world, const Matrix& X) {
  const auto copy = Matrix::own(X.layout(), world.rank());
  cairn::redistribute(world, X, copy);
  return copy;
}

// Whether all eigenvalues of C are above ε: then C − ε·1 has a Cholesky factor.
bool all_above(double epsilon, const cairn::Comm& world, const Matrix& C) {
  const Matrix shifted = copy_of(world, C);
  shifted.for_each([&](auto i, auto j, double& x) { x -= i == j ? epsilon : 0; });
  return cairn::cholesky(world, Uplo::lower, shifted).info == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const cairn::MpiSession mpi(&argc, &argv);
  const cairn::Comm world = cairn::Comm::world();
  if (argc != 3) return std::fprintf(stderr, "expected the files of H and S\n"), 2;

  // L, and C in the place of H, stay where the factorisation wants S.
  const cairn::FileInfo file = cairn::inspect_file(world, argv[2]);
  const cairn::Layout layout = cairn::plan(world, cairn::FactoriseProblem{.n = file.rows}).layout_a();
  const auto L = cairn::read_matrix<double>(world, file, layout),
             H = cairn::read_matrix<double>(world, argv[1], layout);
  const Matrix C = copy_of(world, H);
  cairn::cholesky(world, Uplo::lower, L);
  cairn::solve_triangular(world, Side::left, Uplo::lower, Op::none, Diag::stored, 1.0, L, C);
  cairn::solve_triangular(world, Side::right, Uplo::lower, Op::adjoint, Diag::stored, 1.0, L, C);

  // Back again, with products: S's upper triangle is still above L.
  L.for_each([](auto i, auto j, double& l) { l = i < j ? 0 : l; });
  const auto LC = Matrix::own(layout, world.rank()), difference = copy_of(world, H);
  cairn::multiply(world, L, C, LC);
  cairn::gemm(world, Op::none, Op::adjoint, 1.0, LC, L, -1.0, difference);
  const double error = largest(difference) / largest(H);

  double below = -10, above = 10;
  while (above - below > 1e-7) (all_above((below + above) / 2, world, C) ? below : above) = (below + above) / 2;

  if (world.rank() == 0) {
    std::printf("S = L·Lᴴ of order %lld on %d ranks, C = L⁻¹·H·L⁻ᴴ\n", static_cast<long long>(file.rows), world.size());
    std::printf("L·C·Lᴴ is H but for rounding: %s, the largest error is %.0e of the largest element\n",
                error < 1e-13 ? "yes" : "no", error);
    std::printf("lowest orbital energy, where C − ε·1 ceases to be positive definite: %.5f Hartree\n", below);
  }
}
