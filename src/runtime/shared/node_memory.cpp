#include "runtime/shared/node_memory.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "runtime/comm_state.hpp"
#include "runtime/mpi_check.hpp"
#include "runtime/shared/shared_file.hpp"

namespace cairn {

namespace {

constexpr Int counter_bytes = 128;  // a rank's own cache lines
constexpr const char* no_memory = "the ranks of a node cannot map memory of one of them";

}  // namespace

NodeMemory::NodeMemory(const Comm& comm, const Nodes& nodes, bool found) : everyone_(comm.raw()), rank_(comm.rank()) {
  const int node = nodes.of[static_cast<std::size_t>(rank_)];
  MPI_TRY(MPI_Comm_split(everyone_, node, rank_, &node_));
  MPI_TRY(MPI_Comm_set_errhandler(node_, MPI_ERRORS_RETURN));
  member_.assign(nodes.of.size(), -1);
  for (std::size_t r = 0; r < member_.size(); ++r)
    if (nodes.of[r] == node) member_[r] = members_++;
  if (!found && !all_succeed(on_one_machine())) obstacle_ = "ranks of one node are on different machines";
}

bool NodeMemory::on_one_machine() const {
  MPI_Comm sharing = MPI_COMM_NULL;
  int near = 0;
  MPI_TRY(MPI_Comm_split_type(node_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &sharing));
  MPI_TRY(MPI_Comm_size(sharing, &near));
  MPI_TRY(MPI_Comm_free(&sharing));
  return near == members_;
}

void NodeMemory::prepare() {
  if (progress_ || !obstacle_.empty()) return;
  progress_ = allocate(counter_bytes);
  if (!progress_) obstacle_ = no_memory;
}

NodeMemory::~NodeMemory() {
  if (!mpi_has_ended()) MPI_Comm_free(&node_);
}

bool NodeMemory::all_succeed(bool here) const {
  int all = here ? 1 : 0;
  MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, everyone_));
  return all != 0;
}

SharedBlock NodeMemory::allocate(Int bytes) {
  constexpr int first = 0;  // of the node's ranks: makes the file
  const int rank = member_[static_cast<std::size_t>(rank_)];
  std::vector<Int> parts(static_cast<std::size_t>(members_));
  MPI_TRY(MPI_Allgather(&bytes, 1, MPI_INT64_T, parts.data(), 1, MPI_INT64_T, node_));
  const Int before = std::accumulate(parts.begin(), parts.begin() + rank, Int{0});
  const Int all = std::accumulate(parts.begin() + rank, parts.end(), before);
  const Int mapped = std::max<Int>(all, 1);
  SharedFile file = rank == first ? SharedFile::make(mapped) : SharedFile();
  const SharedFile::Name made = file.name();
  std::array<Int, 4> name{made.process, made.descriptor, made.device, made.inode};
  MPI_TRY(MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_INT64_T, first, node_));
  if (rank != first) file = SharedFile::find({name[0], name[1], name[2], name[3]});
  const bool here = file.is_open() && file.reserve(before, bytes);
  std::shared_ptr<std::byte> data = here ? file.map(mapped) : nullptr;
  return all_succeed(data != nullptr) ? SharedBlock(std::move(data), all) : SharedBlock();
}

Int* NodeMemory::counter(int rank) const {
  const int member = member_[static_cast<std::size_t>(rank)];
  return reinterpret_cast<Int*>(progress_.data() + member * counter_bytes);
}

void NodeMemory::begin(Int phases) {
  base_ += phases_;
  phases_ = phases;
}

void NodeMemory::reach(Int phase) {
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
  if (!kept) kept = std::make_shared<NodeMemory>(comm, nodes_of(comm, ranks_per_node), ranks_per_node == 0);
  return *kept;
}

}  // namespace cairn
