// Every MPI call goes through MPI_TRY: a failure becomes a RuntimeError that says which call and why.
#pragma once
#include <mpi.h>

#include <string>

#include "base/arithmetic.hpp"

namespace cairn {

/// What MPI says of an error.
std::string mpi_error_text(int code);
[[noreturn]] void throw_mpi_error(int code, const char* call);

/// Whether MPI has ended: nothing can be given back to it any more.
bool mpi_has_ended();

/// The MPI datatype of an element.
MPI_Datatype mpi_type(ScalarType type);

}  // namespace cairn

#define MPI_TRY(call)                                                        \
  do {                                                                       \
    if (const int mpi_code_ = (call); mpi_code_ != MPI_SUCCESS) [[unlikely]] \
      ::cairn::throw_mpi_error(mpi_code_, #call);                            \
  } while (false)
