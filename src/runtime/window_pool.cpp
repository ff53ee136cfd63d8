#include "runtime/window_pool.hpp"

#include <algorithm>

#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

void give_back(Window& w) {
  MPI_Win_unlock_all(w.win);
  MPI_Win_free(&w.win);
}

}  // namespace

std::vector<std::unique_ptr<WindowPool>>& WindowPool::all() {
  static auto* const pools = new std::vector<std::unique_ptr<WindowPool>>;  // MPI ends before the program does
  return *pools;
}

WindowPool& WindowPool::of(MPI_Comm comm) {
  MPI_Group ranks = MPI_GROUP_NULL;
  MPI_TRY(MPI_Comm_group(comm, &ranks));
  for (const auto& pool : all()) {
    int result = MPI_UNEQUAL;
    MPI_TRY(MPI_Group_compare(ranks, pool->ranks_, &result));
    if (result != MPI_IDENT) continue;
    MPI_TRY(MPI_Group_free(&ranks));
    return *pool;
  }
  all().emplace_back(new WindowPool(ranks));
  return *all().back();
}

// Each is freed by all its ranks together, so in the order in which they were made, the same on all of them.
void WindowPool::release_all() {
  std::vector<std::shared_ptr<Window>> windows;
  for (const auto& pool : all()) {
    windows.insert(windows.end(), pool->windows_.begin(), pool->windows_.end());
    MPI_Group_free(&pool->ranks_);
  }
  std::sort(windows.begin(), windows.end(), [](const auto& a, const auto& b) { return a->number < b->number; });
  for (const auto& w : windows) give_back(*w);
  all().clear();
}

void WindowPool::keep(std::shared_ptr<Window> window) {
  static Int kept = 0;
  window->number = ++kept;
  windows_.push_back(std::move(window));
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

void WindowPool::release() {
  for (const auto& w : windows_) give_back(*w);
  windows_.clear();
}

}  // namespace cairn
