// Non-blocking sends and receives, and the count of the words that really arrived.
#pragma once
#include <mpi.h>

#include <vector>

#include "cairn/comm.hpp"
#include "runtime/datatypes.hpp"

namespace cairn {

class TwoSided {
 public:
  TwoSided(const Comm& comm, std::size_t requests)
      : comm_(comm.raw()), requests_(requests, MPI_REQUEST_NULL), arriving_(requests, MPI_DATATYPE_NULL) {}

  void reset() { received_ = messages_ = 0; }
  void receive(std::size_t request, void* data, int count, MPI_Datatype type, int peer, int tag);
  void send(std::size_t request, const void* data, int count, MPI_Datatype type, int peer, int tag);
  /// Complete the requests [lo, hi); those not posted are skipped.
  void wait(Range requests);
  /// Whether anything posted is still on its way. Asking lets the library move data, as some only do while they are
  /// called; nothing is completed.
  bool in_flight() const;
  /// Whether something was posted and not yet waited for.
  bool pending() const { return posted_ > 0; }

  Int received() const { return received_; }
  Int messages() const { return messages_; }
  /// Room for the requests of steps that complete their own (reductions, reshuffles).
  void reserve(std::size_t requests);

 private:
  MPI_Comm comm_;
  std::vector<MPI_Request> requests_;
  std::vector<MPI_Datatype> arriving_;  ///< datatype of a receive, null for a send
  std::vector<MPI_Status> statuses_;
  Int received_ = 0, messages_ = 0, posted_ = 0;
};

}  // namespace cairn
