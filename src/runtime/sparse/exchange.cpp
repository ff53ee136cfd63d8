#include "runtime/sparse/exchange.hpp"

#include "base/scalars.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/mpi_check.hpp"
#include "runtime/sparse/panel_messages.hpp"

namespace cairn {

// Everybody adds in the same order, so that all have the same sum.
void sum_along_row(const Comm& comm, const BlockDistribution& where, std::vector<double>& values) {
  constexpr int tag = 0;
  const int count = to_int(static_cast<Int>(values.size()), "values");
  const Int me = comm.rank(), row = row_of_rank(where, me);
  if (me >= where.ranks()) return;
  std::vector<std::vector<double>> of(static_cast<std::size_t>(where.pc), values);
  std::vector<MPI_Request> requests;
  for (Int j = 0; j < where.pc; ++j) {
    const int peer = static_cast<int>(where.rank(row, j));
    if (peer == me) continue;
    requests.resize(requests.size() + 2);
    MPI_TRY(MPI_Irecv(of[static_cast<std::size_t>(j)].data(), count, MPI_DOUBLE, peer, tag, comm.raw(),
                      &requests[requests.size() - 2]));
    MPI_TRY(MPI_Isend(values.data(), count, MPI_DOUBLE, peer, tag, comm.raw(), &requests.back()));
  }
  MPI_TRY(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE));
  std::fill(values.begin(), values.end(), 0.0);
  for (const std::vector<double>& x : of)
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += x[i];
}

template <class T>
Blocks<T> brought(const Comm& comm, const BlocksView<T>& x, const BlockDistribution& to, Int* received,
                  std::shared_ptr<KeptMemory> memory) {
  const auto ranks = static_cast<std::size_t>(comm.size()), me = static_cast<std::size_t>(comm.rank());
  using Messages = PanelMessages<T>;
  std::vector<std::shared_ptr<BlockPanel<T>>> panels;
  std::vector<Int> sent(2 * ranks), arriving(2 * ranks);
  together(comm, [&] {
    std::vector<BlockPanel<T>> cut =
        split<T>(x, ranks, [&](BlockIndex i, BlockIndex j) { return static_cast<std::size_t>(to.owner(i, j)); });
    for (std::size_t r = 0; r < ranks; ++r) {
      panels.push_back(std::make_shared<BlockPanel<T>>(std::move(cut[r])));
      if (r != me) put_in_order(*panels[r]);  // as they are sent
      sent[2 * r] = static_cast<Int>(panels[r]->index.size());
      sent[2 * r + 1] = panels[r]->words;
    }
  });
  MPI_TRY(MPI_Alltoall(sent.data(), 2, MPI_INT64_T, arriving.data(), 2, MPI_INT64_T, comm.raw()));
  if (!memory) memory = std::make_shared<KeptMemory>();
  Messages messages(comm, x.pattern, std::move(memory));
  std::vector<std::shared_ptr<typename Messages::Arriving>> expected(ranks);
  constexpr int tag = 0;
  together(comm, [&] {
    for (std::size_t from = 0; from < ranks; ++from)
      if (from != me && arriving[2 * from + 1] > 0)
        expected[from] = messages.room(arriving[2 * from], arriving[2 * from + 1]);
  });
  for (std::size_t d = 1; d < ranks; ++d)
    if (const std::size_t from = (me + ranks - d) % ranks; expected[from])
      messages.expect(*expected[from], static_cast<int>(from), tag);
  for (std::size_t d = 1; d < ranks; ++d)
    if (const std::size_t r = (me + d) % ranks; sent[2 * r + 1] > 0) messages.send(panels[r], static_cast<int>(r), tag);
  Blocks<T> result;
  together(comm, [&] {
    std::vector<BlocksView<T>> all{panels[me]->view()};
    for (const auto& panel : expected)
      if (panel) all.push_back(panel->take()->view());
    result = joined(all, x.pattern);
  });
  messages.finish();
  if (received) *received += messages.arrived().words;
  return result;
}

std::vector<Int> of_all_ranks(const Comm& comm, const std::vector<Int>& mine) {
  const int count = to_int(static_cast<Int>(mine.size()), "numbers");
  std::vector<Int> all(mine.size() * static_cast<std::size_t>(comm.size()));
  MPI_TRY(MPI_Allgather(mine.data(), count, MPI_INT64_T, all.data(), count, MPI_INT64_T, comm.raw()));
  return all;
}

#define CAIRN_INSTANTIATE(T)                                                                    \
  template Blocks<T> brought(const Comm&, const BlocksView<T>&, const BlockDistribution&, Int*, \
                             std::shared_ptr<KeptMemory>);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
