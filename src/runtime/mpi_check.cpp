#include "runtime/mpi_check.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "cairn/error.hpp"

namespace cairn {

std::string mpi_error_text(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return {text.data(), static_cast<std::size_t>(length)};
}

void throw_mpi_error(int code, const char* call) {
  const std::string_view name(call);
  throw RuntimeError(fmt::format("{} failed: {}", name.substr(0, name.find('(')), mpi_error_text(code)));
}

bool mpi_has_ended() {
  int ended = 0;
  MPI_Finalized(&ended);
  return ended != 0;
}

MPI_Datatype mpi_type(ScalarType type) {
  switch (type) {
    case ScalarType::float32: return MPI_FLOAT;
    case ScalarType::float64: return MPI_DOUBLE;
    case ScalarType::complex64: return MPI_C_FLOAT_COMPLEX;
    default: return MPI_C_DOUBLE_COMPLEX;
  }
}

}  // namespace cairn
