#include "runtime/largest_of_ranks.hpp"

#include "cairn/comm.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

void largest(const Comm& comm, std::span<Int> values) {
  if (comm.size() == 1) return;
  const int count = to_int(static_cast<Int>(values.size()), "values to compare");
  MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_INT64_T, MPI_MAX, comm.raw()));
}

}  // namespace cairn
