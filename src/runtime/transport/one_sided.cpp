#include "runtime/transport/one_sided.hpp"

#include <cstring>

#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

// Three tags a step, beyond those of messages: two ranks may each fetch from the other and add to it in one step.
constexpr int first_tag = 32768, tags_a_step = 3;

}  // namespace

bool has_tags_for(std::size_t steps) {
  void* value = nullptr;
  int found = 0;
  MPI_TRY(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&value), &found));
  return found && (static_cast<Int>(*static_cast<int*>(value)) - first_tag) / tags_a_step > static_cast<Int>(steps);
}

OneSided::OneSided(const Comm& comm, const Nodes& nodes, const Program& program, ScalarType scalar, MPI_Win window,
                   const RemotePlaces& places)
    : TwoSided(comm, nodes, program, scalar), window_(window), places_(places), posted_(program.requests) {}

int OneSided::tag_of(std::size_t step, Event event) {
  const int which = event == Event::ready ? 0 : event == Event::read ? 1 : 2;
  return first_tag + tags_a_step * static_cast<int>(step) + which;
}

void OneSided::sync() const { MPI_TRY(MPI_Win_sync(window_)); }

void OneSided::begin(Memory memory) {
  TwoSided::begin(std::move(memory));
  const Int word = typed_.bytes();
  for (const Program::Input& i : program_.inputs) copy(i.lines, memory_(i.storage), window_at(i.place), word, true);
  for (const Operation& op : program_.operations)
    if (const auto* x = std::get_if<SumExchange>(&op.what); x && x->sums >= 0)
      std::memset(window_at(x->sums), 0, static_cast<std::size_t>(x->piece * word));
  sync();
  MPI_TRY(MPI_Barrier(comm_.raw()));
}

void OneSided::end() {
  while (!active_.empty()) progress();  // notices of ours that are still on their way
  MPI_TRY(MPI_Barrier(comm_.raw()));
}

MPI_Request& OneSided::watch(Watched what) {
  watched_.push_back(what);
  return active_.emplace_back(MPI_REQUEST_NULL);
}

// Only the notice of a sum says how many words it is about: who fetches knows.
void OneSided::tell(Event event, const Message& m, std::size_t step) {
  MPI_TRY(MPI_Isend(&m.words, event == Event::summed ? 1 : 0, MPI_INT64_T, m.peer, tag_of(step, event), comm_.raw(),
                    &watch({Event::told})));
}

void OneSided::post(const Exchange& x, std::size_t step) {
  const Int word = typed_.bytes();
  std::size_t request = x.first_request;
  for (const Message& m : x.receives) {
    posted_[request] = {&m, step};
    if (m.place.announced)
      MPI_TRY(MPI_Irecv(nullptr, 0, MPI_INT64_T, m.peer, tag_of(step, Event::ready), comm_.raw(),
                        &watch({Event::ready, request})));
    else
      fetch(request);
    ++request;
  }
  Int copied = -1;  // the last place; a block for several peers is copied once
  for (const Message& m : x.sends)
    if (m.place.copied && m.place.at != copied)
      copy(m.lines, memory_(m.storage), window_at(copied = m.place.at), word, true);
  if (x.sends.empty() || !x.sends.front().place.announced) return;
  sync();
  for (const Message& m : x.sends) {
    posted_[request] = {&m, step};
    MPI_TRY(MPI_Irecv(nullptr, 0, MPI_INT64_T, m.peer, tag_of(step, Event::read), comm_.raw(),
                      &watch({Event::read, request})));
    tell(Event::ready, m, step);
    ++request;
  }
}

void OneSided::fetch(std::size_t request) {
  const Message& m = *posted_[request].message;
  std::byte* const to = m.place.copied ? window_at(m.place.at) : memory(m);
  const int words = static_cast<int>(m.words);
  const MPI_Datatype type = typed_.element();
  MPI_TRY(MPI_Rget(to, words, type, m.peer, displacement(places_.fetched[request]), words, type, window_,
                   &watch({Event::fetched, request})));
}

void OneSided::happened(Watched what) {
  switch (what.event) {
    case Event::told: return;
    case Event::ready: return fetch(what.number);
    case Event::summed:
      arrived(added_[what.number], summing_->peers[what.number]);
      --to_be_added_;
      return;
    case Event::fetched: {
      const auto [m, step] = posted_[what.number];
      if (m->place.copied) copy(m->lines, memory_(m->storage), window_at(m->place.at), typed_.bytes(), false);
      arrived(m->words, m->peer);
      if (m->place.announced) tell(Event::read, *m, step);
      break;
    }
    case Event::read: break;
  }
  posted_[what.number] = {};
}

void OneSided::progress() {
  if (active_.empty()) return;
  indices_.resize(active_.size());
  int count = 0;
  MPI_TRY(MPI_Testsome(to_int(static_cast<Int>(active_.size()), "requests"), active_.data(), &count, indices_.data(),
                       MPI_STATUSES_IGNORE));
  if (count <= 0) return;
  std::vector<Watched> events;
  for (int i = 0; i < count; ++i)
    events.push_back(watched_[static_cast<std::size_t>(indices_[static_cast<std::size_t>(i)])]);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (active_[i] == MPI_REQUEST_NULL) continue;
    active_[kept] = active_[i];
    watched_[kept++] = watched_[i];
  }
  active_.resize(kept);
  watched_.resize(kept);
  for (Watched w : events) happened(w);
}

bool OneSided::done(Range requests) const {
  for (auto r = static_cast<std::size_t>(requests.lo); r < static_cast<std::size_t>(requests.hi); ++r)
    if (r < posted_.size() && posted_[r].message) return false;
  return true;
}

// Whatever is waited for, everything posted goes on: others may wait for this rank to read before they can go on.
void OneSided::await(Range requests) {
  while (!done(requests)) progress();
  const Range messages{std::max(requests.lo, static_cast<Int>(own_requests())), requests.hi};
  if (messages.empty()) return;
  while (!TwoSided::complete(messages)) progress();
  TwoSided::await(messages);
}

bool OneSided::complete(Range requests) {
  progress();
  return done(requests);
}

bool OneSided::in_flight() {
  progress();
  for (const Watched& w : watched_)
    if (w.event == Event::ready || w.event == Event::fetched) return true;
  return false;
}

bool OneSided::sum(const SumExchange& x, std::size_t step, const std::function<void()>& own,
                   const std::function<void(const std::byte*)>& add) {
  summing_ = &x;
  added_.assign(x.peers.size(), 0);
  to_be_added_ = x.peers.size();
  for (std::size_t t = 0; t < x.peers.size(); ++t)
    MPI_TRY(MPI_Irecv(&added_[t], 1, MPI_INT64_T, x.peers[t], tag_of(step, Event::summed), comm_.raw(),
                      &watch({Event::summed, t})));
  const MPI_Datatype type = typed_.element();
  const auto arrived_there = [&](const Message& m) {
    MPI_TRY(MPI_Win_flush(m.peer, window_));
    tell(Event::summed, m, step);
  };
  for (std::size_t i = 0; i < x.sends.size(); ++i) {
    const Message& m = x.sends[i];
    const int words = static_cast<int>(m.words);
    std::byte* const from = m.place.copied ? window_at(m.place.at) : memory(m);
    if (m.place.copied) copy(m.lines, memory_(m.storage), from, typed_.bytes(), true);
    MPI_TRY(MPI_Accumulate(from, words, type, m.peer, displacement(places_.summed[x.first_send + i]), words, type,
                           MPI_SUM, window_));
    if (m.place.copied) arrived_there(m);  // the next one is copied to the same place
  }
  for (const Message& m : x.sends)
    if (!m.place.copied) arrived_there(m);
  own();
  while (to_be_added_ > 0) progress();
  if (x.peers.empty()) return true;
  sync();
  add(window_at(x.sums));
  return true;
}

}  // namespace cairn
