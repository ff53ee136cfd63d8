#include "scalapack/kept_with_grid.hpp"

#include <limits>

#include "io/memory_size.hpp"
#include "runtime/comm_state.hpp"
#include "runtime/over_ranks.hpp"
#include "scalapack/settings.hpp"

namespace cairn::scalapack {

Kept& kept_with(const Comm& comm) {
  std::shared_ptr<void>& slot = comm.state().drop_in;
  if (!slot) slot = std::make_shared<Kept>();
  return *static_cast<Kept*>(slot.get());
}

std::optional<Int> memory_words(const Comm& comm, ScalarType type) {
  constexpr Int unlimited = std::numeric_limits<Int>::max();
  auto& kept = kept_with(comm).memory_words;
  if (!kept) {
    std::array<Int, 4> least{unlimited, unlimited, unlimited, unlimited};
    for (std::size_t t = 0; t < least.size() && !settings().memory.empty(); ++t)
      least[t] = io::words_of_memory(settings().memory, "CAIRN_MEMORY", static_cast<ScalarType>(t));
    over_ranks(comm, MPI_MIN, least);
    kept = least;
  }
  const Int words = (*kept)[static_cast<std::size_t>(type)];
  return words == unlimited ? std::nullopt : std::optional(words);
}

}  // namespace cairn::scalapack
