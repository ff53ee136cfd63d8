#include "interpret/link_levels.hpp"

namespace cairn {

Links::Links(const Machine& machine, const Cells& cells)
    : machine_(machine), cells_(cells), alike_(machine.level_of(cells.grid().size()) == 0) {}

const std::uint8_t* Links::levels(const Move& s) {
  if (alike_) return nullptr;
  for (const Known& k : known_)
    if (k.axis == s.axis && k.by == s.by) return k.levels.data();
  Known k{s.axis, s.by, std::vector<std::uint8_t>(cells_.size())};
  const Grid& grid = cells_.grid();
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    const Int rank = cells_.rank(c);
    k.levels[c] =
        static_cast<std::uint8_t>(level(rank, grid.with(rank, s.axis, grid.index(rank, s.axis) + s.by.at(grid, rank))));
  }
  known_.push_back(std::move(k));
  return known_.back().levels.data();
}

std::vector<Int> Links::peers(Int rank, int axis) const {
  std::vector<Int> peers(machine_.levels.size(), 0);
  const Grid& grid = cells_.grid();
  const Int q = grid.extent(axis), stride = grid.stride(axis), base = rank - grid.index(rank, axis) * stride;
  if (alike_) {
    peers[0] = q - 1;
    return peers;
  }
  Int nearer = 1;  // the rank itself and those of inner levels
  for (std::size_t l = 0; l < peers.size(); ++l) {
    Int here = q;
    if (const Int unit = machine_.levels[l].ranks; unit > 0) {
      const Int lo = rank / unit * unit - base, hi = lo + unit - 1;  // of the unit, from base
      here = std::min(q - 1, hi / stride) - std::max<Int>(0, (lo + stride - 1) / stride) + 1;
    }
    peers[l] = here - nearer;
    nearer = here;
  }
  return peers;
}

Links::Kept Links::kept(Int rank, int axis, double bytes) const {
  Kept k;
  const std::vector<Int> others = peers(rank, axis);
  for (std::size_t l = 0; l < others.size(); ++l) {
    if (others[l] == 0) continue;
    const Machine::Level& level = machine_.levels[l];
    const auto n = static_cast<double>(others[l]);
    if (bytes > 0) k.seconds += n * level.port_seconds(bytes);
    k.latency = level.latency_seconds;
    k.overhead += 2 * n * level.overhead_seconds;
  }
  return k;
}

}  // namespace cairn
