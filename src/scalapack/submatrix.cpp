#include "scalapack/submatrix.hpp"

#include "cairn/redistribute.hpp"
#include "runtime/over_ranks.hpp"
#include "scalapack/kept_with_grid.hpp"

namespace cairn::scalapack {

bool fits_memory(const Comm& comm, Op op, const Layout& a, const Layout& b, ScalarType type) {
  const std::optional<Int> most = memory_words(comm, type);
  if (!most) return true;
  return over_ranks(comm, MPI_MAX, Int{count_redistribution(op, a, b, comm.size(), comm.rank()).peak_words > *most}) ==
         0;
}

}  // namespace cairn::scalapack
