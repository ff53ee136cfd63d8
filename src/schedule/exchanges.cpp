#include "schedule/exchanges.hpp"

namespace cairn {

Parcels parcels(const Schedule& s, const Effect& e, Int rank) {
  Parcels all;
  const Move* const m = as_move(e);
  if (!m || rank >= s.grid.size()) return all;
  const Uplo shape = travelling_shape(s, *m);
  const auto add = [&](std::vector<Parcel>& list, Slot slot, Int peer, Region part) {
    const Int words = peer == rank ? 0 : travelling_words(s, *m, s.words(slot, part.rows, part.cols));
    if (words > 0) list.push_back({slot, peer, std::move(part.rows), std::move(part.cols), words, shape});
  };
  for_each_source(s.grid, *m, rank, [&](Int from) { add(all.receives, m->dst, from, travelling(s, *m, from, rank)); });
  for_each_reader(s.grid, *m, rank, [&](Int to) { add(all.sends, m->src, to, travelling(s, *m, rank, to)); });
  return all;
}

}  // namespace cairn
