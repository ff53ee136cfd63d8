#include "runtime/measure/node_figures.hpp"

#include <algorithm>

#include "runtime/broadcast.hpp"
#include "runtime/comm_state.hpp"
#include "runtime/environment.hpp"
#include "runtime/measure/kernels.hpp"
#include "runtime/measure/measure.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

NodeHost this_node(const Comm& comm) { return {this_host().processor, mpi_library(), comm.size()}; }

// Blocks of 8 MiB do not stay in a core's own caches, and the longest message is of one such block.
NodeFigures measure(const Comm& comm) {
  constexpr double of_messages = 0.06, of_memory = 0.04, of_waits = 0.01;  // seconds
  constexpr Int block = Int{1} << 23U;
  NodeFigures f;
  f.wait = measure_wait(comm, of_waits);
  const MemoryCost memory = measure_memory(comm, of_memory, block);
  f.copy = memory.copy, f.read = memory.read, f.read_others = memory.shared_read;
  for (const MessageCost& m : measure_messages(comm, of_messages, block))
    f.messages.push_back({static_cast<double>(m.bytes), m.together});
  // Whoever was kept from its core for a while: a message takes no longer than a longer one.
  for (std::size_t i = f.messages.size(); i-- > 1;)
    f.messages[i - 1].seconds = std::min(f.messages[i - 1].seconds, f.messages[i].seconds);
  return f;
}

// Rank 0's, on all ranks; none if that has none.
std::optional<NodeFigures> shared_by_all(const Comm& comm, const std::optional<NodeFigures>& mine) {
  std::vector<double> words;
  if (comm.rank() == 0 && mine) {
    words = {mine->copy, mine->read, mine->read_others, mine->wait};
    for (const Machine::Message& m : mine->messages) words.insert(words.end(), {m.bytes, m.seconds});
  }
  broadcast(comm, words);
  if (words.empty()) return {};
  NodeFigures f{{}, words[0], words[1], words[2], words[3]};
  for (std::size_t i = 4; i < words.size(); i += 2) f.messages.push_back({words[i], words[i + 1]});
  return f;
}

NodeFigures kept_or_measured(const Comm& comm) {
  if (nodes_of(comm, 0).count > 1) return {};
  std::optional<NodeFigures> figures;
  if (comm.rank() == 0) {
    figures = remembered(node_cache(), this_node(comm));
    if (!figures && !have_cores(comm.size())) figures = NodeFigures{};
  }
  if (auto found = shared_by_all(comm, figures)) return *found;
  const NodeFigures measured = measure(comm);
  if (comm.rank() == 0) remember(node_cache(), this_node(comm), measured);
  return measured;
}

}  // namespace

const NodeFigures* node_figures(const Comm& comm, bool wanted) {
  if (comm.size() == 1) return nullptr;
  int asked = wanted && may_measure_node() ? 1 : 0;
  MPI_TRY(MPI_Bcast(&asked, 1, MPI_INT, 0, comm.raw()));
  if (asked == 0) return nullptr;
  std::shared_ptr<NodeFigures>& kept = comm.state().node_figures;
  if (!kept) kept = std::make_shared<NodeFigures>(kept_or_measured(comm));
  return kept->wait > 0 ? kept.get() : nullptr;
}

}  // namespace cairn
