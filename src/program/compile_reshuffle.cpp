#include "program/compile.hpp"
#include "schedule/step_transfers.hpp"

namespace cairn {

namespace {

// The patches that a rank holds of a layout, one after another in its array.
std::vector<Array> patches(Slot x, const Layout& l, Int rank, Int leading) {
  std::vector<Array> all;
  Int base = 0;
  for (const Patch& p : l.patches(rank)) {
    const Int dense = std::max<Int>(1, (l.order == Order::col ? p.rows : p.cols).size());
    all.push_back({x, base, p.rows, p.cols, l.blocks || leading == 0 ? dense : leading, l.order});
    base += p.words();
  }
  return all;
}

// Everybody begins with the next rank: not all with the same one.
template <class Distance>
void in_turn(std::vector<Reshuffle::Parcel>& parcels, Distance distance) {
  std::sort(parcels.begin(), parcels.end(), [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
}

}  // namespace

Reshuffle reshuffle(const Schedule& s, const Redistribute& x, Int rank, const std::vector<Int>& leading, Int buffer) {
  const Layout &src = s.layout(x.src), &dst = s.layout(x.dst);
  const std::vector<Array> held = patches(x.src, src, rank, leading[static_cast<std::size_t>(x.src)]),
                           wanted = patches(x.dst, dst, rank, leading[static_cast<std::size_t>(x.dst)]);
  Reshuffle shuffle{x.src, x.dst, {}, {}, {}, buffer, x.conjugate, x.scaled, x.update};
  for (const Transfer::Region& r : kept(s, x, rank).regions)
    shuffle.kept.push_back(paired(wanted[r.dst_patch], held[r.src_patch], r.rows, r.cols));
  // Messages carry regions one after another, each dense in the order of the destination. An empty one is not sent.
  const auto add = [&](std::vector<Reshuffle::Parcel>& parcels, const Transfer& t, const auto& block) {
    Reshuffle::Parcel p{static_cast<int>(t.peer), 0, {}};
    for (const Transfer::Region& r : t.regions) {
      p.blocks.push_back(block(r, in_message(p.words, r.rows, r.cols, dst.order)));
      p.words += s.words(x.src, r.rows, r.cols);
    }
    if (p.words > 0) parcels.push_back(std::move(p));
  };
  for (const Transfer& t : incoming(s, x, rank))
    add(shuffle.receives, t, [&](const Transfer::Region& r, const Array& message) {
      return paired(wanted[r.dst_patch], message, r.rows, r.cols);
    });
  for (const Transfer& t : outgoing(s, x, rank))
    add(shuffle.sends, t, [&](const Transfer::Region& r, const Array& message) {
      return paired(message, held[r.src_patch], r.rows, r.cols);
    });
  in_turn(shuffle.receives, [&](const Reshuffle::Parcel& p) { return wrap(rank - p.peer, s.ranks); });
  in_turn(shuffle.sends, [&](const Reshuffle::Parcel& p) { return wrap(p.peer - rank, s.ranks); });
  return shuffle;
}

void Compiler::lower(const Redistribute& x) {
  push(reshuffle(s_, x, rank_, leading_, program_.placement.scratch[step_]), {x.src}, x.dst);
}

}  // namespace cairn
