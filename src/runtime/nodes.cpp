#include "runtime/nodes.hpp"

#include "runtime/comm_state.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

Nodes consecutive(int ranks, Int ranks_per_node) {
  Nodes nodes;
  for (int r = 0; r < ranks; ++r) nodes.of.push_back(static_cast<int>(r / ranks_per_node));
  nodes.count = nodes.of.back() + 1;
  return nodes;
}

Nodes sharing_memory(const Comm& comm) {
  MPI_Comm mine = MPI_COMM_NULL;
  MPI_TRY(MPI_Comm_split_type(comm.raw(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &mine));
  int first = comm.rank();
  MPI_TRY(MPI_Bcast(&first, 1, MPI_INT, 0, mine));
  MPI_TRY(MPI_Comm_free(&mine));
  Nodes nodes;
  nodes.of.resize(static_cast<std::size_t>(comm.size()));
  MPI_TRY(MPI_Allgather(&first, 1, MPI_INT, nodes.of.data(), 1, MPI_INT, comm.raw()));
  nodes.count = 0;
  for (std::size_t r = 0; r < nodes.of.size(); ++r) {  // a first rank comes before the others of its node
    const auto leader = static_cast<std::size_t>(nodes.of[r]);
    nodes.of[r] = leader == r ? nodes.count++ : nodes.of[leader];
  }
  return nodes;
}

}  // namespace

const Nodes& nodes_of(const Comm& comm, Int ranks_per_node) {
  auto& kept = comm.state().nodes;
  const auto found = kept.find(ranks_per_node);
  if (found != kept.end()) return found->second;
  return kept
      .emplace(ranks_per_node, ranks_per_node > 0 ? consecutive(comm.size(), ranks_per_node) : sharing_memory(comm))
      .first->second;
}

}  // namespace cairn
