// Whether a rank's part of a matrix is its own, and has the memory that its layout asks for.
#pragma once
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "cairn/matrix.hpp"
#include "model/whole_layout.hpp"

namespace cairn {

/// What is wrong with this rank's part of X: made for another rank, null, too narrow or too short.
template <class T>
std::optional<std::string> problem_with_part(std::string_view name, const DistMatrix<T>& X, int rank) {
  if (X.rank() != rank) return fmt::format("{}: made for rank {}, expected rank {}", name, X.rank(), rank);
  const Layout& l = X.layout();
  const Int words = l.words(rank);
  if (words == 0) return {};
  if (!X.data()) return fmt::format("{}: null, expected room for {} elements", name, words);
  Int needed = words;
  if (!l.blocks) {
    const Int line = (l.order == Order::col ? l.rows : l.cols).size(l.grid, rank);
    if (X.ld() < line) return fmt::format("{}: leading dimension {}, expected at least {}", name, X.ld(), line);
    if (__builtin_mul_overflow(words / line - 1, X.ld(), &needed) || __builtin_add_overflow(needed, line, &needed))
      return fmt::format("{}: leading dimension {}, expected less: {} lines of {} do not fit into 2^63 elements", name,
                         X.ld(), words / line, line);
  }
  if (X.words() >= needed) return {};
  return fmt::format("{}: a buffer of {} elements, expected at least {}", name, X.words(), needed);
}

/// The same, and that not each element is on one rank, or in copies.
template <class T>
std::optional<std::string> problem_with_single_part(std::string_view name, const DistMatrix<T>& X, int rank) {
  if (auto problem = unless_whole(name, X.layout())) return problem;
  return problem_with_part(name, X, rank);
}

/// What is wrong with a layout on a communicator of so many ranks.
inline std::optional<std::string> problem_with_ranks(std::string_view name, const Layout& layout, int ranks) {
  if (layout.grid.ranks() <= ranks) return {};
  return fmt::format("{}: a layout on {} ranks, expected at most the {} of the communicator", name, layout.grid.ranks(),
                     ranks);
}

}  // namespace cairn
