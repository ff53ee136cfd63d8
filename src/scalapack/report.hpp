// What became of the calls: a line each with CAIRN_VERBOSE=1, a page at the end with CAIRN_SUMMARY=1.
#pragma once
#include <string>

#include "cairn/types.hpp"

namespace cairn::scalapack {

/// One call as a rank saw it.
struct CallReport {
  std::string call;      ///< "pdgemm N T 100x200x300 on 2x2"
  bool handled = false;  ///< or handed back
  std::string why;       ///< the plan, or the reason why not
  double seconds = 0;
  Int received = 0;  ///< words, if handled
  /// What ScaLAPACK is thought to take, if handled, a summary is wanted and there is a model of it; otherwise 0.
  double scalapack_seconds = 0;
};

/// Called by one rank of a grid, the first.
void report(const CallReport& call);
/// Whether anybody wants to know.
bool reporting();

}  // namespace cairn::scalapack
