// Whether matrices that meet in one operation are on the same ranks.
#pragma once
#include <fmt/format.h>

#include <optional>
#include <string>

#include "cairn/comm.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

/// What is wrong with matrix `x` on communicator `its`, where `other` is on `comm`: a block's owner is a number, which
/// has to be the same process in both. Not collective.
inline std::optional<std::string> unless_same_ranks(const char* x, const Comm& its, const char* other,
                                                    const Comm& comm) {
  if (its.raw() == comm.raw()) return {};
  int found = MPI_IDENT;
  MPI_TRY(MPI_Comm_compare(its.raw(), comm.raw(), &found));
  if (found == MPI_IDENT || found == MPI_CONGRUENT) return {};
  return fmt::format("{}: on other ranks than {}, or in another order, expected the same communicator or a copy of it",
                     x, other);
}

}  // namespace cairn
