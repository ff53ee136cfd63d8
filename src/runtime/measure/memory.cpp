#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <vector>

#include "local/kernels/update_matched.hpp"
#include "runtime/measure/measure.hpp"
#include "runtime/measure/sampling.hpp"
#include "runtime/mpi_check.hpp"
#include "runtime/nodes.hpp"
#include "runtime/over_ranks.hpp"
#include "runtime/shared/node_memory.hpp"

namespace cairn {

namespace {

/// Memory that this node's ranks share: my part of it, and the next rank's. Some ranks may have no other beside them.
class Shared {
 public:
  Shared(const Comm& comm, Int bytes) {
    const std::vector<int> near = ranks_of_node(comm);
    const auto me = static_cast<std::size_t>(std::find(near.begin(), near.end(), comm.rank()) - near.begin());
    const bool alone = over_ranks(comm, MPI_MAX, Int{near.size() == 1}) != 0;
    NodeMemory& memory = node_memory(comm, 0);
    if (alone || !memory.obstacle().empty()) return;
    block_ = memory.allocate(bytes);
    if (!block_) return;
    const auto part = static_cast<std::size_t>(bytes);
    std::memset(block_.data() + me * part, 0, part);
    theirs_ = reinterpret_cast<const double*>(block_.data() + (me + 1) % near.size() * part);
    MPI_TRY(MPI_Barrier(comm.raw()));
  }
  /// The next rank's part; null on all ranks if there is none for some.
  const double* theirs() const { return theirs_; }

 private:
  SharedBlock block_;
  const double* theirs_ = nullptr;
};

}  // namespace

MemoryCost measure_memory(const Comm& comm, double seconds, Int bytes) {
  const Int words = bytes / static_cast<Int>(sizeof(double));
  std::vector<double> from(static_cast<std::size_t>(words), 1.0), to(from);
  const Shared shared(comm, bytes);
  constexpr double figures = 5;
  const Sampler sampler(comm, seconds / figures);
  const auto each = [&](const std::function<void()>& work) {
    return sampler.slowest(work) / static_cast<double>(bytes);
  };
  const auto update = [&](const double* source, double beta) {
    update_matched<double>({{0, 0, words}}, {{0, 0, 1}}, {to.data(), 1, words}, {source, 1, words}, 1, beta, false);
  };
  volatile double kept = 0;  // or the compiler would leave the sum out
  const auto sum = [&](const double* source) { kept = std::reduce(source, source + words); };
  MemoryCost cost;
  cost.bytes = bytes;
  cost.copy = each([&] { update(from.data(), 0); });
  cost.add = each([&] { update(from.data(), 1); });
  cost.read = each([&] { sum(from.data()); });
  if (shared.theirs()) {
    cost.shared_copy = each([&] { update(shared.theirs(), 0); });
    cost.shared_read = each([&] { sum(shared.theirs()); });
  }
  return cost;
}

}  // namespace cairn
