#include "schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/error.hpp"
#include "schedule/effect.hpp"
#include "schedule/step_transfers.hpp"

namespace cairn {

namespace {

constexpr std::string_view roles[] = {"input", "output", "panel", "partial", "buffer"};

}  // namespace

std::string_view name_of(SlotInfo::Role role) { return roles[static_cast<std::size_t>(role)]; }

Int Schedule::words(Slot s, Int rank) const {
  if (!(*this)[s].sizes) return layout(s).words(rank);
  Int sum = 0;
  for (const Patch& p : layout(s).patches(rank)) sum += words(s, p.rows, p.cols);
  return sum;
}

bool Schedule::dense() const {
  return std::none_of(slots.begin(), slots.end(), [](const SlotInfo& slot) { return slot.sizes != nullptr; });
}

Slot Schedule::find(std::string_view name) const {
  for (std::size_t s = 0; s < slots.size(); ++s)
    if (slots[s].name == name) return static_cast<Slot>(s);
  throw ScheduleError(fmt::format("schedule {} has no slot '{}'", algorithm, name));
}

std::vector<Slot> Schedule::callers() const {
  std::vector<Slot> all;
  for (auto role : {SlotInfo::Role::operand, SlotInfo::Role::result})
    for (std::size_t s = 0; s < slots.size(); ++s)
      if (slots[s].role == role && slots[s].view_of < 0) all.push_back(static_cast<Slot>(s));
  return all;
}

namespace {

// Intervals of the indices of one dimension, about.
Int pieces(const Dim& d) {
  Int most = 1;
  for (const Cut& c : d.cuts)
    most = std::max(most, c.deals_blocks() ? d.extent.size() / std::max<Int>(1, c.block) : c.parts);
  return most;
}

}  // namespace

Int bytes_of(const Schedule& s) {
  constexpr Int of_slot = 768, of_step = 1536;  // layouts; operations, datatypes and requests: as measured
  constexpr Int of_piece = 16, of_peer = 256;   // where parts of ranks meet piece by piece
  constexpr Int of_block = 200;                 // of arbitrary blocks, where they lie and where they go
  Int bytes = std::ssize(s.slots) * of_slot + std::ssize(s.steps) * of_step;
  for (const SlotInfo& slot : s.slots)
    if (slot.layout.blocks) bytes += std::ssize(slot.layout.blocks->owner) * of_block;
  for (const Effect& e : effects(s))
    if (const Redistribute* x = as_redistribution(e)) {
      bytes += s.ranks * of_peer;
      const Int strips = stairs(s, *x).strips();
      for (Slot slot : {x->src, x->dst})
        bytes += (strips * pieces(s.layout(slot).rows) + pieces(s.layout(slot).cols)) * of_piece;
    }
  return bytes;
}

}  // namespace cairn
