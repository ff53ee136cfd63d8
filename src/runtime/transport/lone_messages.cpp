#include "runtime/transport/lone_messages.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>
#include <vector>

#include "runtime/comm_state.hpp"
#include "runtime/environment.hpp"
#include "runtime/mpi_check.hpp"
#include "runtime/nodes.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

namespace {

using namespace std::chrono_literals;

constexpr int bytes = 1 << 20;  // beyond what any library hands over at once
// One after another, as a receiver may be kept from its core.
constexpr std::chrono::milliseconds silences[] = {3ms, 9ms, 27ms};

// Ranks of an even number send to the next one, and are silent: whether it arrives meanwhile. A rank without a partner
// cannot tell.
bool arrives_alone(const Comm& comm, std::chrono::milliseconds silence) {
  const int partner = comm.rank() ^ 1;
  if (partner >= comm.size()) {
    MPI_TRY(MPI_Barrier(comm.raw()));
    return true;
  }
  std::vector<char> message(bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  int arrived = 1;
  const bool sends = comm.rank() % 2 == 0;
  if (!sends) MPI_TRY(MPI_Irecv(message.data(), bytes, MPI_CHAR, partner, 0, comm.raw(), &request));
  MPI_TRY(MPI_Barrier(comm.raw()));
  if (sends) {
    MPI_TRY(MPI_Isend(message.data(), bytes, MPI_CHAR, partner, 0, comm.raw(), &request));
    std::this_thread::sleep_for(silence);
  } else {
    const auto end = std::chrono::steady_clock::now() + silence * 2 / 3;
    do MPI_TRY(MPI_Request_get_status(request, &arrived, MPI_STATUS_IGNORE));
    while (!arrived && std::chrono::steady_clock::now() < end);
  }
  MPI_TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
  return arrived != 0;
}

bool on_all(const Comm& comm, bool mine) { return over_ranks(comm, MPI_MIN, mine ? 1 : 0) != 0; }

bool all_arrive_alone(const Comm& comm) {
  return std::any_of(std::begin(silences), std::end(silences),
                     [&](auto silence) { return on_all(comm, arrives_alone(comm, silence)); });
}

}  // namespace

bool messages_need_sender(const Comm& comm) {
  std::optional<bool>& known = comm.state().messages_need_sender;
  if (!known)
    known = comm.size() > 1 && nodes_of(comm, 0).count == 1 &&
            on_all(comm, may_measure_node() && have_cores(comm.size())) && !all_arrive_alone(comm);
  return *known;
}

bool messages_need_sender(const Comm& comm, bool wanted) {
  if (const std::optional<bool>& known = comm.state().messages_need_sender) return *known;
  int asks = wanted ? 1 : 0;
  MPI_TRY(MPI_Bcast(&asks, 1, MPI_INT, 0, comm.raw()));
  return asks != 0 && messages_need_sender(comm);
}

}  // namespace cairn
