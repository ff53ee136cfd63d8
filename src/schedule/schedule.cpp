#include "schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/error.hpp"
#include "schedule/effect.hpp"

namespace cairn {

Slot Schedule::find(std::string_view name) const {
  for (std::size_t s = 0; s < slots.size(); ++s)
    if (slots[s].name == name) return static_cast<Slot>(s);
  throw ScheduleError(fmt::format("schedule {} has no slot '{}'", algorithm, name));
}

namespace {

// Intervals of the indices of one dimension, about.
Int pieces(const Dim& d) {
  Int most = 1;
  for (const Cut& c : d.cuts)
    most = std::max(most, c.kind == Cut::Kind::cyclic ? d.extent.size() / std::max<Int>(1, c.block) : c.parts);
  return most;
}

}  // namespace

Int bytes_of(const Schedule& s) {
  constexpr Int of_slot = 768, of_step = 1536;  // layouts; operations, datatypes and requests: as measured
  constexpr Int of_piece = 16, of_peer = 256;   // where parts of ranks meet piece by piece
  Int bytes = std::ssize(s.slots) * of_slot + std::ssize(s.steps) * of_step;
  for (const Effect& e : effects(s))
    if (const Redistribute* x = as_redistribution(e)) {
      bytes += s.ranks * of_peer;
      for (Slot slot : {x->src, x->dst})
        bytes += (pieces(s.layout(slot).rows) + pieces(s.layout(slot).cols)) * of_piece;
    }
  return bytes;
}

}  // namespace cairn
