#include "scalapack/prepared_or_impossible.hpp"

#include "io/memory_size.hpp"
#include "runtime/nodes.hpp"
#include "scalapack/settings.hpp"

namespace cairn::scalapack {

Options plan_options(const Comm& comm, ScalarType type) {
  Options options;
  if (!settings().memory.empty()) options.memory_words = io::words_of_memory(settings().memory, "CAIRN_MEMORY", type);
  // Where all ranks share a node, a workstation's figures are nearer than a cluster's.
  if (!settings().machine_named && nodes_of(comm, 0).count == 1) options.machine = "local";
  options.kernels = kernels_in_use(comm);
  return options;
}

}  // namespace cairn::scalapack
