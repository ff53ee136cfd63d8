#include "scalapack/submatrix.hpp"

#include "cairn/redistribute.hpp"
#include "io/memory_size.hpp"
#include "runtime/over_ranks.hpp"
#include "scalapack/settings.hpp"

namespace cairn::scalapack {

bool fits_memory(const Comm& comm, Op op, const Layout& a, const Layout& b, ScalarType type) {
  if (settings().memory.empty()) return true;
  const Int most = io::words_of_memory(settings().memory, "CAIRN_MEMORY", type);
  return over_ranks(comm, MPI_MAX, Int{count_redistribution(op, a, b, comm.size(), comm.rank()).peak_words > most}) ==
         0;
}

}  // namespace cairn::scalapack
