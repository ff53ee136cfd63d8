#include <cstring>
#include <functional>
#include <numeric>

#include "runtime/kernels/host_blas.hpp"
#include "runtime/measure/measure.hpp"
#include "runtime/measure/sampling.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

/// A shared window of this node's ranks: my part of it, and the next rank's.
class Shared {
 public:
  Shared(const Comm& comm, Int bytes) {
    MPI_TRY(MPI_Comm_split_type(comm.raw(), MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &node_));
    int rank = 0;
    MPI_TRY(MPI_Comm_rank(node_, &rank));
    MPI_TRY(MPI_Comm_size(node_, &size_));
    MPI_TRY(MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, node_, &mine_, &window_));
    MPI_Aint held = 0;
    int unit = 0;
    MPI_TRY(MPI_Win_shared_query(window_, (rank + 1) % size_, &held, &unit, &theirs_));
    std::memset(mine_, 0, static_cast<std::size_t>(bytes));
    MPI_TRY(MPI_Barrier(node_));
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() {
    MPI_Win_free(&window_);
    MPI_Comm_free(&node_);
  }
  bool alone() const { return size_ == 1; }
  const double* theirs() const { return static_cast<const double*>(theirs_); }

 private:
  MPI_Comm node_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  int size_ = 1;
  void *mine_ = nullptr, *theirs_ = nullptr;
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
    update_block<double>(words, 1, {to.data(), 1, words}, {source, 1, words}, beta);
  };
  volatile double kept = 0;  // or the compiler would leave the sum out
  const auto sum = [&](const double* source) { kept = std::reduce(source, source + words); };
  MemoryCost cost;
  cost.bytes = bytes;
  cost.copy = each([&] { update(from.data(), 0); });
  cost.add = each([&] { update(from.data(), 1); });
  cost.read = each([&] { sum(from.data()); });
  const double copy = each([&] { update(shared.theirs(), 0); });
  const double read = each([&] { sum(shared.theirs()); });
  int alone = shared.alone() ? 1 : 0;
  MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &alone, 1, MPI_INT, MPI_MAX, comm.raw()));
  if (alone == 0) {
    cost.shared_copy = copy;
    cost.shared_read = read;
  }
  return cost;
}

}  // namespace cairn
