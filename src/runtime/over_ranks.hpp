// Sums, largest and least of all ranks' numbers.
#pragma once
#include <array>
#include <concepts>
#include <functional>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>

#include "cairn/comm.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

/// The MPI datatype of an integer or an element.
template <class Number>
MPI_Datatype mpi_type_of() {
  if constexpr (!std::integral<Number>)
    return mpi_type(scalar_type_of<Number>);
  else
    return sizeof(Number) == sizeof(int) ? MPI_INT : std::is_signed_v<Number> ? MPI_INT64_T : MPI_UINT64_T;
}

/// Each of the numbers becomes what MPI_SUM, MPI_MAX or MPI_MIN makes of its values on all ranks, which pass as many.
/// Collective, one reduction.
template <std::ranges::contiguous_range Numbers>
void over_ranks(const Comm& comm, MPI_Op op, Numbers& numbers) {
  if (comm.size() == 1) return;
  const int count = to_int(static_cast<Int>(std::ranges::size(numbers)), "values");
  MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, std::ranges::data(numbers), count,
                        mpi_type_of<std::ranges::range_value_t<Numbers>>(), op, comm.raw()));
}

/// The same of one number.
template <class Number>
requires(!std::ranges::range<Number>) [[nodiscard]] Number over_ranks(const Comm& comm, MPI_Op op, Number x) {
  std::span<Number, 1> one(&x, 1);
  over_ranks(comm, op, one);
  return x;
}

/// Whether no rank has a problem, and all have the same bytes. Collective, one reduction.
inline bool same_on_all(const Comm& comm, bool fine, std::string_view bytes) {
  const auto hash = static_cast<Int>(std::hash<std::string_view>{}(bytes) >> 1);
  std::array<Int, 3> most{fine ? 0 : 1, hash, -hash};
  over_ranks(comm, MPI_MAX, most);
  return most[0] == 0 && most[1] == -most[2];
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
