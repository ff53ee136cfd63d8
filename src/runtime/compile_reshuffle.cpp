#include "runtime/compile.hpp"
#include "schedule/transfers.hpp"

namespace cairn {

Reshuffle::Block Compiler::reshuffle_block(Slot x, const Patch& patch, Int base, const IndexSet& rows,
                                           const IndexSet& cols) const {
  const Layout& l = s_.layout(x);
  // One run for each global interval, not merged: sender and receiver must cut the message alike.
  const auto intervals = [](const IndexSet& held, const IndexSet& part) {
    std::vector<Run> all;
    for (Range p : part.pieces()) all.push_back({held.local(p.lo), p.size()});
    return all;
  };
  Reshuffle::Block b{intervals(patch.rows, rows), intervals(patch.cols, cols), base, 1, l.order};
  b.ld = std::max<Int>(1, (l.order == Order::col ? patch.rows : patch.cols).size());
  if (const Int given = leading_[static_cast<std::size_t>(x)]; given > 0) b.ld = given;
  return b;
}

void Compiler::lower(const Redistribute& x) {
  const Layout &src = s_.layout(x.src), &dst = s_.layout(x.dst);
  const std::vector<Patch> held = src.patches(rank_), wanted = dst.patches(rank_);
  const auto bases = [](const std::vector<Patch>& patches) {
    std::vector<Int> at{0};
    for (const Patch& p : patches) at.push_back(at.back() + p.words());
    return at;
  };
  const std::vector<Int> src_base = bases(held), dst_base = bases(wanted);
  const auto from = [&](const Transfer::Region& r) {
    return reshuffle_block(x.src, held[r.src_patch], src_base[r.src_patch], r.rows, r.cols);
  };
  const auto to = [&](const Transfer::Region& r) {
    return reshuffle_block(x.dst, wanted[r.dst_patch], dst_base[r.dst_patch], r.rows, r.cols);
  };
  Reshuffle shuffle{x.src, x.dst, {}, {}, {}, program_.placement.scratch[step_], dst.order, x.conjugate, x.update};
  for (const Transfer::Region& r : transfer(src, dst, rank_, rank_).regions) shuffle.kept.push_back({to(r), from(r)});
  for (const Transfer& t : incoming(src, dst, rank_, s_.ranks)) {
    shuffle.receives.push_back({static_cast<int>(t.peer), t.words(), program_.datatypes->whole(t.words()), {}});
    for (const Transfer::Region& r : t.regions) shuffle.receives.back().blocks.push_back(to(r));
    program_.words_received += t.words();
    ++program_.messages_received;
  }
  for (const Transfer& t : outgoing(src, dst, rank_, s_.ranks)) {
    shuffle.sends.push_back({static_cast<int>(t.peer), t.words(), program_.datatypes->whole(t.words()), {}});
    for (const Transfer::Region& r : t.regions) shuffle.sends.back().blocks.push_back(from(r));
  }
  push(std::move(shuffle), {x.src}, x.dst);
}

}  // namespace cairn
