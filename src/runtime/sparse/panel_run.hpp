// Carries out a schedule whose elements are panels of block-sparse matrices.
#pragma once
#include <array>
#include <map>
#include <utility>

#include "local/sparse/needed_blocks.hpp"
#include "local/sparse/threaded_product.hpp"
#include "runtime/sparse/panel_messages.hpp"
#include "schedule/panel_schedule.hpp"

namespace cairn {

/// Which products of blocks are done, the same on all ranks; by how many threads, and with what memory.
struct PanelRules {
  double filter_eps = 0;
  bool retain_sparsity = false;
  bool upper = false;  ///< only of blocks (i, j) of C with i <= j
  int threads = 1;     ///< of this rank
  /// Where memory is limited: how large sums are at most. Memory for them is then taken at once, and panels are given
  /// back as soon as they are counted no more.
  const SizedPanels* most = nullptr;
  /// Likewise: words for all blocks that are cut out of panels for those who need no others, though some have left
  /// before others are cut out, so that what travels does not depend on when. Panels for which there is no room travel
  /// as a whole.
  Int room = 0;
  /// Out of which panels of A and B are fetched; null: they come as messages.
  PanelWindow* window = nullptr;
  const PanelPlaces* places = nullptr;  ///< in it
};

/// What a rank did.
struct PanelWork {
  PanelTraffic arrived;
  double expected_words = 0;  ///< that it would receive
  Int products = 0, flops = 0;
  double multiply_seconds = 0, wait_seconds = 0;  ///< apart from each other
};

/// One product C += alpha·A·B on one rank.
template <class T>
class PanelRun {
 public:
  using Place = std::pair<Int, Int>;  ///< an element of a matrix of panels
  using Matrix = PanelSchedule::Matrix;
  using enum PanelSchedule::Matrix;

  /// Sizes of A and B are exact. `ranks` are the communicator's, in the order of the schedule's grid; `none` is A, B
  /// and C without blocks.
  PanelRun(const Comm& comm, const PanelSchedule& schedule, const SizedPanels& sizes, std::vector<int> ranks,
           const std::array<Blocks<T>, 3>& none, const PanelRules& rules);

  /// What this rank has of A, B and C at the start; a panel of A or B without blocks need not be given.
  void load(Matrix matrix, Place place, BlockPanel<T> panel);
  void load(Place place, Blocks<T> c);
  PanelWork run(T alpha);
  /// What it has of a panel of C at the end.
  Blocks<T> take(Place place);

 private:
  using Messages = PanelMessages<T>;
  using PanelPointer = typename Messages::PanelPointer;
  // A panel of A or B, here or on its way; or a sum
  struct Element {
    PanelPointer panel;
    std::shared_ptr<typename Messages::Arriving> arriving;
    std::shared_ptr<SumOfThreads<T>> sum;
  };

  // f(src, dst, rows, cols, from, update) for what this rank gets by each kind of effect of step t.
  template <class F>
  void arriving(const Move& m, std::size_t t, F f) const;
  template <class F>
  void arriving(const Redistribute& x, std::size_t t, F f) const;
  template <class F>
  void arriving(const Compute&, std::size_t, F) const {}

  template <class Transport>
  void carry_out(const Transport& x);
  void carry_out(const Compute& x);
  double waited() const;

  std::map<Place, Element>& memory(Slot x) { return memory_[s_.storage(x)]; }
  template <class F>
  void for_each_element(const IndexSet& rows, const IndexSet& cols, F f) const;
  // f(src, place, to, who says what is needed of it, or -1) for what a step sends to other ranks.
  template <class F>
  void for_each_sent(const Effect& step, std::size_t t, F f) const;
  template <class F>
  void for_each_wanted(Slot src, Slot dst, const Region& r, Int to, F f) const;
  bool fetched(Slot src, Place place) const;
  void expose();
  void ask();
  void ask(const WantedPanels& wanted, Matrix matrix, Place place, Int owner, int tag);
  NeededBlocks::Filter filter() const { return {std::abs(alpha_), rules_.filter_eps}; }
  void send(Slot src, Place place, Int to, Int asked_by);
  void receive(Slot src, Slot dst, const IndexSet& rows, const IndexSet& cols, Int from, Update update);
  void forget(Slot storage);
  void put(Slot dst, Place place, const BlocksView<T>& sum, Update update);
  BlockPanel<T>* panel_at(Slot x, Place place);
  SumOfThreads<T>& shared_sum_at(Slot x, Place place);
  Blocks<T>& sum_at(Slot x, Place place) { return shared_sum_at(x, place).whole(); }
  void multiply(BlockPanel<T>& a, BlockPanel<T>& b, SumOfThreads<T>& c);

  const Comm& comm_;
  const PanelSchedule& schedule_;
  const Schedule& s_;
  const SizedPanels& sizes_;
  const std::vector<int> ranks_;
  const std::array<Blocks<T>, 3> none_;
  const PanelRules rules_;
  Int room_;  // that is left of PanelRules::room
  Int me_ = 0;
  T alpha_ = T(1);
  int step_ = 0;
  std::array<Messages, 3> messages_;
  std::map<Slot, std::map<Place, Element>> memory_;  // by storage
  std::vector<double> limits_;                       // by block row of A
  ThreadedProduct<T> local_;
  PanelWork work_;
};

}  // namespace cairn
