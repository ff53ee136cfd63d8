// Single numbers of all ranks.
#pragma once
#include <type_traits>

#include "cairn/comm.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

/// What MPI_SUM, MPI_MAX or MPI_MIN makes of all ranks' numbers. Collective, one reduction.
template <class Number>
Number over_ranks(const Comm& comm, MPI_Op op, Number x) {
  constexpr bool is_signed = std::is_signed_v<Number>;
  const MPI_Datatype type = std::is_same_v<Number, double> ? MPI_DOUBLE
                            : sizeof x == sizeof(int)      ? MPI_INT
                            : is_signed                    ? MPI_INT64_T
                                                           : MPI_UINT64_T;
  MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &x, 1, type, op, comm.raw()));
  return x;
}

/// Where a rank's own begins in a whole that has `total` already and to which the ranks add in turn; `total` grows by
/// what all add. Collective.
inline Int take_turns(const Comm& comm, Int mine, Int& total) {
  Int before = 0;
  MPI_TRY(MPI_Exscan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, comm.raw()));
  if (comm.rank() == 0) before = 0;  // MPI_Exscan leaves it undefined there
  before += total;
  total += over_ranks(comm, MPI_SUM, mine);
  return before;
}

}  // namespace cairn
