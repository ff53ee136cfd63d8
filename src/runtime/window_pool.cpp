#include "runtime/window_pool.hpp"

#include <algorithm>

#include "runtime/mpi_check.hpp"

namespace cairn {

void WindowPool::give_back(Window& w) {
  MPI_Win_unlock_all(w.win);
  MPI_Win_free(&w.win);
}

std::shared_ptr<Window> WindowPool::reuse(MPI_Comm comm, Int bytes) {
  if (windows_.empty()) return nullptr;
  std::vector<int> unfit;  // by window: whether some rank holds it, whether it has another size than some rank wants
  for (const auto& w : windows_) {
    unfit.push_back(w.use_count() > 1 ? 1 : 0);
    unfit.push_back(w->bytes < bytes || w->bytes > std::max(small, bytes + bytes / 8) ? 1 : 0);
  }
  MPI_TRY(MPI_Allreduce(MPI_IN_PLACE, unfit.data(), to_int(static_cast<Int>(unfit.size()), "windows"), MPI_INT, MPI_MAX,
                        comm));
  std::vector<std::shared_ptr<Window>> kept;
  std::shared_ptr<Window> found;
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const bool held = unfit[2 * i] != 0, serves = !held && unfit[2 * i + 1] == 0 && !found;
    if (serves) found = windows_[i];
    if (serves || held)
      kept.push_back(windows_[i]);
    else
      give_back(*windows_[i]);
  }
  windows_ = std::move(kept);
  return found;
}

// MPI wants it between accesses of different ranks to shared memory.
void WindowPool::synchronise() const {
  if (!windows_.empty()) MPI_Win_sync(windows_.front()->win);
}

void WindowPool::release() {
  for (const auto& w : windows_) give_back(*w);
  windows_.clear();
}

}  // namespace cairn
