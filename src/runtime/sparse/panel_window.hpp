// Panels of A and B that other ranks fetch, without a message from the rank that has them.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "cairn/blocks.hpp"
#include "cairn/comm.hpp"
#include "runtime/arena.hpp"
#include "schedule/panel_schedule.hpp"

namespace cairn {

/// Where the panels of A and B lie in the windows of the ranks that have them at the start: an index, then the values.
/// All ranks know the sizes of all panels, so nobody needs to be told.
class PanelPlaces {
 public:
  struct Place {
    Int index = 0, values = 0;  ///< bytes from the start of the window
  };

  PanelPlaces(const PanelValues& values, const SizedPanels& sizes, Int bytes_of_word);

  Place of(PanelValues::Matrix matrix, Int i, Int j) const {
    return places_[matrix][static_cast<std::size_t>(i * cols_[matrix] + j)];
  }
  /// Of the largest window.
  Int bytes() const { return bytes_; }

 private:
  std::array<std::vector<Place>, 2> places_;
  std::array<Int, 2> cols_{};
  Int bytes_ = 0;
};

/// A window of a communicator, which one product after another copies its panels into. It is as large on all ranks, and
/// another one takes its place where it is too small: all ranks know that from the sizes of panels, and need not agree
/// on it. [dbcsr-25d-rma-2017 §3, with one agreement a product less]
class PanelWindow {
 public:
  /// That of the communicator.
  static std::shared_ptr<PanelWindow> of(const Comm& comm);

  /// Room for so many bytes, the same number on all ranks. Collective. Throws RuntimeError on all if there is none.
  /// Every rank must have fetched what it wanted of the product before.
  void require(const Comm& comm, Int bytes);
  std::byte* data() const { return arena_.data(); }
  /// This rank has copied what others may fetch. Collective, but waits for nobody.
  void open(const Comm& comm);
  /// Waits until all ranks have.
  void wait() { MPI_Wait(&opened_, MPI_STATUS_IGNORE); }
  /// After that.
  MPI_Win raw() const { return arena_.window(); }
  /// Gives the memory back to MPI. Collective.
  void forget(const Comm& comm);

 private:
  Arena arena_;
  MPI_Request opened_ = MPI_REQUEST_NULL;
};

}  // namespace cairn
