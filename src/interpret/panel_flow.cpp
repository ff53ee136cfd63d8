#include "interpret/panel_flow.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"

namespace cairn {

namespace {

PanelFlow::Arrival arrival(Int from, Int to, Int i, Int j, double share) {
  return {static_cast<std::int32_t>(from), static_cast<std::int32_t>(to), static_cast<std::int32_t>(i),
          static_cast<std::int32_t>(j), static_cast<float>(share)};
}

}  // namespace

PanelFlow::PanelFlow(const PanelValues& values, const SizedPanels& sizes, const PanelParts& k, const ExpectedSums& sums)
    : v_(values), s_(values.wire), sizes_(sizes), k_(k), sums_(sums), steps_(values.uses.does.size()) {
  for (std::size_t t = 0; t < steps_.size(); ++t)
    std::visit([&](const auto& x) { follow(x, steps_[t]); }, v_.uses.does[t]);
}

bool PanelFlow::whole() const {
  return std::all_of(steps_.begin(), steps_.end(), [](const Step& s) {
    return std::all_of(s.arrivals.begin(), s.arrivals.end(), [](const Arrival& x) { return x.share == 1; });
  });
}

const PanelOwners& PanelFlow::owners_of(Slot x) {
  const auto found = owners_.find(x);
  return found != owners_.end() ? found->second : owners_.emplace(x, PanelOwners(s_, x)).first->second;
}

// Every panel from the rank itself, or else from the first that has it.
void PanelFlow::follow(const Redistribute& x, Step& step) {
  step.src = s_.storage(x.src), step.dst = s_.storage(x.dst);
  const PanelOwners& owners = owners_of(x.src);
  for (Int to = 0; to < s_.ranks; ++to) {
    const Region here = owners.copies() ? region(s_.layout(x.src), to) : Region{};
    const WantedPanels wanted(v_, sizes_, step.dst, to);
    for_each_panel(region(s_.layout(x.dst), to), [&](Int i, Int j) {
      const Int from = owners.at(i, j);
      const bool has_it = from == to || (here.rows.local(i) >= 0 && here.cols.local(j) >= 0);
      if (!has_it && wanted(i, j)) step.arrivals.push_back(arrival(from, to, i, j, wanted.share(i, j)));
    });
  }
}

void PanelFlow::follow(const Move& m, Step& step) {
  step.src = s_.storage(m.src), step.dst = s_.storage(m.dst);
  for (Int to = 0; to < s_.grid.size(); ++to) {
    const WantedPanels wanted(v_, sizes_, step.dst, to);
    const bool pieces = m.from == Move::From::pieces;  // else all sources send the same panels
    const Region same = pieces ? Region{} : travelling(s_, m, to, to);
    for_each_source(s_.grid, m, to, [&](Int from) {
      if (from == to) return;
      for_each_panel(pieces ? travelling(s_, m, from, to) : same, [&](Int i, Int j) {
        if (wanted(i, j)) step.arrivals.push_back(arrival(from, to, i, j, wanted.share(i, j)));
      });
    });
  }
}

void PanelFlow::follow(const Compute& x, Step& step) {
  for (Int r = 0; r < s_.grid.size(); ++r) step.flops.push_back(flops(x, r));
}

double PanelFlow::flops(const Compute& x, Int rank) const {
  const Region c = region(s_.layout(x.C), rank);
  const PanelSizes &A = sizes_.of(x.A), &B = sizes_.of(x.B);
  double sum = 0;
  PanelSizes::for_each(s_.layout(x.A).cols_at(rank), [&](Int p) {
    double a = 0, b = 0, left_out = 0;  // words, and products of words
    PanelSizes::for_each(c.rows, [&](Int i) { a += real(A.at(i, p).words); });
    PanelSizes::for_each(c.cols, [&](Int j) { b += real(B.at(p, j).words); });
    if (!sums_.whole())
      for_each_panel(c, [&](Int i, Int j) {
        left_out += real(A.at(i, p).words) * real(B.at(p, j).words) * (1 - sums_.share(i, j));
      });
    if (a > 0 && b > 0) sum += 2 * (a * b - left_out) / k_[static_cast<std::size_t>(p)].elements;
  });
  return sum;
}

}  // namespace cairn
