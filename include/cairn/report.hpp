// Where the time of a run went, and what arrived.
#pragma once
#include "cairn/types.hpp"

namespace cairn {

/// Which part of a run is carried out. Without all of it the result means nothing, but the time does.
enum class RunPart : std::uint8_t {
  all,
  products,             ///< only the local products, on whatever is in memory
  all_but_the_products  ///< messages, sums and copies
};

/// What one run did on this rank.
struct RunReport {
  double seconds = 0;               ///< the whole run
  double gemm_seconds = 0;          ///< local multiplications
  double wait_seconds = 0;          ///< waiting for data
  double redistribute_seconds = 0;  ///< between the caller's layouts and the plan's
  double other_seconds = 0;         ///< posting messages, local copies, sums
  Int received = 0;                 ///< words that arrived, counted at the transport: as Count::wire_words
  Int from_other_nodes = 0;         ///< of these, words that came from another node
  Int messages = 0;
  Int info = 0;          ///< as LAPACK: the order of a factorisation's first leading minor that is not positive, or the
                         ///< number of the first zero on the diagonal of a solve's triangle
  Int copied_bytes = 0;  ///< copied between local arrays: own pieces into panels, roots' own panels

  /// The times and figures of another run on top of these; info stays.
  RunReport& operator+=(const RunReport& more) {
    seconds += more.seconds, gemm_seconds += more.gemm_seconds, wait_seconds += more.wait_seconds;
    redistribute_seconds += more.redistribute_seconds, other_seconds += more.other_seconds;
    received += more.received, from_other_nodes += more.from_other_nodes, messages += more.messages;
    copied_bytes += more.copied_bytes;
    return *this;
  }
};

}  // namespace cairn
