// Non-blocking sends and receives, and the count of the words that really arrived. Other transports are made from it:
// they carry exchanges otherwise, and redistributions alike.
#pragma once
#include <mpi.h>

#include <coroutine>
#include <functional>
#include <vector>

#include "cairn/comm.hpp"
#include "runtime/nodes.hpp"
#include "runtime/typed_messages.hpp"

namespace cairn {

class TwoSided {
 public:
  /// What is waited for is over when the call returns (program/follower.hpp).
  using Over = std::suspend_never;
  /// The memory of a storage slot in this run; of -1, the arena.
  using Memory = std::function<std::byte*(Slot)>;

  /// Messages of more than `longest` elements are described in pieces.
  TwoSided(const Comm& comm, const Nodes& nodes, const Program& program, ScalarType scalar,
           Int longest = Datatypes::most);
  virtual ~TwoSided() = default;
  TwoSided(const TwoSided&) = delete;
  TwoSided& operator=(const TwoSided&) = delete;

  /// Start of a run, before anything is posted. Collective.
  virtual void begin(Memory memory);
  /// Post the messages of an exchange of the given step, as the requests from x.first_request on.
  virtual void post(const Exchange& x, std::size_t step);
  /// Whether it has carried out a reduce-scatter otherwise than by messages: `own` starts the sum in this rank's piece,
  /// `add` adds others'.
  virtual bool sum(const SumExchange&, std::size_t /*step*/, const std::function<void()>& /*own*/,
                   const std::function<void(const std::byte*)>& /*add*/) {
    return false;
  }
  /// Complete the requests [lo, hi); those not posted are skipped.
  Over wait(Range requests) {
    if (pending()) await(requests);
    return {};
  }
  void settle(Range requests) { await(requests); }
  /// Return when one of these requests may be complete that was not before.
  virtual Over wait_any(const std::vector<Range>& requests);
  /// Whether the requests [lo, hi) are complete, or not posted. Lets the library move data.
  virtual bool complete(Range requests);
  bool leaves_node(const Exchange& x) const;
  /// Whether anything posted is still on its way. Asking lets the library move data, as some only do while they are
  /// called.
  virtual bool in_flight();
  /// Whether something was posted and not yet waited for.
  virtual bool pending() const { return posted_ > 0; }
  /// Only where ranks share memory.
  virtual Over meet(const Meet&) { return {}; }
  /// End of a run, when everything posted is complete. Collective.
  virtual void end() {}

  /// The least of all ranks' numbers that are not 0; 0 if all are. Collective.
  Int first(Int number) const;

  /// Messages of steps that complete their own (reductions, reshuffles), as requests from own_requests() on.
  std::size_t own_requests() const { return program_.requests; }
  void reserve(std::size_t requests);
  /// Consecutive words of the arena.
  Over receive(std::size_t request, Int place, Int words, int peer, std::size_t step);
  Over send(std::size_t request, Int place, Int words, int peer, std::size_t step);
  /// The i-th piece of a reduce-scatter that others own.
  Over send(std::size_t request, const SumExchange& x, std::size_t i, std::size_t step);

  /// Since begin(): words, and messages, that arrived.
  Int received() const { return received_; }
  Int from_other_nodes() const { return from_other_nodes_; }
  Int messages() const { return messages_; }

 protected:
  virtual void await(Range requests);
  void arrived(Int words, int peer);

  const Comm comm_;
  const Nodes& nodes_;
  const Program& program_;
  TypedMessages typed_;
  Memory memory_;

 private:
  std::byte* packed(const Message& m) const { return memory_(-1) + m.place.at * typed_.bytes(); }
  /// Account for a request that is complete.
  void finish(std::size_t request, MPI_Status& status);
  void receive(std::size_t request, std::byte* from, const TypedBuffer& buffer, int peer, std::size_t step);
  void send(std::size_t request, std::byte* from, const TypedBuffer& buffer, int peer, std::size_t step);

  /// Datatype and sender of a receive, and the message if it arrives packed; null for a send.
  struct Arriving {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int peer = 0;
    const Message* packed = nullptr;
  };
  std::vector<MPI_Request> requests_;
  std::vector<Arriving> arriving_;
  std::vector<MPI_Status> statuses_;
  std::vector<std::size_t> watched_;
  Int received_ = 0, from_other_nodes_ = 0, messages_ = 0, posted_ = 0;
};

}  // namespace cairn
