#include "runtime/transport/two_sided.hpp"

#include "runtime/mpi_check.hpp"

namespace cairn {

void TwoSided::reserve(std::size_t requests) {
  if (requests <= requests_.size()) return;
  requests_.resize(requests, MPI_REQUEST_NULL);
  arriving_.resize(requests, MPI_DATATYPE_NULL);
}

void TwoSided::receive(std::size_t request, void* data, int count, MPI_Datatype type, int peer, int tag) {
  MPI_TRY(MPI_Irecv(data, count, type, peer, tag, comm_, &requests_[request]));
  arriving_[request] = type;
  ++posted_;
}

void TwoSided::send(std::size_t request, const void* data, int count, MPI_Datatype type, int peer, int tag) {
  MPI_TRY(MPI_Isend(data, count, type, peer, tag, comm_, &requests_[request]));
  arriving_[request] = MPI_DATATYPE_NULL;
  ++posted_;
}

void TwoSided::wait(Range r) {
  if (r.empty()) return;
  statuses_.resize(static_cast<std::size_t>(r.size()));
  const auto first = static_cast<std::size_t>(r.lo);
  for (std::size_t i = 0; i < statuses_.size(); ++i) posted_ -= requests_[first + i] != MPI_REQUEST_NULL;
  if (const int code = MPI_Waitall(to_int(r.size(), "requests"), &requests_[first], statuses_.data());
      code != MPI_SUCCESS) {
    for (const MPI_Status& s : statuses_)
      if (code == MPI_ERR_IN_STATUS && s.MPI_ERROR != MPI_SUCCESS && s.MPI_ERROR != MPI_ERR_PENDING)
        throw_mpi_error(s.MPI_ERROR, "MPI_Waitall");
    throw_mpi_error(code, "MPI_Waitall");
  }
  for (std::size_t i = 0; i < statuses_.size(); ++i) {
    if (arriving_[first + i] == MPI_DATATYPE_NULL) continue;
    MPI_Count elements = 0;
    MPI_TRY(MPI_Get_elements_x(&statuses_[i], arriving_[first + i], &elements));
    received_ += elements;
    ++messages_;
    arriving_[first + i] = MPI_DATATYPE_NULL;
  }
}

bool TwoSided::in_flight() const {
  if (posted_ == 0) return false;
  for (MPI_Request r : requests_) {
    int arrived = 1;
    if (r != MPI_REQUEST_NULL) MPI_TRY(MPI_Request_get_status(r, &arrived, MPI_STATUS_IGNORE));
    if (!arrived) return true;
  }
  return false;
}

}  // namespace cairn
