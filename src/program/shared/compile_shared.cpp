#include "program/shared/compile_shared.hpp"

#include <algorithm>

#include "cairn/error.hpp"
#include "program/compile.hpp"
#include "program/messages.hpp"

namespace cairn {

SharedCompiler::SharedCompiler(const NodeValues& values, Int rank, const NodeArrays& arrays)
    : values_(values),
      sharing_(values.sharing()),
      s_(sharing_.schedule()),
      rank_(rank),
      arrays_(arrays),
      known_(static_cast<std::size_t>(s_.ranks), 0) {
  program_.transport = Transport::node_shared;
  program_.placement.words = values.share(rank);
  program_.placement.offset.assign(s_.slots.size(), -1);
  for (Slot x = 0; x < static_cast<Slot>(s_.slots.size()); ++x)
    if (!s_[x].callers() && s_[x].view_of < 0 && sharing_.used(x) && !sharing_.handed(x))
      program_.placement.offset[static_cast<std::size_t>(x)] = values.place(values.array(x, rank)).offset;
}

Program SharedCompiler::run() {
  for (step_ = 0; step_ < s_.steps.size(); ++step_) {
    const Effect& step = sharing_.does(step_);
    if (concerns(s_, step, rank_)) std::visit([this](const auto& x) { lower(x); }, step);
    finish_step();
  }
  finish_run();
  count_arrivals(program_, [this](int peer) { return !sharing_.same_node(peer, rank_); });
  return std::move(program_);
}

void SharedCompiler::lower_handing(const Effect& step) {
  const Access a = access(step);
  constexpr std::size_t nowhere = ~std::size_t{0};  // a piece: all reads of it wait for its arrival anyhow
  Exchange e;
  std::vector<std::size_t> places;  // that the messages are read from or written to
  const bool handed = sharing_.handed(a.writes);
  if (handed) {
    receive_pieces(e);
  } else {
    for (const Hop& hop : sharing_.arriving(step_, rank_))
      e.receives.push_back(message(own(a.writes), hop.part, hop.from));
    writes(own(a.writes));
  }
  for (std::size_t r = 0; r < e.receives.size(); ++r) places.push_back(handed ? nowhere : own(a.writes));
  for (const Hop& hop : sharing_.leaving(step_, rank_)) {
    const std::vector<Tile> tiles = values_.part(a.reads[0], rank_, hop.part);
    if (tiles.size() != 1) throw RuntimeError("a message between nodes that does not lie in one piece");
    reads(tiles);
    e.sends.push_back(message(tiles[0].place, hop.part, hop.to));
    places.push_back(tiles[0].place);
  }
  push(std::move(e), places, sharing_.next_use(a.writes, step_));
  const auto copy = [&](std::size_t to, const Region& part) {
    const std::vector<Tile> from = values_.part(a.reads[0], rank_, part);
    reads(from);
    push(LocalUpdate{paired(to, from), Update::overwrite});
  };
  for (std::size_t p : values_.pieces(step_))
    if (const Place& piece = values_.place(p); piece.kind == Place::Kind::copied && piece.rank == rank_) {
      writes(p);
      copy(p, {piece.rows, piece.cols});
    }
  if (handed) return;
  // Beside what is being received into the same place, which was vacated above.
  for (const Source& from : sharing_.sources(step, rank_))
    if (from.rank == rank_) copy(own(a.writes), from.part);
}

// Messages come in the order in which NodeValues made the pieces that they fill.
void SharedCompiler::receive_pieces(Exchange& e) {
  const std::vector<Hop> hops = sharing_.arriving(step_, rank_);
  std::size_t next = 0;
  for (std::size_t p : values_.pieces(step_)) {
    const Place& piece = values_.place(p);
    if (piece.kind != Place::Kind::received || piece.rank != rank_) continue;
    writes(p);
    for (Int words = 0; words < piece.words; words += hops[next++].part.words())
      e.receives.push_back(message(p, hops[next].part, hops[next].from));
  }
}

// In a node the owner adds up what lies in its peers' memory. For an owner on another node, one rank adds its peers'
// partial sums to its own, which nobody else reads, and sends the sum.
void SharedCompiler::lower_sum(const Effect& step) {
  const Access a = access(step);
  const Slot src = a.reads[0];
  const bool summed = sharing_.sums_in_node(step_);
  const int axis = summing_axis(step);
  std::vector<Int> peers;
  for (Int i = 1; summed && i < s_.grid.extent(axis); ++i)
    if (const Int r = s_.grid.with(rank_, axis, s_.grid.index(rank_, axis) + i); sharing_.same_node(r, rank_))
      peers.push_back(r);
  const auto add_peers = [&](std::size_t dst, const Region& part) {
    for (Int r : peers) {
      const std::vector<Tile> theirs{{values_.array(s_.storage(src), r), part}};
      reads(theirs);
      push(LocalUpdate{paired(dst, theirs), Update::accumulate});
    }
  };
  SumExchange e;
  for (const Hop& hop : sharing_.leaving(step_, rank_)) {
    if (summed) add_peers(own(src), hop.part);
    e.sends.push_back(message(own(src), hop.part, hop.to));
  }
  for (const Hop& hop : sharing_.arriving(step_, rank_)) e.peers.push_back(static_cast<int>(hop.from));
  const Region part = sharing_.owned(step, rank_);
  if (part.words() > 0) {
    const std::size_t dst = own(a.writes);
    writes(dst);
    e.own = {paired(dst, own_part(src, part)), a.update};
    e.piece = part.words();
    const NodeValues::Buffer buffer = values_.buffer(step_, rank_);
    e.buffer = buffer.offset;
    vacated(buffer.vacated);
    e.unpack = unpacked(array(dst), part.rows, part.cols);
  }
  const bool owns = e.piece > 0;
  if (owns || !e.sends.empty()) push(std::move(e));
  if (owns) add_peers(own(a.writes), part);
}

void SharedCompiler::lower(const Move& x) {
  const Effect& step = sharing_.does(step_);
  if (summing_axis(step) >= 0) return lower_sum(step);
  if (handing_axis(step) >= 0) return lower_handing(step);
  if (!x.takes_part(s_.grid, rank_)) return;
  writes(own(x.dst));
  push(LocalUpdate{paired(own(x.dst), own_part(x.src, region(s_.layout(x.dst), rank_))), x.update});
}

void SharedCompiler::lower(const Redistribute& x) {
  const NodeValues::Buffer buffer = values_.buffer(step_, rank_);
  writes(own(x.dst));
  vacated(buffer.vacated);
  push(reshuffle(s_, x, rank_, arrays_.leading, buffer.offset));
}

void SharedCompiler::lower(const Compute& x) {
  if (!is_plain_product(sharing_.does(step_)))
    throw RuntimeError(label(s_, step_) + ": ranks that share memory only multiply so far");
  const auto whole = [&](Slot y) { return region(s_.layout(y), rank_); };
  const Region A = whole(x.A), B = whole(x.B), C = whole(x.C);
  if (C.words() == 0) return;
  const std::vector<Tile> a = values_.value(x.A, rank_), b = values_.value(x.B, rank_);
  reads(a);
  reads(b);
  writes(own(x.C));
  multiply(x, blocks(A, a), blocks(B, b), {0, A.cols.size()});
}

namespace {

std::vector<Range> between(std::vector<Int> bounds) {
  std::sort(bounds.begin(), bounds.end());
  std::vector<Range> all;
  for (std::size_t i = 1; i < bounds.size(); ++i)
    if (bounds[i - 1] < bounds[i]) all.push_back({bounds[i - 1], bounds[i]});
  return all;
}

LocalView part_of(LocalView v, Range rows, Range cols) {
  v.offset += rows.lo * v.rs() + cols.lo * v.cs();
  v.rows = rows.size();
  v.cols = cols.size();
  return v;
}

}  // namespace

// One product where A and B lie in one piece; else one for every pair of pieces that meet.
void SharedCompiler::multiply(const Compute& x, const std::vector<Block>& A, const std::vector<Block>& B, Range K) {
  const Region whole = region(s_.layout(x.C), rank_);
  const std::vector<Block> C = blocks(whole, own_part(x.C, whole));
  std::vector<Int> m, n, k{K.lo, K.hi};
  for (const Block& b : C) m.insert(m.end(), {b.rows.lo, b.rows.hi}), n.insert(n.end(), {b.cols.lo, b.cols.hi});
  for (const Block& b : A) m.insert(m.end(), {b.rows.lo, b.rows.hi}), k.insert(k.end(), {b.cols.lo, b.cols.hi});
  for (const Block& b : B) k.insert(k.end(), {b.rows.lo, b.rows.hi}), n.insert(n.end(), {b.cols.lo, b.cols.hi});
  // Found from where the last one was found on: there may be thousands, and the next is often the next one.
  const auto finder = [](const std::vector<Block>& all) {
    return [&all, last = std::size_t{0}](Range rows, Range cols) mutable {
      for (std::size_t tried = 0; tried < all.size(); ++tried, ++last %= all.size()) {
        const Block& b = all[last];
        if (b.rows.lo <= rows.lo && rows.hi <= b.rows.hi && b.cols.lo <= cols.lo && cols.hi <= b.cols.hi)
          return part_of(b.view, {rows.lo - b.rows.lo, rows.hi - b.rows.lo},
                         {cols.lo - b.cols.lo, cols.hi - b.cols.lo});
      }
      throw RuntimeError("a multiplication that reads what its rank does not have");
    };
  };
  auto in_a = finder(A), in_b = finder(B), in_c = finder(C);
  const std::vector<Range> all_rows = between(std::move(m)), all_cols = between(std::move(n)),
                           all_inner = between(std::move(k));
  for (Range rows : all_rows)
    for (Range cols : all_cols) {
      Update update = x.update;
      const LocalView into = in_c(rows, cols);
      for (Range inner : all_inner) {
        push(LocalGemm{in_a(rows, inner), in_b(inner, cols), into, update, x.factor, x.conjugate_a, x.conjugate_b});
        update = Update::accumulate;
      }
      if (K.empty()) {  // C becomes beta·C
        const LocalView none{into.storage, into.offset, into.rows, 0, into.ld, into.order};
        push(LocalGemm{none, {into.storage, into.offset, 0, into.cols, into.ld, into.order}, into, update});
      }
    }
}

namespace {

NodeArrays in_callers_memory(const Schedule& s) {
  return {std::vector<Int>(s.slots.size(), 0), std::vector<std::vector<Int>>(s.slots.size())};
}

NodeValues values_of(const Sharing& sharing, int node) {
  return {sharing, node, std::vector<bool>(sharing.schedule().slots.size(), false)};
}

}  // namespace

Program compile_shared(const Schedule& s, const std::vector<int>& node_of, Int rank) {
  const Sharing sharing(s, node_of);
  return SharedCompiler(values_of(sharing, sharing.node(rank)), rank, in_callers_memory(s)).run();
}

std::vector<Program> compile_shared(const Schedule& s, const std::vector<int>& node_of) {
  const Sharing sharing(s, node_of);
  const NodeArrays arrays = in_callers_memory(s);
  std::vector<Program> programs(static_cast<std::size_t>(s.ranks));
  for (int node = 0; node < sharing.nodes(); ++node) {
    const NodeValues values = values_of(sharing, node);
    for (Int r : sharing.members(node)) programs[static_cast<std::size_t>(r)] = SharedCompiler(values, r, arrays).run();
  }
  return programs;
}

}  // namespace cairn
