#include "interpret/passes.hpp"

#include "schedule/ahead.hpp"

namespace cairn {

Passes::Passes(const Schedule& s, const std::vector<Effect>& does, const Machine& machine, ScalarType type,
               const Cells& cells, Sizes& sizes, Links& links, Lanes& lanes, Arrivals& arrivals)
    : s_(s),
      does_(does),
      cells_(cells),
      lanes_(lanes),
      arrivals_(arrivals),
      even_moves_(s, machine, sizes),
      clock_(machine, type, cells, sizes, links),
      lines_(cells.grid(), clock_),
      early_(ahead(s)) {}

std::unique_ptr<RecurringRounds> Passes::evenly(ComputeTimes& products) {
  std::optional<EvenRounds> rounds = EvenRounds::of(s_, does_, even_moves_, products);
  if (!rounds) return nullptr;
  even_ = true;
  for (int a = 0; a < s_.grid.axes(); ++a) lanes_.by_axis.emplace_back(s_.grid.extent(a));
  return std::make_unique<RecurringRounds>(std::move(*rounds), even_moves_, cells_, lanes_, arrivals_);
}

std::size_t Passes::run(std::size_t first) {
  std::size_t end = first + 1;
  if (!even_) {
    Passage p = passage(first, end);
    p.steps[0].hops = clock_.hops(move(first));
    clock_.run(p, tracks(p), 1);
    PassageClock::account(p, lanes_.accounts.receiving.data(), lanes_.accounts.working.data());
    return end;
  }
  std::vector<EvenMove> moves{*even_moves_.of(move(first))};
  for (; end < does_.size() && concern(end); ++end) {
    EvenMove next = *even_moves_.of(move(end));
    if (next.axis != moves[0].axis || next.where != moves[0].where) break;
    moves.push_back(std::move(next));
  }
  Passage p = passage(first, end);
  for (std::size_t t = 0; t < moves.size(); ++t) p.steps[t].hops = clock_.hops(moves[t]);
  lines_.run(p, moves[0].axis, moves[0].where, tracks(p), lanes_);
  return end;
}

// But for its hops.
Passage Passes::passage(std::size_t first, std::size_t end) const {
  Passage p;
  const auto number = [&](std::size_t x) {
    return static_cast<std::size_t>(std::find(p.storages.begin(), p.storages.end(), x) - p.storages.begin());
  };
  const auto note = [&](Slot x, bool old) {
    if (x >= 0 && number(storage(x)) == p.storages.size() && old == (arrivals_.of(storage(x)) != nullptr))
      p.storages.push_back(storage(x));
  };
  for (std::size_t t = first; t < end; ++t)
    for (Slot x : {move(t).src, move(t).dst}) note(x, true);
  p.old = p.storages.size();
  for (std::size_t t = first; t < end; ++t) {
    const Access a = access(does_[t]);
    Passage::Step& s = p.steps.emplace_back();
    s.ahead = early_[t] > 0;
    for (Slot x : a.reads)
      if (x >= 0 && number(storage(x)) < p.storages.size()) s.reads.push_back(number(storage(x)));
    if (!a.communicates) continue;
    note(a.writes, false);
    s.arrive = number(storage(a.writes));
  }
  return p;
}

Tracks Passes::tracks(const Passage& p) {
  Tracks t{{lanes_.core.data(), lanes_.in.data(), lanes_.out.data()}};
  for (std::size_t x : p.storages) t.all.push_back(arrivals_.make(x));
  return t;
}

}  // namespace cairn
