// What the drop-in keeps with a grid.
#pragma once
#include <memory>

#include "cairn/comm.hpp"
#include "scalapack/notice_board.hpp"
#include "scalapack/plan_families.hpp"

namespace cairn::scalapack {

struct Kept {
  int calls = 0;  ///< for which a notice board would have served
  std::unique_ptr<NoticeBoard> board;
  PlanFamilies families;
};

/// Of the grid with this communicator, as long as it lives.
Kept& kept_with(const Comm& comm);

}  // namespace cairn::scalapack
