#include "runtime/arena.hpp"

#include <cstring>
#include <new>

#include "runtime/mpi_check.hpp"

namespace cairn {

Arena Arena::plain(Int bytes) {
  constexpr std::align_val_t alignment{64};
  Arena a;
  a.bytes_ = bytes;
  a.owner_ = std::shared_ptr<void>(::operator new(static_cast<std::size_t>(bytes), alignment),
                                   [](void* p) { ::operator delete (p, std::align_val_t{64}); });
  a.data_ = static_cast<std::byte*>(a.owner_.get());
  std::memset(a.data_, 0, static_cast<std::size_t>(bytes));
  return a;
}

namespace {

struct Window {
  MPI_Win win = MPI_WIN_NULL;
  bool locked = false;
  Window() = default;
  ~Window() {
    int over = 0;
    MPI_Finalized(&over);
    if (over || win == MPI_WIN_NULL) return;
    if (locked) MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
};

}  // namespace

Arena Arena::window(const Comm& comm, Int bytes, Int unit) {
  Arena a;
  const auto made = std::make_shared<Window>();
  void* base = nullptr;
  // MPICH 4.0.2 reads beside the right place where a window before has a size that its alignment does not divide.
  const Int whole = (bytes + 63) / 64 * 64;
  MPI_TRY(MPI_Win_allocate(whole, to_int(unit, "bytes of an element"), MPI_INFO_NULL, comm.raw(), &base, &made->win));
  MPI_TRY(MPI_Win_set_errhandler(made->win, MPI_ERRORS_RETURN));
  MPI_TRY(MPI_Win_lock_all(MPI_MODE_NOCHECK, made->win));
  made->locked = true;
  a.window_ = made->win;
  a.data_ = static_cast<std::byte*>(base);
  a.bytes_ = bytes;
  a.owner_ = made;
  if (bytes > 0) std::memset(a.data_, 0, static_cast<std::size_t>(bytes));
  MPI_TRY(MPI_Win_sync(a.window_));
  return a;
}

}  // namespace cairn
