#include "runtime/shared/node_memory.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "runtime/comm_state.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

constexpr Int counter_bytes = 128;  // a rank's own cache lines

// The ranks' parts follow one another in memory, as MPI promises by default; how much there is in all.
bool contiguous(MPI_Win window, int ranks, std::byte** data, Int* bytes) {
  *data = nullptr;
  *bytes = 0;
  for (int r = 0; r < ranks; ++r) {
    MPI_Aint size = 0;
    int unit = 0;
    void* at = nullptr;
    if (MPI_Win_shared_query(window, r, &size, &unit, static_cast<void*>(&at)) != MPI_SUCCESS) return false;
    if (size == 0) continue;
    if (*data == nullptr) *data = static_cast<std::byte*>(at);
    if (static_cast<std::byte*>(at) != *data + *bytes) return false;
    *bytes += size;
  }
  return true;
}

}  // namespace

NodeMemory::NodeMemory(const Comm& comm, const Nodes& nodes) : everyone_(comm.raw()), rank_(comm.rank()) {
  MPI_Comm sharing = MPI_COMM_NULL;
  const int node = nodes.of[static_cast<std::size_t>(rank_)];
  MPI_TRY(MPI_Comm_split(everyone_, node, rank_, &node_));
  MPI_TRY(MPI_Comm_set_errhandler(node_, MPI_ERRORS_RETURN));
  MPI_TRY(MPI_Comm_split_type(node_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &sharing));
  int ranks = 0, near = 0;
  MPI_TRY(MPI_Comm_size(node_, &ranks));
  MPI_TRY(MPI_Comm_size(sharing, &near));
  MPI_TRY(MPI_Comm_free(&sharing));
  member_.assign(nodes.of.size(), -1);
  int next = 0;
  for (std::size_t r = 0; r < member_.size(); ++r)
    if (nodes.of[r] == node) member_[r] = next++;
  if (!all_succeed(near == ranks)) {
    obstacle_ = "ranks of one node are on different machines";
    return;
  }
  progress_ = allocate(counter_bytes);
  if (!progress_) {
    obstacle_ = "MPI_Win_allocate_shared failed";
    return;
  }
  *counter(rank_) = 0;
  windows_.synchronise();
  MPI_TRY(MPI_Barrier(node_));
}

void NodeMemory::release() {
  windows_.release();
  if (node_ != MPI_COMM_NULL) MPI_Comm_free(&node_);
}

bool NodeMemory::all_succeed(bool here) const {
  int all = here ? 1 : 0;
  MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, everyone_));
  return all != 0;
}

SharedBlock NodeMemory::allocate(Int bytes) {
  Int all = 0;
  MPI_TRY(MPI_Allreduce(&bytes, &all, 1, MPI_INT64_T, MPI_SUM, node_));
  auto w = windows_.reuse(node_, all);
  bool usable = w != nullptr, made = false;
  if (!w) {
    w = std::make_shared<Window>();
    void* mine = nullptr;
    int ranks = 0;
    MPI_TRY(MPI_Comm_size(node_, &ranks));
    const Int part = std::max(bytes, windows_.small / ranks);
    made = MPI_Win_allocate_shared(static_cast<MPI_Aint>(part), 1, MPI_INFO_NULL, node_, static_cast<void*>(&mine),
                                   &w->win) == MPI_SUCCESS;
    usable = made && contiguous(w->win, ranks, &w->data, &w->bytes);
    if (made) MPI_TRY(MPI_Win_lock_all(MPI_MODE_NOCHECK, w->win));
  }
  const bool everywhere = all_succeed(usable);
  if (made && everywhere) windows_.keep(w);
  if (made && !everywhere) WindowPool::give_back(*w);
  return everywhere ? SharedBlock(w) : SharedBlock();
}

Int* NodeMemory::counter(int rank) const {
  const int member = member_[static_cast<std::size_t>(rank)];
  return reinterpret_cast<Int*>(progress_.data() + member * counter_bytes);
}

void NodeMemory::begin(Int phases) {
  base_ += phases_;
  phases_ = phases;
  windows_.synchronise();
}

void NodeMemory::reach(Int phase) {
  windows_.synchronise();
  std::atomic_ref<Int>(*counter(rank_)).store(base_ + phase, std::memory_order_release);
}

bool NodeMemory::has_reached(int rank, Int phase) const {
  return std::atomic_ref<Int>(*counter(rank)).load(std::memory_order_acquire) >= base_ + phase;
}

// Spin while the other is likely to be running, then leave it the core.
void NodeMemory::rest(int tries) {
  constexpr int spin = 256, yield = 4096;
  if (tries < spin) return;
  if (tries < yield)
    sched_yield();
  else
    std::this_thread::sleep_for(std::chrono::microseconds(20));
}

NodeMemory& node_memory(const Comm& comm, Int ranks_per_node) {
  auto& kept = comm.state().node_memory[ranks_per_node];
  if (!kept) kept = std::make_shared<NodeMemory>(comm, nodes_of(comm, ranks_per_node));
  return *kept;
}

}  // namespace cairn
