#include "scalapack/kept_with_grid.hpp"

#include "runtime/comm_state.hpp"

namespace cairn::scalapack {

Kept& kept_with(const Comm& comm) {
  std::shared_ptr<void>& slot = comm.state().drop_in;
  if (!slot) slot = std::make_shared<Kept>();
  return *static_cast<Kept*>(slot.get());
}

}  // namespace cairn::scalapack
