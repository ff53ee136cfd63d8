// What each of two MPIs runs of a sweep, and searches for plans that the ranks share among themselves.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/comm.hpp"
#include "cairn/types.hpp"
#include "how_much.hpp"

namespace cairn::testing {

/// Whether this MPI library runs case number so and so: of each two, Open MPI runs one and MPICH the other.
inline bool mine(std::size_t number) {
  static const bool mpich = [] {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> name{};
    int length = 0;
    MPI_Get_library_version(name.data(), &length);
    return std::string_view(name.data()).find("MPICH") != std::string_view::npos;
  }();
  return everything() || (number % 2 == 1) == mpich;
}

/// Collective: what `search(i)` finds for 0 ≤ i < cases, at most 255 characters, searched by one rank each.
template <class Search>
std::vector<std::string> searched_once(const Comm& comm, std::size_t cases, Search search) {
  std::vector<std::array<char, 256>> found(cases, std::array<char, 256>{});
  for (auto i = static_cast<std::size_t>(comm.rank()); i < cases; i += static_cast<std::size_t>(comm.size())) {
    const std::string text = search(i);
    if (text.size() > 255) throw std::length_error(text);
    std::ranges::copy(text, found[i].begin());
  }
  MPI_Allreduce(MPI_IN_PLACE, found.data(), static_cast<int>(256 * cases), MPI_SIGNED_CHAR, MPI_MAX, comm.raw());
  std::vector<std::string> all;
  for (const auto& text : found) all.emplace_back(text.data());
  return all;
}

}  // namespace cairn::testing
