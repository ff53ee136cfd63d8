#include "schedule/panel_schedule.hpp"

#include "base/arithmetic.hpp"
#include "schedule/step_transfers.hpp"

namespace cairn {

namespace {

using Matrix = PanelValues::Matrix;

// What a step makes of operands are elements of these, what it makes of products are sums of C.
std::vector<Matrix> matrices(const Schedule& s) {
  std::vector<Matrix> of(s.slots.size(), PanelValues::C);
  const std::vector<Slot> callers = s.callers();
  const auto at = [&](Slot x) -> Matrix& { return of[place(s.storage(x))]; };
  at(callers[0]) = PanelValues::A, at(callers[1]) = PanelValues::B;
  for (const Effect& e : effects(s)) {
    const Access a = access(e);
    at(a.writes) = as_compute(e) ? PanelValues::C : at(a.reads[0]);
  }
  return of;
}

// Panels of k are dealt evenly, so that all ranks that compute add up as many.
std::vector<double> shares(const Schedule& s) {
  std::vector<double> of(s.slots.size());
  const auto at = [&](Slot x) -> double& { return of[place(s.storage(x))]; };
  const double k = real(std::max<Int>(1, s.layout(s.callers()[0]).n()));
  const auto inner = [&](Slot x) {
    Int most = 0;
    for (Int r = 0; r < s.grid.size() && most == 0; ++r) most = s.layout(x).cols_at(r).size();
    return real(most) / k;
  };
  for (const Effect& e : effects(s)) {
    const Compute* const product = as_compute(e);
    const Move* const m = as_move(e);
    const Access a = access(e);
    const double terms = m && m->from == Move::From::terms ? real(s.grid.extent(m->axis)) : 1;
    const double more = product ? (product->A < 0 ? 0 : inner(product->A)) : terms * at(a.reads[0]);
    at(a.writes) = std::min(1.0, a.update == Update::overwrite ? more : at(a.writes) + more);
  }
  return of;
}

std::vector<PanelValues::Readers> readers_of(const Schedule& s, const std::vector<Effect>& does) {
  std::vector<PanelValues::Readers> of(s.slots.size());
  for (std::size_t t = 0; t < does.size(); ++t)
    for (Slot x : access(does[t]).reads) {
      if (x < 0) continue;
      PanelValues::Readers& readers = of[place(s.storage(x))];
      if (as_compute(does[t]))
        readers.products.push_back(t);
      else
        readers.passed_on = true;
    }
  return of;
}

// Redistributions are taken for senders everywhere.
std::vector<std::vector<bool>> passing_on(const Schedule& s, const std::vector<Effect>& does) {
  std::vector<std::vector<bool>> of(s.slots.size());
  for (const Effect& e : does) {
    if (as_compute(e)) continue;
    std::vector<bool>& ranks = of[place(s.storage(access(e).reads[0]))];
    ranks.resize(place(s.ranks));
    if (const Move* const m = as_move(e))
      for (Int to = 0; to < s.grid.size(); ++to)
        for_each_source(s.grid, *m, to, [&](Int from) { ranks[place(from)] = true; });
    else
      ranks.assign(ranks.size(), true);
  }
  return of;
}

std::vector<bool> straight_of(const Schedule& s, const std::vector<Effect>& does) {
  std::vector<bool> of(s.slots.size(), true);
  for (const Effect& e : does) {
    const Redistribute* const x = as_redistribution(e);
    if (!x || !s[s.storage(x->src)].callers()) of[place(s.storage(access(e).writes))] = false;
  }
  return of;
}

std::vector<PanelSchedule::Transfers> transfers_of(const Schedule& s, const std::vector<Effect>& does, Int rank) {
  std::vector<PanelSchedule::Transfers> all(does.size());
  for (std::size_t t = 0; t < does.size(); ++t)
    if (const Redistribute* const x = as_redistribution(does[t]))
      all[t] = {kept(s, *x, rank), outgoing(s, *x, rank), incoming(s, *x, rank)};
  return all;
}

// Whatever is in them.
std::vector<std::vector<PanelSchedule::Met>> met_of(const PanelValues& v, Int rank) {
  const Schedule& s = v.wire;
  std::vector<std::vector<PanelSchedule::Met>> all(v.uses.does.size());
  for (std::size_t t = 0; t < all.size(); ++t) {
    const Redistribute* const x = as_redistribution(v.uses.does[t]);
    if (!x || v.matrix(x->dst) == PanelValues::C || !v.straight[place(s.storage(x->dst))]) continue;
    const bool left = v.matrix(x->dst) == PanelValues::A;
    const Region own = region(s.layout(v.callers[left ? PanelValues::B : PanelValues::A]), rank);
    const auto meets_own = [&](Int to) {
      const std::vector<std::size_t>& products = v.readers[place(s.storage(x->dst))].products;
      return std::any_of(products.begin(), products.end(), [&](std::size_t p) {
        const Layout& C = s.layout(as_compute(v.uses.does[p])->C);
        return !(left ? C.cols_at(to).intersect(own.cols) : C.rows_at(to).intersect(own.rows)).empty();
      });
    };
    const Layout& l = s.layout(x->dst);
    for (Int to = 0; to < s.ranks; ++to) {
      const IndexSet inner = left ? l.cols_at(to).intersect(own.rows) : l.rows_at(to).intersect(own.cols);
      if (inner.empty() || !meets_own(to)) continue;
      for_each_panel(left ? Region{l.rows_at(to), inner} : Region{inner, l.cols_at(to)}, [&](Int i, Int j) {
        all[t].push_back({to, i, j});
      });
    }
  }
  return all;
}

}  // namespace

PanelValues::PanelValues(Schedule carried_out)
    : wire(std::move(carried_out)),
      callers(wire.callers()),
      uses(wire),
      of(matrices(wire)),
      share(shares(wire)),
      readers(readers_of(wire, uses.does)),
      straight(straight_of(wire, uses.does)),
      passing_on_(passing_on(wire, uses.does)),
      owners_{PanelOwners(wire, callers[A]), PanelOwners(wire, callers[B])} {}

bool PanelValues::all_sums_have_terms() const {
  std::map<Slot, std::vector<bool>> without;  // by storage and rank
  for (const Effect& e : uses.does)
    if (const Compute* const x = as_compute(e); x && x->A >= 0) {
      std::vector<bool>& ranks = without.try_emplace(wire.storage(x->C), place(wire.grid.size()), true).first->second;
      for (Int r = 0; r < wire.grid.size(); ++r) {
        const Region c = region(wire.layout(x->C), r);
        if (c.rows.empty() || c.cols.empty() || !wire.layout(x->A).cols_at(r).empty()) ranks[place(r)] = false;
      }
    }
  return std::none_of(without.begin(), without.end(), [](const auto& sum) {
    return std::find(sum.second.begin(), sum.second.end(), true) != sum.second.end();
  });
}

PanelSchedule::PanelSchedule(Schedule carried_out, Int rank)
    : PanelValues(std::move(carried_out)), transfers(transfers_of(wire, uses.does, rank)), met(met_of(*this, rank)) {}

SizedPanels::SizedPanels(const PanelValues& values, const Sizes& A, const Sizes& B, const ExpectedSums& sums)
    : values_(values), by_slot_(values.wire.slots.size()) {
  std::map<double, Sizes> of_share;
  for (std::size_t x = 0; x < by_slot_.size(); ++x) {
    const Matrix of = values.of[x];
    if (values.wire.slots[x].view_of >= 0) continue;
    if (of != PanelValues::C) {
      by_slot_[x] = of == PanelValues::A ? A : B;
      continue;
    }
    Sizes& found = of_share[values.share[x]];
    if (!found) found = std::make_shared<PanelSizes>(sums.of(values.share[x]));
    by_slot_[x] = found;
  }
}

// What is said is one number for each block of the inner dimension, or two; a message takes as long as some more words,
// and to look for what is needed takes as long as a small part of the panel.
double share_asked_for(const PanelSizes::Size& panel, Int met) {
  constexpr double message = 256, most = 0.9;
  if (met >= panel.inner) return 1;
  const double share = real(met) / real(panel.inner);
  return share <= most && real(panel.words) * (1 - share) > 2 * real(met) + message ? share : 1;
}

WantedPanels::WantedPanels(const PanelValues& values, const SizedPanels& sizes, Slot dst, Int rank)
    : values_(values),
      sizes_(sizes.of(dst)),
      rank_(rank),
      sum_(values.matrix(dst) == PanelValues::C),
      passes_on_(values.passes_on(dst, rank)),
      straight_(values.straight[place(values.wire.storage(dst))]) {
  const Schedule& s = values.wire;
  const PanelValues::Readers& readers = values.readers[place(s.storage(dst))];
  passed_on_ = readers.passed_on;
  if (sum_) return;
  for (std::size_t t : readers.products) {
    const Compute& x = *as_compute(values.uses.does[t]);
    if (x.A < 0) continue;
    const bool left = values.matrix(dst) == PanelValues::A;
    const Region c = region(s.layout(x.C), rank);
    partners_.push_back({left, s.layout(x.A).cols_at(rank), left ? c.cols : c.rows, sizes.of(left ? x.B : x.A)});
  }
}

bool WantedPanels::operator()(Int i, Int j) const {
  if (sum_) return true;
  if (sizes_.at(i, j).words == 0) return false;
  return passes_on_ ||
         std::any_of(partners_.begin(), partners_.end(), [&](const Partner& x) { return meets(x, i, j); });
}

bool WantedPanels::meets(const Partner& x, Int i, Int j) const {
  if (!x.has(i, j)) return false;
  bool any = false;
  PanelSizes::for_each(x.others, [&](Int other) { any = any || x.size(i, j, other).words > 0; });
  return any;
}

std::optional<WantedPanels::Asked> WantedPanels::asked(Int i, Int j) const {
  const PanelSizes::Size& size = sizes_.at(i, j);
  if (sum_ || passed_on_ || size.inner == 0) return {};
  Int met = 0, by = -1;
  bool one = true;
  for (const Partner& x : partners_)
    if (x.has(i, j))
      PanelSizes::for_each(x.others, [&](Int other) {
        const PanelSizes::Size& partner = x.size(i, j, other);
        if (partner.words == 0) return;
        const Int owner = x.left ? values_.owner(PanelValues::B, j, other) : values_.owner(PanelValues::A, other, i);
        one = one && (by < 0 || by == owner);
        by = owner, met += partner.inner;
      });
  if (by < 0 || !one || (by != rank_ && !straight_)) return {};
  const double share = share_asked_for(size, met);
  return share < 1 ? std::optional(Asked{by, share}) : std::nullopt;
}

}  // namespace cairn
