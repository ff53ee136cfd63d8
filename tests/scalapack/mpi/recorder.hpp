// The program's own PB_Cabort: what ScaLAPACK, and whoever stands in for it, reports is recorded, and it goes on.
#pragma once
#include <string>
#include <vector>

namespace cairn::testing {

struct Abort {
  std::string routine;
  int info;
  bool operator==(const Abort&) const = default;
};

/// What was reported since the last call, on this rank.
std::vector<Abort> take_aborts();

}  // namespace cairn::testing
