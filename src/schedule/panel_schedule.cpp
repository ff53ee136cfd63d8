#include "schedule/panel_schedule.hpp"

namespace cairn {

namespace {

// What a step makes of operands are elements of these, what it makes of products are sums of C.
std::vector<PanelSchedule::Matrix> matrices(const Schedule& s) {
  std::vector<PanelSchedule::Matrix> of(s.slots.size(), PanelSchedule::C);
  const std::vector<Slot> callers = s.callers();
  const auto at = [&](Slot x) -> PanelSchedule::Matrix& { return of[static_cast<std::size_t>(s.storage(x))]; };
  at(callers[0]) = PanelSchedule::A, at(callers[1]) = PanelSchedule::B;
  for (const Effect& e : effects(s)) {
    const Access a = access(e);
    at(a.writes) = as_compute(e) ? PanelSchedule::C : at(a.reads[0]);
  }
  return of;
}

std::vector<PanelSchedule::Transfers> transfers_of(const Schedule& s, const std::vector<Effect>& does, Int rank) {
  std::vector<PanelSchedule::Transfers> all(does.size());
  for (std::size_t t = 0; t < does.size(); ++t)
    if (const Redistribute* const x = as_redistribution(does[t])) {
      const Layout &src = s.layout(x->src), &dst = s.layout(x->dst);
      all[t] = {transfer(src, dst, rank, rank), outgoing(src, dst, rank, s.ranks), incoming(src, dst, rank, s.ranks)};
    }
  return all;
}

}  // namespace

PanelSchedule::PanelSchedule(Schedule carried_out, Int rank)
    : wire(std::move(carried_out)), uses(wire), of(matrices(wire)), transfers(transfers_of(wire, uses.does, rank)) {}

Schedule with_sizes(Schedule s, const std::array<std::shared_ptr<const PanelSizes>, 3>& sizes) {
  const std::vector<PanelSchedule::Matrix> of = matrices(s);
  for (std::size_t x = 0; x < s.slots.size(); ++x)
    s.slots[x].sizes = sizes[of[static_cast<std::size_t>(s.storage(static_cast<Slot>(x)))]];
  return s;
}

}  // namespace cairn
