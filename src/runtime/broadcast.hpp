// Bytes, texts and vectors of numbers of any length, from rank 0 to all.
#pragma once
#include <algorithm>

#include "runtime/agreed_errors.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

inline void broadcast(const Comm& comm, void* data, std::size_t bytes) {
  constexpr std::size_t most = std::size_t{1} << 30;  // MPI counts with int
  for (std::size_t at = 0; at < bytes; at += most)
    MPI_TRY(MPI_Bcast(static_cast<char*>(data) + at, static_cast<int>(std::min(most, bytes - at)), MPI_BYTE, 0,
                      comm.raw()));
}

/// A string or a vector of numbers.
template <class Numbers>
void broadcast(const Comm& comm, Numbers& numbers) {
  Int size = static_cast<Int>(numbers.size());
  broadcast(comm, &size, sizeof size);
  together(comm, [&] { numbers.resize(static_cast<std::size_t>(size)); });
  broadcast(comm, numbers.data(), numbers.size() * sizeof numbers[0]);
}

}  // namespace cairn
