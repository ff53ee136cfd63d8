// Panels as messages: the index, then the values.
#pragma once
#include <list>
#include <memory>
#include <vector>

#include "cairn/comm.hpp"
#include "local/sparse/block_panel.hpp"
#include "runtime/datatypes.hpp"
#include "runtime/sparse/kept_memory.hpp"
#include "runtime/sparse/panel_window.hpp"

namespace cairn {

/// What arrived, in words of values and numbers of indices.
struct PanelTraffic {
  Int words = 0, numbers = 0, messages = 0;
  PanelTraffic& operator+=(const PanelTraffic& more) {
    words += more.words, numbers += more.numbers, messages += more.messages;
    return *this;
  }
};

template <class T>
class PanelMessages {
 public:
  using PanelPointer = std::shared_ptr<BlockPanel<T>>;

  /// Panels arrive in `memory`.
  PanelMessages(const Comm& comm, const BlockPattern& like, std::shared_ptr<KeptMemory> memory)
      : comm_(comm), like_(none_like(like)), memory_(std::move(memory)) {}
  /// Waits for what was sent.
  ~PanelMessages();
  PanelMessages(const PanelMessages&) = delete;
  PanelMessages& operator=(const PanelMessages&) = delete;

  /// Messages between two ranks with the same tag are received in the order in which they were sent.
  void send(const PanelPointer& panel, int to, int tag);
  /// Says which blocks are needed of a panel that another rank sends.
  void ask(std::vector<BlockIndex> needed, int of, int tag);
  /// Waits until another rank has said so.
  std::vector<BlockIndex> asked(int by, int tag);

  /// A panel on its way.
  class Arriving {
   public:
    Arriving() = default;
    /// Nothing arrives in memory that is gone, or is not counted.
    ~Arriving();
    Arriving(const Arriving&) = delete;
    Arriving& operator=(const Arriving&) = delete;
    /// Waits for it.
    PanelPointer take();

   private:
    friend class PanelMessages;
    PanelMessages* all_ = nullptr;
    std::vector<BlockIndex> index_;
    std::shared_ptr<T> values_;
    Int words_ = 0;
    bool sent_ = false;  // by its owner, maybe not all of it
    MPI_Request requests_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    PanelPointer taken_;
  };
  /// Of as many numbers and words, or fewer of both where it is asked for.
  std::shared_ptr<Arriving> expect(Int numbers, Int words, int from, int tag);
  /// The same in two steps: memory for a panel, and its receipt.
  std::shared_ptr<Arriving> room(Int numbers, Int words);
  void expect(Arriving& panel, int from, int tag);
  /// The same out of its owner's window, where it lies at `place`.
  std::shared_ptr<Arriving> fetch(PanelWindow& window, PanelPlaces::Place place, Int numbers, Int words, int from);
  /// The same of a panel of any size: waits for it.
  PanelPointer receive(int from, int tag);
  /// Lets MPI go on with what is under way.
  void progress();
  void finish();
  /// Waits until a panel has been sent.
  void finish(const PanelPointer& panel);

  const PanelTraffic& arrived() const { return arrived_; }
  double waited() const { return waited_; }

 private:
  struct Leaving {
    std::shared_ptr<const void> what;  // a panel, or the blocks that are needed of one
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  };
  std::vector<BlockIndex> awaited(int from, int tag);
  void count(std::size_t numbers, Int words);

  const Comm comm_;
  const BlockPattern like_;  // without blocks
  const std::shared_ptr<KeptMemory> memory_;
  Datatypes values_{scalar_type_of<T>};
  std::list<Leaving> leaving_;
  PanelTraffic arrived_;
  double waited_ = 0;
};

}  // namespace cairn
