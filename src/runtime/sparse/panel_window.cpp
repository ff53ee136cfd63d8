#include "runtime/sparse/panel_window.hpp"

#include <limits>

#include "runtime/comm_state.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

// What begins there is aligned for every type, and shares no line of a cache with what another rank reads.
Int aligned(Int bytes) { return (bytes + 63) / 64 * 64; }

}  // namespace

PanelPlaces::PanelPlaces(const PanelValues& values, const SizedPanels& sizes, Int bytes_of_word) {
  const Schedule& s = values.wire;
  std::vector<Int> next(static_cast<std::size_t>(s.ranks));
  for (const PanelValues::Matrix matrix : {PanelValues::A, PanelValues::B}) {
    const Slot x = s.callers()[matrix];
    const Layout& layout = s.layout(x);
    cols_[matrix] = layout.n();
    places_[matrix].resize(static_cast<std::size_t>(layout.m() * layout.n()));
    for (Int r = 0; r < s.ranks; ++r) {
      Int& at = next[static_cast<std::size_t>(r)];
      for_each_panel(region(layout, r), [&](Int i, Int j) {
        const PanelSizes::Size& size = sizes.of(x).at(i, j);
        Place& place = places_[matrix][static_cast<std::size_t>(i * layout.n() + j)];
        place.index = at;
        place.values = at + aligned(size.numbers * static_cast<Int>(sizeof(BlockIndex)));
        at = place.values + aligned(size.words * bytes_of_word);
      });
    }
  }
  for (Int bytes : next) bytes_ = std::max(bytes_, bytes);
}

std::shared_ptr<PanelWindow> PanelWindow::of(const Comm& comm) {
  std::shared_ptr<PanelWindow>& kept = comm.state().panel_window;
  if (!kept) kept = std::make_shared<PanelWindow>();
  return kept;
}

// A window that is much too large goes, too: what was written into it stays in memory.
void PanelWindow::require(const Comm& comm, Int bytes) {
  const Int most = std::max(WindowPool::small, 8 * bytes);
  if (raw() != MPI_WIN_NULL && bytes <= arena_.bytes() && arena_.bytes() <= most) return;
  arena_ = Arena();
  arena_ = Arena::window(comm, std::max(WindowPool::small, bytes + bytes / 4), Arena::Content::any);
}

void PanelWindow::open(const Comm& comm) {
  MPI_TRY(MPI_Win_sync(raw()));
  MPI_TRY(MPI_Ibarrier(comm.raw(), &opened_));
}

void PanelWindow::forget(const Comm& comm) {
  arena_ = Arena();
  WindowPool::of(comm.raw()).reuse(comm.raw(), std::numeric_limits<Int>::max() / 2);  // none is as large: all go
}

}  // namespace cairn
