#include "scalapack/prepared_or_impossible.hpp"

#include "runtime/nodes.hpp"
#include "scalapack/kept_with_grid.hpp"
#include "scalapack/settings.hpp"

namespace cairn::scalapack {

Options plan_options(const Comm& comm, ScalarType type) {
  Options options;
  options.memory_words = memory_words(comm, type);
  // Where all ranks share a node, a workstation's figures are nearer than a cluster's.
  if (nodes_of(comm, 0).count == 1 && !settings().machine_named) options.machine = "local";
  options.kernels = kernels_in_use(comm);
  return options;
}

}  // namespace cairn::scalapack
