#include "runtime/sparse/panel_messages.hpp"

#include "base/scalars.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

// MPI promises tags up to 32767.
constexpr int tags = 10922;
int index_tag(int tag) { return 3 * (tag % tags); }
int values_tag(int tag) { return index_tag(tag) + 1; }
int needs_tag(int tag) { return index_tag(tag) + 2; }

}  // namespace

template <class T>
PanelMessages<T>::~PanelMessages() {
  for (Leaving& x : leaving_) MPI_Waitall(2, x.requests, MPI_STATUSES_IGNORE);
}

template <class T>
void PanelMessages<T>::send(const PanelPointer& panel, int to, int tag) {
  put_in_order(*panel);
  Leaving& x = leaving_.emplace_back(Leaving{panel});
  const std::vector<BlockIndex>& index = panel->index;
  MPI_TRY(MPI_Isend(index.data(), to_int(static_cast<Int>(index.size()), "numbers of an index"), MPI_INT32_T, to,
                    index_tag(tag), comm_.raw(), &x.requests[0]));
  const TypedBuffer b = values_.whole(panel->words);
  MPI_TRY(MPI_Isend(panel->values.get(), b.count, b.type, to, values_tag(tag), comm_.raw(), &x.requests[1]));
}

template <class T>
void PanelMessages<T>::ask(std::vector<BlockIndex> needed, int of, int tag) {
  const auto numbers = std::make_shared<const std::vector<BlockIndex>>(std::move(needed));
  MPI_TRY(MPI_Isend(numbers->data(), to_int(static_cast<Int>(numbers->size()), "blocks that are needed"), MPI_INT32_T,
                    of, needs_tag(tag), comm_.raw(), &leaving_.emplace_back(Leaving{numbers}).requests[0]));
}

template <class T>
std::vector<BlockIndex> PanelMessages<T>::asked(int by, int tag) {
  const double start = MPI_Wtime();
  std::vector<BlockIndex> needed = awaited(by, needs_tag(tag));
  waited_ += MPI_Wtime() - start;
  arrived_.numbers += static_cast<Int>(needed.size());
  return needed;
}

// Numbers, as many as there are.
template <class T>
std::vector<BlockIndex> PanelMessages<T>::awaited(int from, int tag) {
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  int numbers = 0;
  MPI_TRY(MPI_Mprobe(from, tag, comm_.raw(), &message, &status));
  MPI_TRY(MPI_Get_count(&status, MPI_INT32_T, &numbers));
  std::vector<BlockIndex> all(static_cast<std::size_t>(numbers));
  MPI_TRY(MPI_Mrecv(all.data(), numbers, MPI_INT32_T, &message, MPI_STATUS_IGNORE));
  return all;
}

template <class T>
std::shared_ptr<typename PanelMessages<T>::Arriving> PanelMessages<T>::room(Int numbers, Int words) {
  const auto x = std::make_shared<Arriving>();
  x->all_ = this;
  x->index_.resize(static_cast<std::size_t>(numbers));
  x->values_ = memory_->take<T>(words);
  x->words_ = words;
  return x;
}

template <class T>
std::shared_ptr<typename PanelMessages<T>::Arriving> PanelMessages<T>::expect(Int numbers, Int words, int from,
                                                                              int tag) {
  const auto x = room(numbers, words);
  expect(*x, from, tag);
  return x;
}

template <class T>
void PanelMessages<T>::expect(Arriving& x, int from, int tag) {
  MPI_TRY(MPI_Irecv(x.index_.data(), to_int(static_cast<Int>(x.index_.size()), "numbers of an index"), MPI_INT32_T,
                    from, index_tag(tag), comm_.raw(), &x.requests_[0]));
  const TypedBuffer b = values_.whole(x.words_);
  MPI_TRY(MPI_Irecv(x.values_.get(), b.count, b.type, from, values_tag(tag), comm_.raw(), &x.requests_[1]));
  x.sent_ = true;
}

template <class T>
std::shared_ptr<typename PanelMessages<T>::Arriving> PanelMessages<T>::fetch(PanelWindow& window,
                                                                             PanelPlaces::Place place, Int numbers,
                                                                             Int words, int from) {
  const auto x = room(numbers, words);
  const double start = MPI_Wtime();
  window.wait();
  waited_ += MPI_Wtime() - start;
  const int count = to_int(numbers, "numbers of an index");
  MPI_TRY(MPI_Rget(x->index_.data(), count, MPI_INT32_T, from, static_cast<MPI_Aint>(place.index), count, MPI_INT32_T,
                   window.raw(), &x->requests_[0]));
  if (const TypedBuffer b = values_.whole(words); b.count > 0)
    MPI_TRY(MPI_Rget(x->values_.get(), b.count, b.type, from, static_cast<MPI_Aint>(place.values), b.count, b.type,
                     window.raw(), &x->requests_[1]));
  return x;
}

// Of what was not looked at: a rank may pass a panel on and have nothing to multiply it with. Without an index it was
// never expected, or was taken.
template <class T>
PanelMessages<T>::Arriving::~Arriving() {
  try {
    if (all_ && !index_.empty()) take();
  } catch (...) {  // another is on its way to the caller, who will not ask how much arrived
  }
}

template <class T>
typename PanelMessages<T>::PanelPointer PanelMessages<T>::Arriving::take() {
  if (taken_) return taken_;
  const double start = MPI_Wtime();
  MPI_Status statuses[2];
  MPI_TRY(MPI_Waitall(2, requests_, statuses));
  all_->waited_ += MPI_Wtime() - start;
  if (sent_) {
    int numbers = 0;
    MPI_TRY(MPI_Get_count(&statuses[0], MPI_INT32_T, &numbers));
    index_.resize(static_cast<std::size_t>(numbers));
  }
  const std::size_t numbers = index_.size();
  taken_ = std::make_shared<BlockPanel<T>>(panel_of<T>(std::move(index_), std::move(values_), all_->like_));
  all_->count(numbers, taken_->words);
  return taken_;
}

template <class T>
typename PanelMessages<T>::PanelPointer PanelMessages<T>::receive(int from, int tag) {
  const double start = MPI_Wtime();
  std::vector<BlockIndex> index = awaited(from, index_tag(tag));
  const auto panel = std::make_shared<BlockPanel<T>>(panel_of<T>(std::move(index), nullptr, like_));
  const std::shared_ptr<T> values = memory_->take<T>(panel->words);
  const TypedBuffer b = values_.whole(panel->words);
  MPI_TRY(MPI_Recv(values.get(), b.count, b.type, from, values_tag(tag), comm_.raw(), MPI_STATUS_IGNORE));
  waited_ += MPI_Wtime() - start;
  count(panel->index.size(), panel->words);
  panel->values = values;
  return panel;
}

template <class T>
void PanelMessages<T>::count(std::size_t numbers, Int words) {
  arrived_.numbers += static_cast<Int>(numbers), arrived_.words += words, ++arrived_.messages;
}

template <class T>
void PanelMessages<T>::progress() {
  for (auto x = leaving_.begin(); x != leaving_.end();) {
    int done = 0;
    MPI_TRY(MPI_Testall(2, x->requests, &done, MPI_STATUSES_IGNORE));
    x = done ? leaving_.erase(x) : std::next(x);
  }
}

template <class T>
void PanelMessages<T>::finish() {
  for (Leaving& x : leaving_) MPI_TRY(MPI_Waitall(2, x.requests, MPI_STATUSES_IGNORE));
  leaving_.clear();
}

template <class T>
void PanelMessages<T>::finish(const PanelPointer& panel) {
  for (auto x = leaving_.begin(); x != leaving_.end();) {
    if (x->what == panel) MPI_TRY(MPI_Waitall(2, x->requests, MPI_STATUSES_IGNORE));
    x = x->what == panel ? leaving_.erase(x) : std::next(x);
  }
}

#define CAIRN_INSTANTIATE(T) template class PanelMessages<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
