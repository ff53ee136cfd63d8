// Every MPI call goes through MPI_TRY: a failure becomes a RuntimeError that says which call and why.
#pragma once
#include <mpi.h>

#include "base/arithmetic.hpp"

namespace cairn {

[[noreturn]] void throw_mpi_error(int code, const char* call);

/// The MPI datatype of an element.
MPI_Datatype mpi_type(ScalarType type);

}  // namespace cairn

#define MPI_TRY(call)                                                        \
  do {                                                                       \
    if (const int mpi_code_ = (call); mpi_code_ != MPI_SUCCESS) [[unlikely]] \
      ::cairn::throw_mpi_error(mpi_code_, #call);                            \
  } while (false)
