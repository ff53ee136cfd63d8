#include "schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cairn/error.hpp"

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
  for (const LabelledStep& l : s.steps)
    if (const auto* x = std::get_if<Redistribute>(&l.step)) {
      bytes += s.ranks * of_peer;
      for (Slot slot : {x->src, x->dst})
        bytes += (pieces(s.layout(slot).rows) + pieces(s.layout(slot).cols)) * of_piece;
    }
  return bytes;
}

namespace {

Access reads_src(Slot src, Slot dst, Update update, bool communicates) {
  return {{src, update == Update::overwrite ? -1 : dst, -1}, dst, communicates};
}

struct AccessOf {
  Access operator()(const Bcast& x) const { return {{x.src, -1, -1}, x.dst, true}; }
  Access operator()(const AllGather& x) const { return {{x.src, -1, -1}, x.dst, true}; }
  Access operator()(const Reduce& x) const { return reads_src(x.src, x.dst, x.update, true); }
  Access operator()(const ReduceScatter& x) const { return reads_src(x.src, x.dst, x.update, true); }
  Access operator()(const Shift& x) const { return {{x.src, -1, -1}, x.dst, true}; }
  Access operator()(const Add& x) const { return reads_src(x.src, x.dst, x.update, false); }
  Access operator()(const Redistribute& x) const { return reads_src(x.src, x.dst, x.update, true); }
  Access operator()(const Gemm& x) const { return {{x.A, x.B, x.update == Update::overwrite ? -1 : x.C}, x.C, false}; }
};

}  // namespace

Access access(const Step& step) { return std::visit(AccessOf{}, step); }

}  // namespace cairn
