#include "runtime/transport/remote_places.hpp"

#include <map>

#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

// Lists for one other rank, in the order of the program. Two ranks have at most one message each way in a step, so both
// sides agree on the order.
struct Partner {
  std::vector<Int> mine, theirs;
  std::vector<Int*> wanted;
};

std::map<int, Partner> partners_of(const Program& program, RemotePlaces& places) {
  std::map<int, Partner> partners;
  for (const Operation& op : program.operations)
    if (const auto* e = std::get_if<Exchange>(&op.what)) {
      for (std::size_t i = 0; i < e->receives.size(); ++i)
        partners[e->receives[i].peer].wanted.push_back(&places.fetched[e->first_request + i]);
      for (const Message& m : e->sends) partners[m.peer].mine.push_back(m.place.at);
    } else if (const auto* x = std::get_if<SumExchange>(&op.what)) {
      for (std::size_t i = 0; i < x->sends.size(); ++i)
        partners[x->sends[i].peer].wanted.push_back(&places.summed[x->first_send + i]);
      for (int peer : x->peers) partners[peer].mine.push_back(x->sums);
    }
  return partners;
}

}  // namespace

RemotePlaces exchange_places(const Comm& comm, const Program& program) {
  constexpr int tag = 0;
  RemotePlaces places{std::vector<Int>(program.requests, -1), std::vector<Int>(program.sum_sends, -1)};
  std::map<int, Partner> partners = partners_of(program, places);
  std::vector<MPI_Request> requests;
  for (auto& [peer, p] : partners) {
    p.theirs.resize(p.wanted.size());
    if (!p.theirs.empty())
      MPI_TRY(MPI_Irecv(p.theirs.data(), to_int(static_cast<Int>(p.theirs.size()), "places"), MPI_INT64_T, peer, tag,
                        comm.raw(), &requests.emplace_back()));
    if (!p.mine.empty())
      MPI_TRY(MPI_Isend(p.mine.data(), to_int(static_cast<Int>(p.mine.size()), "places"), MPI_INT64_T, peer, tag,
                        comm.raw(), &requests.emplace_back()));
  }
  MPI_TRY(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
  for (auto& [peer, p] : partners)
    for (std::size_t i = 0; i < p.wanted.size(); ++i) *p.wanted[i] = p.theirs[i];
  return places;
}

}  // namespace cairn
