#include "interpret/send_waits.hpp"

#include <algorithm>
#include <array>

#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

struct Sent {
  Slot storage;
  Range place;                           // in the arena
  std::array<Slot, 2> parts = {-1, -1};  // as they were sent, the last two
};

class Memory {
 public:
  explicit Memory(const Schedule& s)
      : s_(s), rank_(s.grid.size() / 2), places_(place_buffers(s, rank_)), known_(s.slots.size(), unknown) {}

  // Where a storage lies in the arena: nowhere, if it lies elsewhere.
  Range place(Slot x) {
    Range& known = known_[static_cast<std::size_t>(x)];
    if (known != unknown) return known;
    const Int lo = places_.offset[static_cast<std::size_t>(x)];
    return known = lo < 0 ? Range{} : Range{lo, lo + s_.words(x, rank_)};
  }
  // Whether what `effect` writes lies where one of the parts is, of the same storage.
  bool meet(const Effect& effect, Slot writes, const std::array<Slot, 2>& parts) const {
    const Int rank = writer(effect);
    return std::any_of(parts.begin(), parts.end(), [&](Slot part) { return part >= 0 && meet(writes, part, rank); });
  }

 private:
  // Of a message, one that sends.
  Int writer(const Effect& effect) const {
    const Move* m = message(effect);
    if (!m) return rank_;
    return s_.grid.with(rank_, m->axis, m->origin.at(s_.grid, rank_) + m->who.lo + m->by.at(s_.grid, rank_));
  }
  bool meet(Slot a, Slot b, Int rank) const {
    if (a == b) return true;
    const Layout &p = s_.layout(a), &q = s_.layout(b);
    if (other_piece(p.rows, q.rows, rank) || other_piece(p.cols, q.cols, rank)) return false;
    return p.rows_at(rank).meets(q.rows_at(rank)) && p.cols_at(rank).meets(q.cols_at(rank));
  }
  // Pieces of one and the same, as of a panel that travels piece by piece, soon told apart.
  bool other_piece(const Dim& a, const Dim& b, Int rank) const {
    if (a.cuts.empty() || a.cuts.size() != b.cuts.size() || a.extent != b.extent) return false;
    const Cut &x = a.cuts.back(), &y = b.cuts.back();
    return x.kind == Cut::Kind::even && y.kind == Cut::Kind::even && x.parts == y.parts && x.joined == y.joined &&
           wrap(x.index.at(s_.grid, rank), x.parts) != wrap(y.index.at(s_.grid, rank), y.parts) &&
           std::equal(a.cuts.begin(), a.cuts.end() - 1, b.cuts.begin());
  }

  static constexpr Range unknown{-1, -1};
  const Schedule& s_;
  Int rank_;
  Placement places_;
  std::vector<Range> known_;  // by storage
};

}  // namespace

SendWaits::SendWaits(const Schedule& s, const std::vector<Effect>& does)
    : before_(s.steps.size()), last_(s.slots.size(), 0) {
  if (std::none_of(does.begin(), does.end(), [](const Effect& e) { return message(e); })) return;
  Memory memory(s);
  std::vector<Sent> sent;  // and perhaps still on its way
  for (std::size_t t = 0; t < s.steps.size(); ++t) {
    const Slot writes = access(does[t]).writes, written = s.storage(writes);
    const Range place = memory.place(written);
    std::erase_if(sent, [&](const Sent& x) {
      const bool same = x.storage == written, over = place.lo < x.place.hi && x.place.lo < place.hi;
      if (same ? !memory.meet(does[t], writes, x.parts) : !over) return false;
      before_[t].push_back({x.storage, same});
      last_[static_cast<std::size_t>(x.storage)] = t;
      return true;
    });
    const Move* m = message(does[t]);
    if (!m) continue;
    const Slot storage = s.storage(m->src);
    auto at = std::find_if(sent.begin(), sent.end(), [&](const Sent& e) { return e.storage == storage; });
    if (at == sent.end()) at = sent.insert(at, {storage, memory.place(storage)});
    at->parts = {at->parts[1], m->src};
  }
}

}  // namespace cairn
