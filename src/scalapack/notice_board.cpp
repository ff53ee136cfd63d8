#include "scalapack/notice_board.hpp"

#include <fmt/format.h>

#include <atomic>
#include <string>
#include <vector>

#include "scalapack/kept_with_grid.hpp"
#include "scalapack/settings.hpp"

namespace cairn::scalapack {

namespace {

// By context. BLACS numbers contexts from 0 on and uses numbers again.
std::vector<NoticeBoard*>& boards() {
  static auto* const all = new std::vector<NoticeBoard*>;  // until the very end, when MPI frees what it still has
  return *all;
}

template <class T>
std::atomic_ref<T> atomic(const T& x) {
  return std::atomic_ref<T>(const_cast<T&>(x));
}

}  // namespace

NoticeBoard* NoticeBoard::of(int context) {
  const std::vector<NoticeBoard*>& all = boards();
  return 0 <= context && context < std::ssize(all) ? all[static_cast<std::size_t>(context)] : nullptr;
}

void NoticeBoard::would_serve(const Comm& comm, int context) {
  constexpr int calls_before = 4;  // a board takes memory, a communicator, and as long as hundreds of small calls
  if (settings().use != Settings::Use::worth) return;
  Kept& kept = kept_with(comm);
  if (++kept.calls != calls_before || comm.size() == 1 || nodes_of(comm, 0).count > 1) return;
  NodeMemory& memory = node_memory(comm, 0);
  std::string obstacle = memory.obstacle();
  const SharedBlock block = obstacle.empty() ? memory.allocate(places * sizeof(Place)) : SharedBlock();
  if (block)
    kept.board.reset(new NoticeBoard(block, context, comm.rank(), comm.size()));
  else if (settings().verbose && comm.rank() == 0)
    fmt::print(stderr, "cairn: every call on this grid of {} ranks is compared by a reduction: {}\n", comm.size(),
               obstacle.empty() ? "their node has no memory for notices" : obstacle);
}

bool NoticeBoard::all_wait(int context) {
  NoticeBoard* const board = of(context);
  return !board || !board->post({});
}

NoticeBoard::NoticeBoard(SharedBlock block, int context, int rank, int ranks)
    : block_(std::move(block)),
      context_(context),
      ranks_(ranks),
      mine_(places_of(rank)),
      neighbours_{places_of((rank + 1) % ranks), places_of((rank + ranks - 1) % ranks)} {
  std::vector<NoticeBoard*>& all = boards();
  if (std::ssize(all) <= context) all.resize(static_cast<std::size_t>(context) + 1, nullptr);
  all[static_cast<std::size_t>(context)] = this;
}

NoticeBoard::~NoticeBoard() { boards()[static_cast<std::size_t>(context_)] = nullptr; }

NoticeBoard::Place* NoticeBoard::places_of(int rank) const {
  return reinterpret_cast<Place*>(block_.data()) + static_cast<std::size_t>(rank) * places;
}

std::optional<std::size_t> NoticeBoard::post(const Notice& notice) {
  const std::uint64_t number = ++calls_;
  const std::size_t at = number % places;
  Place& place = mine_[at];
  // Who reads a place while it is filled again finds neither the old number nor, afterwards, the one it had read.
  atomic(place.number).store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  for (std::size_t i = 0; i < notice.size(); ++i) atomic(place.notice[i]).store(notice[i], std::memory_order_relaxed);
  atomic(place.number).store(number, std::memory_order_release);
  __builtin_prefetch(&mine_[(number + 1) % places], 1, 3);  // the fence waits for a place that another core has read
  std::atomic_thread_fence(std::memory_order_seq_cst);      // of two ranks, one at least sees the other's
  const std::size_t all = ranks_ == 2 ? 1 : 2;
  for (std::size_t n = 0; n < all; ++n)
    if (const auto found = difference(neighbours_[n][at], notice)) return found;
  return {};
}

std::optional<std::size_t> NoticeBoard::difference(const Place& place, const Notice& notice) const {
  if (atomic(place.number).load(std::memory_order_acquire) != calls_) return {};
  std::optional<std::size_t> first;
  for (std::size_t i = notice.size(); i-- > 0;)
    if (atomic(place.notice[i]).load(std::memory_order_relaxed) != notice[i]) first = i;
  std::atomic_thread_fence(std::memory_order_acquire);
  return atomic(place.number).load(std::memory_order_relaxed) == calls_ ? first : std::nullopt;
}

}  // namespace cairn::scalapack
