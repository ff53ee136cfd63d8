#include "api/arguments.hpp"

#include <bit>

#include "planner/planned_schedule.hpp"
#include "schedule/text.hpp"

namespace cairn {

Key& Key::add(Int value) {
  bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  return *this;
}

Key& Key::add(const std::string& text) {
  add(static_cast<Int>(text.size()));
  bytes_ += text;
  return *this;
}

void Key::add(const std::vector<Int>& values) {
  add(static_cast<Int>(values.size()));
  for (Int x : values) add(x);
}

void Key::add(const Dim& dim) {
  add(dim.extent.lo).add(dim.extent.hi).add(static_cast<Int>(dim.cuts.size()));
  for (const Cut& cut : dim.cuts) {
    add(static_cast<Int>(cut.kind))
        .add(Int{cut.joined})
        .add(cut.parts)
        .add(cut.block)
        .add(cut.first)
        .add(cut.index.constant);
    add(static_cast<Int>(cut.index.terms.size()));
    for (const Affine::Term& t : cut.index.terms) add(t.axis).add(t.factor);
    add(cut.bounds);
    add(cut.holders.size());
    for (Int number = 0; number < cut.holders.size(); ++number) add(cut.holders.of(number));
  }
}

Key& Key::add(const Layout& l) {
  add(l.grid.axes());
  for (int a = 0; a < l.grid.axes(); ++a) add(l.grid.name(a)).add(l.grid.extent(a));
  add(l.grid.placement());
  add(l.rows);
  add(l.cols);
  add(static_cast<Int>(l.where.size()));
  for (Layout::Where w : l.where) add(w.axis).add(w.index);
  add(static_cast<Int>(l.order)).add(static_cast<Int>(l.blocks != nullptr));
  if (!l.blocks) return *this;
  add(l.blocks->row_bounds);
  add(l.blocks->col_bounds);
  add(l.blocks->owner);
  return add(static_cast<Int>(l.blocks->by_columns));
}

Key& Key::add(const Options& o) {
  const auto add_optional = [this](const auto& x, Int value) { add(static_cast<Int>(x.has_value())).add(value); };
  add_optional(o.memory_words, o.memory_words.value_or(0));
  add_optional(o.look_ahead, o.look_ahead.value_or(0));
  add_optional(o.max_idle, std::bit_cast<Int>(o.max_idle.value_or(0)));
  add(o.ranks_per_node).add(static_cast<Int>(o.verify_counts));
  for (const std::string* s : {&o.algorithm, &o.prefer, &o.transport, &o.collectives, &o.machine, &o.kernels, &o.trace})
    add(*s);
  return *this;
}

std::string text_of(const Options& o) {
  return fmt::format(
      "{}, algorithm '{}', prefer '{}', look_ahead {}, max_idle {}, machine '{}', kernels '{}', "
      "verify_counts {}, trace '{}', transport '{}', collectives '{}', ranks_per_node {}",
      memory_text(o.memory_words), o.algorithm, o.prefer, or_none(o.look_ahead), or_none(o.max_idle), o.machine,
      o.kernels, o.verify_counts, o.trace, o.transport, o.collectives, o.ranks_per_node);
}

// Where memory is to be shared, its limit decides whether it is. A trace needs all ranks, and only rank 0's file.
std::string agreed_text(const PlannedSchedule& plan) {
  const Options& o = plan.options;
  const bool shares = plan.transport == Transport::node_shared;
  return fmt::format("{} of {} on {} ranks, {}, {} a node, {}{}, {} trace, verify_counts {}, schedule {:016x}",
                     plan.collective.algorithm, spelled(plan.collective.problem), plan.wire.ranks, name_of(plan.type),
                     o.ranks_per_node, name_of(plan.transport), shares ? ", " + memory_text(o.memory_words) : "",
                     o.trace.empty() ? "no" : "a", o.verify_counts, fingerprint(plan.wire));
}

}  // namespace cairn
