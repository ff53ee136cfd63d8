#include "program/compile.hpp"
#include "schedule/transfers.hpp"

namespace cairn {

namespace {

Reshuffle::Block block_of(const Layout& l, Int leading, const Patch& patch, Int base, const IndexSet& rows,
                          const IndexSet& cols) {
  // One run for each global interval, not merged: sender and receiver must cut the message alike.
  const auto intervals = [](const IndexSet& held, const IndexSet& part) {
    std::vector<Run> all;
    for (Range p : part.pieces()) all.push_back({held.local(p.lo), p.size()});
    return all;
  };
  Reshuffle::Block b{intervals(patch.rows, rows), intervals(patch.cols, cols), base, 1, l.order};
  b.ld = std::max<Int>(1, (l.order == Order::col ? patch.rows : patch.cols).size());
  if (leading > 0) b.ld = leading;
  return b;
}

}  // namespace

Reshuffle reshuffle(const Schedule& s, const Redistribute& x, Int rank, const std::vector<Int>& leading, Int buffer) {
  const Layout &src = s.layout(x.src), &dst = s.layout(x.dst);
  const std::vector<Patch> held = src.patches(rank), wanted = dst.patches(rank);
  const Int src_leading = leading[static_cast<std::size_t>(x.src)],
            dst_leading = leading[static_cast<std::size_t>(x.dst)];
  const auto bases = [](const std::vector<Patch>& patches) {
    std::vector<Int> at{0};
    for (const Patch& p : patches) at.push_back(at.back() + p.words());
    return at;
  };
  const std::vector<Int> src_base = bases(held), dst_base = bases(wanted);
  const auto from = [&](const Transfer::Region& r) {
    return block_of(src, src_leading, held[r.src_patch], src_base[r.src_patch], r.rows, r.cols);
  };
  const auto to = [&](const Transfer::Region& r) {
    return block_of(dst, dst_leading, wanted[r.dst_patch], dst_base[r.dst_patch], r.rows, r.cols);
  };
  Reshuffle shuffle{x.src, x.dst, {}, {}, {}, buffer, dst.order, x.conjugate, x.update};
  for (const Transfer::Region& r : transfer(src, dst, rank, rank).regions) shuffle.kept.push_back({to(r), from(r)});
  for (const Transfer& t : incoming(src, dst, rank, s.ranks)) {
    shuffle.receives.push_back({static_cast<int>(t.peer), t.words(), {}});
    for (const Transfer::Region& r : t.regions) shuffle.receives.back().blocks.push_back(to(r));
  }
  for (const Transfer& t : outgoing(src, dst, rank, s.ranks)) {
    shuffle.sends.push_back({static_cast<int>(t.peer), t.words(), {}});
    for (const Transfer::Region& r : t.regions) shuffle.sends.back().blocks.push_back(from(r));
  }
  return shuffle;
}

void Compiler::lower(const Redistribute& x) {
  Reshuffle shuffle = reshuffle(s_, x, rank_, leading_, program_.placement.scratch[step_]);
  for (const Reshuffle::Parcel& p : shuffle.receives) program_.words_received += p.words;
  program_.messages_received += static_cast<Int>(shuffle.receives.size());
  push(std::move(shuffle), {x.src}, x.dst);
}

}  // namespace cairn
