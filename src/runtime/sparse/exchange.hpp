// What ranks tell each other of block-sparse matrices outside of products.
#pragma once
#include <memory>
#include <vector>

#include "cairn/comm.hpp"
#include "local/sparse/blocks_view.hpp"
#include "runtime/sparse/kept_memory.hpp"

namespace cairn {

/// The row of the grid that a rank is in.
inline Int row_of_rank(const BlockDistribution& where, Int rank) {
  return where.row_major ? rank / where.pc : rank % where.pr;
}

/// Each of `values` becomes the sum over the ranks of this one's row of the grid. All ranks of a row pass as many.
void sum_along_row(const Comm& comm, const BlockDistribution& where, std::vector<double>& values);

/// The blocks of this rank in another distribution. `received`, if it is given, grows by the words that arrive, which
/// take `memory`, or else some that is given back at once. Collective.
template <class T>
Blocks<T> brought(const Comm& comm, const BlocksView<T>& x, const BlockDistribution& to, Int* received = nullptr,
                  std::shared_ptr<KeptMemory> memory = nullptr);

/// `mine`, of this rank, and those of all others in the order of ranks, as many of each. Collective.
std::vector<Int> of_all_ranks(const Comm& comm, const std::vector<Int>& mine);

}  // namespace cairn
