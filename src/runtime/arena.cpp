#include "runtime/arena.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <new>
#include <optional>
#include <string>

#include "cairn/error.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/comm_state.hpp"
#include "runtime/mpi_check.hpp"
#include "runtime/nodes.hpp"

namespace cairn {

namespace {

constexpr std::align_val_t alignment{64};

}  // namespace

void CommonBuffer::Free::operator()(std::byte* p) const { ::operator delete[](p, alignment); }

void CommonBuffer::allocate(Int bytes) {
  data_.reset(new (alignment) std::byte[static_cast<std::size_t>(bytes)]);
  bytes_ = bytes;
}

// The smaller one goes before the larger one is asked for, and comes back if that is refused: others use it.
void CommonBuffer::require(Int bytes) {
  if (bytes <= bytes_) return;
  const Int before = bytes_;
  data_.reset();
  bytes_ = 0;
  try {
    allocate(bytes);
  } catch (const std::bad_alloc&) {
    allocate(before);
    throw;
  }
}

Arena Arena::plain(const Comm& comm, Int bytes) {
  std::weak_ptr<CommonBuffer>& known = comm.state().buffer;
  Arena a;
  a.buffer_ = known.lock();
  if (!a.buffer_) known = a.buffer_ = std::make_shared<CommonBuffer>();
  a.buffer_->require(bytes);
  a.bytes_ = bytes;
  return a;
}

namespace {

// Libraries put the windows of a node into /dev/shm, which containers keep small. Where it is full, Open MPI 4.1 fails
// on one rank and never returns on the others.
std::optional<std::string> without_room(const Comm& comm, Int bytes) {
  const std::vector<int>& node = nodes_of(comm, 0).of;  // the first time together with all ranks
  std::error_code unknown;
  const std::filesystem::space_info room = std::filesystem::space("/dev/shm", unknown);
  if (unknown) return {};
  // If all ranks of the node ask for as much
  const Int all = bytes * std::count(node.begin(), node.end(), node[static_cast<std::size_t>(comm.rank())]);
  if (all <= static_cast<Int>(room.available)) return {};
  return fmt::format("the windows of a node take {} bytes of /dev/shm, which has room for {}", all, room.available);
}

// The same on all ranks: a window, or an error.
std::shared_ptr<Window> made_together(const Comm& comm, Int bytes) {
  auto w = std::make_shared<Window>();
  // MPICH 4.0.2 reads beside the right place where a window before has a size that its alignment does not divide.
  w->bytes = std::max(WindowPool::small, (bytes + 63) / 64 * 64);
  fail_together(comm, Trouble::Kind::runtime, without_room(comm, w->bytes));
  std::optional<std::string> problem;
  try {
    void* base = nullptr;
    MPI_TRY(MPI_Win_allocate(w->bytes, 1, MPI_INFO_NULL, comm.raw(), static_cast<void*>(&base), &w->win));
    w->data = static_cast<std::byte*>(base);
    MPI_TRY(MPI_Win_set_errhandler(w->win, MPI_ERRORS_RETURN));
    MPI_TRY(MPI_Win_lock_all(MPI_MODE_NOCHECK, w->win));
  } catch (const RuntimeError& e) {
    problem = e.what();
  }
  fail_together(comm, Trouble::Kind::runtime, problem);
  return w;
}

}  // namespace

Arena Arena::window(const Comm& comm, Int bytes, Content content) {
  WindowPool& windows = WindowPool::of(comm.raw());
  auto w = windows.reuse(comm.raw(), bytes);
  if (!w) windows.keep(w = made_together(comm, bytes));
  if (bytes > 0 && content == Content::zero) std::memset(w->data, 0, static_cast<std::size_t>(bytes));
  MPI_TRY(MPI_Win_sync(w->win));
  Arena a;
  a.window_ = std::move(w);
  a.bytes_ = bytes;
  return a;
}

}  // namespace cairn
