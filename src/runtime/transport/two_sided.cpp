#include "runtime/transport/two_sided.hpp"

#include <algorithm>
#include <limits>

#include "runtime/mpi_check.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

namespace {

// One tag a step. Only messages of one step between two ranks may meet out of step, and both ranks post those in the
// same order, so wrapping around is safe; 32767 is the largest tag that MPI guarantees.
int tag_of(std::size_t step) { return static_cast<int>(step % 32768); }

}  // namespace

TwoSided::TwoSided(const Comm& comm, const Nodes& nodes, const Program& program, ScalarType scalar, Int longest)
    : comm_(comm), nodes_(nodes), program_(program), typed_(program, scalar, longest) {
  reserve(program.requests);
}

void TwoSided::reserve(std::size_t requests) {
  if (requests <= requests_.size()) return;
  requests_.resize(requests, MPI_REQUEST_NULL);
  arriving_.resize(requests);
}

void TwoSided::begin(Memory memory) {
  memory_ = std::move(memory);
  received_ = from_other_nodes_ = messages_ = 0;
}

void TwoSided::post(const Exchange& x, std::size_t step) {
  std::size_t request = x.first_request;
  const auto from = [&](const Message& m) { return memory_(m.place.copied ? -1 : m.storage); };
  for (const Message& m : x.receives) {
    receive(request, from(m), typed_.exchanged(request), m.peer, step);
    if (m.place.copied) arriving_[request].packed = &m;
    ++request;
  }
  Int packed_there = -1;  // the last place; a block for several peers is packed once
  for (const Message& m : x.sends) {
    if (m.place.copied && m.place.at != packed_there) {
      copy(m.lines, memory_(m.storage), packed(m), typed_.bytes(), true);
      packed_there = m.place.at;
    }
    send(request, from(m), typed_.exchanged(request), m.peer, step);
    ++request;
  }
}

TwoSided::Over TwoSided::send(std::size_t request, const SumExchange& x, std::size_t i, std::size_t step) {
  send(request, memory_(x.sends[i].storage), typed_.summed(x.first_send + i), x.sends[i].peer, step);
  return {};
}

TwoSided::Over TwoSided::receive(std::size_t request, Int place, Int words, int peer, std::size_t step) {
  receive(request, memory_(-1), typed_.whole(words).from(place), peer, step);
  return {};
}

TwoSided::Over TwoSided::send(std::size_t request, Int place, Int words, int peer, std::size_t step) {
  send(request, memory_(-1), typed_.whole(words).from(place), peer, step);
  return {};
}

void TwoSided::receive(std::size_t request, std::byte* from, const TypedBuffer& b, int peer, std::size_t step) {
  MPI_TRY(MPI_Irecv(from + b.offset * typed_.bytes(), b.count, b.type, peer, tag_of(step), comm_.raw(),
                    &requests_[request]));
  arriving_[request] = {b.type, peer};
  ++posted_;
}

void TwoSided::send(std::size_t request, std::byte* from, const TypedBuffer& b, int peer, std::size_t step) {
  MPI_TRY(MPI_Isend(from + b.offset * typed_.bytes(), b.count, b.type, peer, tag_of(step), comm_.raw(),
                    &requests_[request]));
  arriving_[request] = {};
  ++posted_;
}

void TwoSided::await(Range r) {
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
  for (std::size_t i = 0; i < statuses_.size(); ++i) finish(first + i, statuses_[i]);
}

TwoSided::Over TwoSided::wait_any(const std::vector<Range>& requests) {
  watched_.clear();
  for (Range range : requests)
    for (auto r = static_cast<std::size_t>(range.lo); r < static_cast<std::size_t>(range.hi); ++r)
      if (requests_[r] != MPI_REQUEST_NULL) watched_.push_back(r);
  std::ranges::sort(watched_);
  watched_.erase(std::unique(watched_.begin(), watched_.end()), watched_.end());
  std::vector<MPI_Request> active;
  for (std::size_t r : watched_) active.push_back(requests_[r]);
  if (active.empty()) return {};
  int which = 0;
  MPI_Status status;
  MPI_TRY(MPI_Waitany(to_int(static_cast<Int>(active.size()), "requests"), active.data(), &which, &status));
  const std::size_t request = watched_[static_cast<std::size_t>(which)];
  requests_[request] = MPI_REQUEST_NULL;
  --posted_;
  finish(request, status);
  return {};
}

void TwoSided::finish(std::size_t request, MPI_Status& status) {
  Arriving& a = arriving_[request];
  if (a.type == MPI_DATATYPE_NULL) return;
  MPI_Count elements = 0;
  MPI_TRY(MPI_Get_elements_x(&status, a.type, &elements));
  arrived(elements, a.peer);
  if (const Message* const m = a.packed) copy(m->lines, memory_(m->storage), packed(*m), typed_.bytes(), false);
  a = {};
}

void TwoSided::arrived(Int words, int peer) {
  received_ += words;
  ++messages_;
  if (!nodes_.same(peer, comm_.rank())) from_other_nodes_ += words;
}

Int TwoSided::first(Int number) const {
  constexpr Int none = std::numeric_limits<Int>::max();
  const Int least = over_ranks(comm_, MPI_MIN, number > 0 ? number : none);
  return least == none ? 0 : least;
}

bool TwoSided::leaves_node(const Exchange& x) const {
  return std::any_of(x.sends.begin(), x.sends.end(),
                     [this](const Message& m) { return !nodes_.same(m.peer, comm_.rank()); });
}

bool TwoSided::in_flight() { return posted_ > 0 && !complete({0, static_cast<Int>(requests_.size())}); }

bool TwoSided::complete(Range requests) {
  for (auto r = static_cast<std::size_t>(requests.lo); r < static_cast<std::size_t>(requests.hi); ++r) {
    int arrived = 1;
    if (requests_[r] != MPI_REQUEST_NULL) MPI_TRY(MPI_Request_get_status(requests_[r], &arrived, MPI_STATUS_IGNORE));
    if (!arrived) return false;
  }
  return true;
}

}  // namespace cairn
