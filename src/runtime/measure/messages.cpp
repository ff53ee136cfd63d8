#include <algorithm>
#include <cmath>

#include "runtime/measure/measure.hpp"
#include "runtime/measure/sampling.hpp"
#include "runtime/nodes.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

namespace {

constexpr Int longest_message = Int{1} << 24, more_than_caches = Int{1} << 27;
constexpr int burst = 16;  // messages before an answer

/// The ranks of one colour, with a communicator of their own that is freed with this. Collective.
class Group {
 public:
  Group(const Comm& comm, int colour) {
    MPI_TRY(MPI_Comm_split(comm.raw(), colour, comm.rank(), &comm_));
    MPI_TRY(MPI_Comm_rank(comm_, &rank_));
    MPI_TRY(MPI_Comm_size(comm_, &size_));
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() { MPI_Comm_free(&comm_); }
  MPI_Comm raw() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

void busy_for(double seconds) {
  for (const double start = MPI_Wtime(); MPI_Wtime() - start < seconds;) continue;
}

/// The messages of one level; every member is collective over all ranks.
class Wire {
 public:
  Wire(const Comm& comm, const Group& group, double seconds)
      : group_(group), sampler_(comm, seconds), out_(more_than_caches), in_(longest_message) {
    // One pair only, of the first group that has one: the ranks that are first and second in it.
    const int first = over_ranks(comm, MPI_MIN, group.size() > 1 ? comm.rank() : comm.size());
    int lowest = comm.rank();
    MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, group.raw()));
    pair_ = lowest == first && group.rank() < 2;
  }

  /// Seconds of: n messages one way, with work between their starts, then an empty answer.
  double round_trip(int n, double work, Int bytes) {
    return sampler_.slowest([&] {
      if (!pair_) return;
      for (int i = 0; i < n; ++i) {
        if (group_.rank() == 0 && i > 0 && work > 0) busy_for(work);
        one_way(0, bytes);
      }
      one_way(1, 0);
    });
  }
  /// Half of: there and back.
  double alone(Int bytes) {
    return sampler_.slowest([&] {
      if (!pair_) return;
      for (int sender : {0, 1}) one_way(sender, bytes);
    }) / 2;
  }
  /// All at once: from the rank before, to the rank after, as the executor posts them, each out of memory that was not
  /// touched for long, as parts of large matrices are.
  double together(Int bytes) {
    const int q = group_.size(), to = (group_.rank() + 1) % q, from = (group_.rank() + q - 1) % q;
    return sampler_.slowest([&] {
      if (q == 1) return;
      MPI_Request requests[2];
      if (next_ + bytes > more_than_caches) next_ = 0;
      MPI_TRY(MPI_Irecv(in_.data(), size(bytes), MPI_BYTE, from, 0, group_.raw(), &requests[0]));
      MPI_TRY(MPI_Isend(out_.data() + next_, size(bytes), MPI_BYTE, to, 0, group_.raw(), &requests[1]));
      next_ += (bytes + 63) / 64 * 64;
      MPI_TRY(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    });
  }

 private:
  static int size(Int bytes) { return to_int(bytes, "bytes of a message"); }
  /// Within the pair.
  void one_way(int sender, Int bytes) {
    const int peer = 1 - group_.rank();
    if (sender == group_.rank())
      MPI_TRY(MPI_Send(out_.data(), size(bytes), MPI_BYTE, peer, 0, group_.raw()));
    else
      MPI_TRY(MPI_Recv(in_.data(), size(bytes), MPI_BYTE, peer, 0, group_.raw(), MPI_STATUS_IGNORE));
  }

  const Group& group_;
  Sampler sampler_;
  std::vector<char> out_, in_;
  Int next_ = 0;  // of out_, to be sent
  bool pair_ = false;
};

// A burst of n messages takes (n-1)·max(g, o + work) more than one message does.
LogGP loggp_of(Wire& wire) {
  const auto each = [&](double work, Int bytes) {
    return std::max(0.0, (wire.round_trip(burst, work, bytes) - wire.round_trip(1, 0, bytes)) / (burst - 1));
  };
  LogGP p;
  const double round = wire.round_trip(1, 0, 1);
  const double work = std::max(round, 1e-6);  // longer than any gap
  p.g = each(0, 1);
  p.o = std::clamp(each(work, 1) - work, 0.0, round / 4);
  p.L = std::max(0.0, round / 2 - 2 * p.o);
  constexpr Int shorter = Int{1} << 20, longer = Int{1} << 22;
  p.G = std::max(0.0, (wire.alone(longer) - wire.alone(shorter)) / static_cast<double>(longer - shorter));
  return p;
}

Level level_of(const Comm& comm, const Group& group, Neighbours who, double seconds) {
  Level level{std::move(who), {}, {}};
  if (over_ranks(comm, MPI_MAX, Int{group.size()}) == 1) return level;
  std::vector<Int> sizes{1};
  for (Int bytes = 64; bytes <= longest_message; bytes *= 4) sizes.push_back(bytes);
  constexpr double figures_of_loggp = 8;
  Wire wire(comm, group, seconds / (2 * static_cast<double>(sizes.size()) + figures_of_loggp));
  for (Int bytes : sizes) level.messages.push_back({bytes, wire.alone(bytes), wire.together(bytes)});
  level.loggp = loggp_of(wire);
  return level;
}

}  // namespace

std::vector<Level> measure_levels(const Comm& comm, double seconds) {
  const Group node(comm, nodes_of(comm, 0).of[static_cast<std::size_t>(comm.rank())]);
  const Group across(comm, node.rank());  // those with this rank's place in the other nodes
  const Int ranks_of_node = over_ranks(comm, MPI_MAX, Int{node.size()});
  if (ranks_of_node == comm.size()) return {level_of(comm, node, {"memory", 0}, seconds)};
  return {level_of(comm, node, {"node", ranks_of_node}, seconds / 2),
          level_of(comm, across, {"network", 0}, seconds / 2)};
}

}  // namespace cairn
