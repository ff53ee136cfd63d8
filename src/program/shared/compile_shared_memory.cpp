// What a step touches: places in the memory of the node, and whom it must wait for before it may.
#include <algorithm>

#include "program/messages.hpp"
#include "program/shared/compile_shared.hpp"

namespace cairn {

Array SharedCompiler::array(std::size_t place) const {
  const Place& p = values_.place(place);
  Array a{-1, p.offset, p.rows, p.cols, std::max<Int>(1, (p.order == Order::col ? p.rows : p.cols).size()), p.order};
  if (p.in_heap) return a;
  const auto slot = static_cast<std::size_t>(p.slot);
  a.storage = p.slot;
  a.offset = 0;
  if (p.open && !arrays_.start[slot].empty())
    a.offset = arrays_.start[slot][sharing_.member(p.rank)];
  else if (arrays_.leading[slot] > 0)
    a.ld = arrays_.leading[slot];
  return a;
}

Message SharedCompiler::message(std::size_t place, const Region& part, Int peer) {
  const Array a = array(place);
  return {a.storage, lines(a, part.rows, part.cols), static_cast<int>(peer), part.words()};
}

namespace {

Range range(Int start, const Match& m) { return {start, start + m.length}; }

}  // namespace

std::vector<SharedCompiler::Block> SharedCompiler::blocks(const Region& value, const std::vector<Tile>& tiles) const {
  std::vector<Block> all;
  for (const Tile& t : tiles) {
    const Array a = array(t.place);
    for (Match c : matches(value.cols, a.cols, t.part.cols))
      for (Match r : matches(value.rows, a.rows, t.part.rows))
        all.push_back({range(r.in_a, r), range(c.in_a, c), a.view(range(r.in_b, r), range(c.in_b, c))});
  }
  const auto continues = [](const Block& a, const Block& b) {
    if (a.view.storage != b.view.storage || a.view.order != b.view.order || a.view.ld != b.view.ld) return false;
    if (a.rows == b.rows && a.cols.hi == b.cols.lo) return a.view.offset + a.view.cols * a.view.cs() == b.view.offset;
    return a.cols == b.cols && a.rows.hi == b.rows.lo && a.view.offset + a.view.rows * a.view.rs() == b.view.offset;
  };
  for (const bool by_cols : {true, false}) {
    std::sort(all.begin(), all.end(), [&](const Block& a, const Block& b) {
      const auto key = [&](const Block& x) {
        return by_cols ? std::pair{x.rows.lo, x.cols.lo} : std::pair{x.cols.lo, x.rows.lo};
      };
      return key(a) < key(b);
    });
    std::vector<Block> merged;
    for (const Block& b : all) {
      if (merged.empty() || !continues(merged.back(), b)) {
        merged.push_back(b);
        continue;
      }
      Block& a = merged.back();
      a.rows.hi = b.rows.hi;
      a.cols.hi = b.cols.hi;
      a.view.rows = a.rows.size();
      a.view.cols = a.cols.size();
      // Pieces of one line each, end to end, are one longer line.
      a.view.ld = std::max(a.view.ld, a.view.order == Order::col ? a.view.rows : a.view.cols);
    }
    all = std::move(merged);
  }
  return all;
}

std::vector<PairedBlock> SharedCompiler::paired(std::size_t dst, const std::vector<Tile>& src) const {
  std::vector<PairedBlock> all;
  const Array to = array(dst);
  for (const Tile& t : src) all.push_back(cairn::paired(to, array(t.place), t.part.rows, t.part.cols));
  return all;
}

void SharedCompiler::await(Int rank, Phase phase) {
  Phase& known = known_[static_cast<std::size_t>(rank)];
  if (rank == rank_ || known >= phase) return;
  known = phase;
  const auto same = std::find_if(peers_.begin(), peers_.end(), [&](const Meet::Peer& p) { return p.rank == rank; });
  if (same == peers_.end())
    peers_.push_back({static_cast<int>(rank), phase});
  else
    same->phase = phase;
}

void SharedCompiler::reads(const std::vector<Tile>& tiles) {
  for (const Tile& t : tiles) {
    const Place& p = values_.place(t.place);
    await(p.rank, values_.ready(p, step_));
    if (p.rank != rank_) far_ += t.part.words();
  }
}

void SharedCompiler::vacated(Phase phase) {
  if (phase <= 0) return;
  for (Int r : sharing_.members(sharing_.node(rank_))) await(r, phase);
}

void SharedCompiler::writes(std::size_t place) {
  vacated(values_.place(place).vacated);
  std::erase_if(pending_, [&](const Pending& p) {
    if (p.place != place) return false;
    overwritten_.push_back(p.requests);
    return true;
  });
}

void SharedCompiler::push(decltype(Operation::what) what) {
  if (const auto* u = std::get_if<LocalUpdate>(&what); u && u->words() == 0) return;
  if (auto* x = std::get_if<SumExchange>(&what)) number(program_, *x);
  body_.push_back({std::move(what), step_, {}, std::exchange(far_, 0)});
}

void SharedCompiler::push(Exchange e, const std::vector<std::size_t>& places, std::size_t until) {
  const std::size_t posted = e.receives.size() + e.sends.size();
  if (posted == 0) return;
  number(program_, e);
  for (std::size_t i = 0; i < posted; ++i) {
    const auto first = static_cast<Int>(e.first_request + i);
    pending_.push_back({{first, first + 1}, until, places[i]});
  }
  body_.push_back({std::move(e), step_, {}});
  far_ = 0;  // read by whoever sends
}

void SharedCompiler::meet(Phase reach, std::vector<Range> wait, std::vector<Meet::Peer> peers) {
  if (wait.empty() && peers.empty() && reach <= reached_) return;
  reached_ = std::max(reached_, reach);
  program_.operations.push_back({Meet{reached_, std::move(peers)}, step_, std::move(wait)});
}

// What was done before is told before anything is waited for: nobody waits for a rank that waits for something later.
void SharedCompiler::finish_step() {
  std::vector<Range> due = std::move(overwritten_);
  overwritten_.clear();
  std::erase_if(pending_, [&](const Pending& p) {
    if (p.until > step_) return false;
    due.push_back(p.requests);
    return true;
  });
  if (due.empty() && body_.empty()) return;
  const auto t = static_cast<Phase>(step_);
  meet(2 * t, {}, {});
  meet(2 * t + 1, std::move(due), std::move(peers_));
  peers_.clear();
  for (Operation& op : body_) program_.operations.push_back(std::move(op));
  body_.clear();
}

// The caller may touch its matrices again once nobody reads them.
void SharedCompiler::finish_run() {
  std::vector<Range> rest;
  for (const Pending& p : pending_) rest.push_back(p.requests);
  const auto end = static_cast<Phase>(s_.steps.size());
  step_ = s_.steps.empty() ? 0 : s_.steps.size() - 1;
  meet(2 * end, {}, {});
  if (!rest.empty()) meet(2 * end + 1, std::move(rest), {});
  meet(2 * end + 2, {}, {});
  for (Slot x = 0; x < static_cast<Slot>(s_.slots.size()); ++x)
    if (!arrays_.start[static_cast<std::size_t>(x)].empty() && sharing_.used(x))
      vacated(2 * (static_cast<Phase>(sharing_.last_use(x)) + 1));
  meet(2 * end + 2, {}, std::move(peers_));
  program_.phases = 2 * end + 3;
}

}  // namespace cairn
