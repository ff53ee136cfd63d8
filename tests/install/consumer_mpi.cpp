// A user's program that multiplies, on as many ranks as it is started on, here one.
#include <cstdio>

#include "cairn/cairn.hpp"

int main(int argc, char** argv) {
  try {
    cairn::Comm::from_fortran(0);
    return 26;
  } catch (const cairn::RuntimeError&) {  // MPI has not begun
  }
  const cairn::MpiSession session(&argc, &argv);
  const cairn::Comm comm = cairn::Comm::world();
  const auto matrix = [&] {
    return cairn::DistMatrix<double>::own(cairn::Layout::row_blocks(5, 5, comm.size()), comm.rank());
  };
  const auto A = matrix(), B = matrix(), C = matrix();
  A.for_each([](cairn::Int i, cairn::Int j, double& x) { x = static_cast<double>(i + j); });
  B.for_each([](cairn::Int i, cairn::Int j, double& x) { x = i == j ? 2 : 0; });
  cairn::multiply(comm, A, B, C);
  int wrong = 0;
  C.for_each([&](cairn::Int i, cairn::Int j, double x) { wrong += x != static_cast<double>(2 * (i + j)); });
  std::printf("%d of 25 elements wrong\n", wrong);
  return wrong;
}
