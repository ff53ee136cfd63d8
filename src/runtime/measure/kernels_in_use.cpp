// Which kernels a communicator's plans assume.
#include <algorithm>

#include "cairn/comm.hpp"
#include "model/kernels.hpp"
#include "runtime/comm_state.hpp"
#include "runtime/environment.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

const std::string& kernels_in_use(const Comm& comm) {
  std::optional<std::string>& kept = comm.state().kernels;
  if (kept) return *kept;
  const std::vector<std::string_view> names = kernel_names();
  const auto mine = std::find(names.begin(), names.end(), kernels_named(blas_info().kernels));
  // The slowest first, and before them what is not known: the least of all ranks is what all can rely on.
  const Int least = over_ranks(comm, MPI_MAX, mine == names.end() ? 0 : -1 - (mine - names.begin()));
  kept = least == 0 ? "" : std::string(names[static_cast<std::size_t>(-1 - least)]);
  return *kept;
}

}  // namespace cairn
