#include "scalapack/prepared_or_impossible.hpp"

#include "api/plan_on_this_node.hpp"
#include "scalapack/kept_with_grid.hpp"
#include "scalapack/settings.hpp"

namespace cairn::scalapack {

Options plan_options(const Comm& comm, ScalarType type) {
  Options options;
  options.memory_words = memory_words(comm, type);
  options.machine = machine_for(comm, "");
  options.kernels = kernels_in_use(comm);
  return options;
}

}  // namespace cairn::scalapack
