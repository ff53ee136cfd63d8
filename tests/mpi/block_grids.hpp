// Grids and layers of products of block-sparse matrices, and ranks in another order.
#pragma once
#include <fmt/format.h>
#include <mpi.h>

#include <numeric>
#include <string>

#include "cairn/comm.hpp"
#include "cairn/types.hpp"

namespace cairn::testing {

/// f(pr, pc, lr, lc) for every grid of all ranks, and every number of layers on it; or only those numbers that divide
/// lcm(pr, pc), of which a plan chooses.
template <class F>
void on_every_grid(const Comm& comm, F f, bool chosen = true) {
  for (Int pr = 1; pr <= comm.size(); ++pr) {
    if (comm.size() % pr != 0) continue;
    const Int pc = comm.size() / pr;
    for (Int lr = 1; lr <= pr; ++lr)
      for (Int lc = 1; lc <= pc; ++lc)
        if (pr % lr == 0 && pc % lc == 0 && (!chosen || std::lcm(pr, pc) % (lr * lc) == 0)) f(pr, pc, lr, lc);
  }
}
inline std::string spelled(Int pr, Int pc, Int lr, Int lc) {
  return fmt::format("fetch25d {}x{}{}", pr, pc, lr * lc > 1 ? fmt::format(" layers={}x{}", lr, lc) : "");
}

/// The world's ranks from the last to the first.
struct Reversed {
  Reversed() { MPI_Comm_split(MPI_COMM_WORLD, 0, -Comm::world().rank(), &raw); }
  ~Reversed() { MPI_Comm_free(&raw); }
  Reversed(const Reversed&) = delete;
  Reversed& operator=(const Reversed&) = delete;
  MPI_Comm raw = MPI_COMM_NULL;
};

}  // namespace cairn::testing
