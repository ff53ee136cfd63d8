// Parcels to the ranks that keep them: what ranks find in a file, or in rows that a user gives.
#pragma once
#include <numeric>
#include <optional>
#include <vector>

#include "base/arithmetic.hpp"
#include "cairn/comm.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

/// What this rank sends, rank after rank; within a rank in the order in which it was found.
template <class Parcel>
struct Outbox {
  std::vector<Parcel> parcels;
  std::vector<int> counts, starts;

  /// for_each(visit) calls visit(rank, make) for each parcel, twice alike; make() is the parcel.
  template <class ForEach>
  Outbox(int ranks, const ForEach& for_each) : counts(place(ranks)), starts(counts.size()) {
    std::vector<Int> at(counts.size());
    for_each([&](auto rank, const auto&) { ++at[place(rank)]; });
    const int all = to_int(std::accumulate(at.begin(), at.end(), Int{0}), "parcels");
    std::copy(at.begin(), at.end(), counts.begin());
    std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
    std::copy(starts.begin(), starts.end(), at.begin());
    parcels.resize(place(all));
    for_each([&](auto rank, const auto& make) { parcels[place(at[place(rank)]++)] = make(); });
  }
};

/// Collective: delivers all parcels, which for_each sends as Outbox says; returns this rank's, in the order of the
/// sending ranks. What for_each throws on a rank, all throw.
template <class Parcel, class ForEach>
std::vector<Parcel> deliver(const Comm& comm, const ForEach& for_each) {
  std::optional<Outbox<Parcel>> made;
  together(comm, [&] { made.emplace(comm.size(), for_each); });
  const Outbox<Parcel>& out = *made;
  const auto ranks = static_cast<std::size_t>(comm.size());
  std::vector<int> counts(ranks), starts(ranks);
  MPI_TRY(MPI_Alltoall(out.counts.data(), 1, MPI_INT, counts.data(), 1, MPI_INT, comm.raw()));
  std::vector<Parcel> in;
  together(comm, [&] {
    in.resize(place(to_int(std::accumulate(counts.begin(), counts.end(), Int{0}), "parcels")));
    std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
  });
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_TRY(MPI_Type_contiguous(static_cast<int>(sizeof(Parcel)), MPI_BYTE, &type));
  MPI_TRY(MPI_Type_commit(&type));
  MPI_TRY(MPI_Alltoallv(out.parcels.data(), out.counts.data(), out.starts.data(), type, in.data(), counts.data(),
                        starts.data(), type, comm.raw()));
  MPI_TRY(MPI_Type_free(&type));
  return in;
}

}  // namespace cairn
