#include "runtime/largest_of_ranks.hpp"

#include "cairn/comm.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

template <class T>
void reduce(const Comm& comm, std::span<T> values, MPI_Datatype type) {
  if (comm.size() == 1) return;
  const int count = to_int(static_cast<Int>(values.size()), "values to compare");
  MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, values.data(), count, type, MPI_MAX, comm.raw()));
}

}  // namespace

void largest(const Comm& comm, std::span<Int> values) { reduce(comm, values, MPI_INT64_T); }
void largest(const Comm& comm, std::span<double> values) { reduce(comm, values, MPI_DOUBLE); }

}  // namespace cairn
