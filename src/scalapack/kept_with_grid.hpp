// What the drop-in keeps with a grid.
#pragma once
#include <array>
#include <memory>
#include <optional>

#include "cairn/comm.hpp"
#include "scalapack/notice_board.hpp"
#include "scalapack/plan_families.hpp"

namespace cairn::scalapack {

struct Kept {
  int calls = 0;  ///< for which a notice board would have served
  std::unique_ptr<NoticeBoard> board;
  PlanFamilies families;
  std::optional<std::array<Int, 4>> memory_words;  ///< by type, see memory_words()
};

/// Of the grid with this communicator, as long as it lives.
Kept& kept_with(const Comm& comm);

/// The least CAIRN_MEMORY of all ranks, in elements of the type; none if no rank has any. Collective the first time,
/// then kept with the grid.
std::optional<Int> memory_words(const Comm& comm, ScalarType type);

}  // namespace cairn::scalapack
