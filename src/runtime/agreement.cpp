#include "runtime/agreement.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "cairn/error.hpp"
#include "runtime/comm_state.hpp"
#include "runtime/mpi_check.hpp"
#include "runtime/over_ranks.hpp"
#include "runtime/shared/node_memory.hpp"

namespace cairn {

namespace {

/// The largest of each over all ranks is what counts.
using Words = std::array<Int, 4>;

Words words_of(const Agreements::Said& said) {
  return {said.wrong ? 1 : 0, said.ahead ? 1 : 0, said.fingerprint, -said.fingerprint};
}

}  // namespace

class Agreements::Way {
 public:
  explicit Way(const Comm& comm) : comm_(comm) {}
  virtual ~Way() = default;
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;
  virtual void tell(const Words& words) = 0;
  virtual Words largest() = 0;
  /// Whether anything is gained where others' words are not waited for.
  virtual bool hidden() const { return true; }

 protected:
  const Comm comm_;
};

/// All wait for all.
class Agreements::Reduction final : public Way {
 public:
  using Way::Way;
  void tell(const Words& words) override { words_ = words; }
  Words largest() override {
    over_ranks(comm_, MPI_MAX, words_);
    return words_;
  }
  bool hidden() const override { return false; }

 private:
  Words words_{};
};

/// Messages that travel while the run's own do.
class Agreements::NonBlocking final : public Way {
 public:
  using Way::Way;
  void tell(const Words& words) override {
    mine_ = words;
    MPI_TRY(MPI_Iallreduce(mine_.data(), all_.data(), all_.size(), MPI_INT64_T, MPI_MAX, comm_.raw(), &request_));
  }
  Words largest() override {
    MPI_TRY(MPI_Wait(&request_, MPI_STATUS_IGNORE));
    return all_;
  }

 private:
  Words mine_{}, all_{};
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Memory that the ranks of the only node share: each writes its own words, and reads all others'. Words of two runs
/// have room: who writes those of a run has read all of the run before, for which every other rank had read those of
/// the run before that.
class Agreements::Board final : public Way {
 public:
  static constexpr Int bytes_of_rank = 128;

  Board(const Comm& comm, SharedBlock block)
      : Way(comm), block_(std::move(block)), rank_(comm.rank()), ranks_(comm.size()) {}

  void tell(const Words& words) override {
    mine_ = words;
    Place& place = place_of(rank_, ++run_);
    for (std::size_t i = 0; i < words.size(); ++i) relaxed(place.words[i], words[i]);
    std::atomic_ref<Int>(place.run).store(run_, std::memory_order_release);
  }

  Words largest() override {
    Words most = mine_;
    for (int r = 0; r < ranks_; ++r) {
      if (r == rank_) continue;
      Place& place = place_of(r, run_);
      await(place);
      for (std::size_t i = 0; i < most.size(); ++i)
        most[i] = std::max(most[i], std::atomic_ref<Int>(place.words[i]).load(std::memory_order_relaxed));
    }
    return most;
  }

 private:
  struct alignas(64) Place {
    Int run;  ///< written last
    Words words;
  };
  static_assert(2 * sizeof(Place) == bytes_of_rank);

  Place& place_of(int rank, Int run) const {
    return reinterpret_cast<Place*>(block_.data() + rank * bytes_of_rank)[run % 2];
  }
  static void relaxed(Int& place, Int value) { std::atomic_ref<Int>(place).store(value, std::memory_order_relaxed); }

  // Others may wait for messages that the program has sent before, and that only move while MPI is called.
  void await(Place& place) const {
    constexpr int spin = 256;
    for (int tries = 0; std::atomic_ref<Int>(place.run).load(std::memory_order_acquire) != run_; ++tries) {
      if (tries < spin) continue;
      int any = 0;
      MPI_TRY(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_.raw(), &any, MPI_STATUS_IGNORE));
      sched_yield();
    }
  }

  SharedBlock block_;
  int rank_, ranks_;
  Int run_ = 0;
  Words mine_{};
};

Agreements::Agreements(const Comm& comm) : comm_(comm), way_(std::make_unique<Reduction>(comm)) {}
Agreements::~Agreements() = default;

Agreements& Agreements::before_run(const Comm& comm) {
  auto& kept = comm.state().agreements;
  if (!kept) kept.reset(new Agreements(comm));
  kept->settle(++kept->runs_);
  return *kept;
}

void Agreements::settle(Int run) {
  constexpr Int second = 2, eighth = 8;  // memory takes a communicator, and as long as a hundred small runs
  constexpr int few = 4;  // ranks, among which a reduction takes no more than what posting another kind of it takes
  if (comm_.size() == 1 || run > eighth) return;
  const bool one_node = nodes_of(comm_, 0).count == 1;
  if (run != (one_node ? eighth : second)) return;
  if (one_node)
    if (NodeMemory& memory = node_memory(comm_, 0); memory.obstacle().empty())
      if (SharedBlock block = memory.allocate(Board::bytes_of_rank)) {
        way_ = std::make_unique<Board>(comm_, std::move(block));
        return;
      }
  if (comm_.size() > few) way_ = std::make_unique<NonBlocking>(comm_);
}

bool Agreements::may_go_ahead() const { return way_->hidden(); }

Agreements::Open::Open(Agreements& all, const Said& said) : all_(all) { all.way_->tell(words_of(said)); }

Agreements::Open::~Open() {
  try {
    answer();
  } catch (const RuntimeError&) {  // MPI fails, which the run has said
  }
}

Agreements::Answer Agreements::Open::answer() {
  if (!answer_) {
    const Words most = all_.way_->largest();
    answer_ = {most[0] == 0 && most[2] == -most[3], most[1] != 0};
  }
  return *answer_;
}

}  // namespace cairn
