#include "runtime/arena.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string>

#include "cairn/error.hpp"
#include "runtime/comm_state.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

Arena Arena::untouched(Int bytes) {
  constexpr std::align_val_t alignment{64};
  Arena a;
  a.bytes_ = bytes;
  a.owner_ = std::shared_ptr<void>(::operator new(static_cast<std::size_t>(bytes), alignment),
                                   [](void* p) { ::operator delete (p, std::align_val_t{64}); });
  a.data_ = static_cast<std::byte*>(a.owner_.get());
  return a;
}

Arena Arena::plain(Int bytes) {
  Arena a = untouched(bytes);
  std::memset(a.data_, 0, static_cast<std::size_t>(bytes));
  return a;
}

namespace {

// The same on all ranks: a window, or an error.
std::shared_ptr<Window> made_together(const Comm& comm, Int bytes) {
  auto w = std::make_shared<Window>();
  // MPICH 4.0.2 reads beside the right place where a window before has a size that its alignment does not divide.
  w->bytes = std::max(comm.state().windows.small, (bytes + 63) / 64 * 64);
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
  try {
    comm.agree(problem);
  } catch (const ArgumentError& e) {
    throw RuntimeError(e.what());
  }
  return w;
}

}  // namespace

Arena Arena::window(const Comm& comm, Int bytes) {
  WindowPool& windows = comm.state().windows;
  auto w = windows.reuse(comm.raw(), bytes);
  if (!w) windows.keep(w = made_together(comm, bytes));
  Arena a;
  a.window_ = w->win;
  a.data_ = w->data;
  a.bytes_ = bytes;
  a.owner_ = std::move(w);
  if (bytes > 0) std::memset(a.data_, 0, static_cast<std::size_t>(bytes));
  MPI_TRY(MPI_Win_sync(a.window_));
  return a;
}

}  // namespace cairn
