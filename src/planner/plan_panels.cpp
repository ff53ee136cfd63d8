#include "planner/plan_panels.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "algorithms/registry.hpp"
#include "base/arithmetic.hpp"
#include "planner/limits.hpp"
#include "schedule/panel_schedule.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

namespace {

std::vector<Int> divisors(Int n) {
  std::vector<Int> all;
  for (Int d = 1; d <= n; ++d)
    if (n % d == 0) all.push_back(d);
  return all;
}

GemmProblem of_panels(const PanelProblem& p) {
  GemmProblem g{.m = p.pr, .n = p.pc, .k = p.k, .ranks = p.pr * p.pc};
  const Grid grid({{"i", p.pr}, {"j", p.pc}});
  const auto layout = [&](Int rows, Int cols) {
    return Layout{grid, {{0, rows}, {Cut::even(grid, 0)}}, {{0, cols}, {Cut::even(grid, 1)}}, {}, Order::col, nullptr};
  };
  g.a = layout(g.m, g.k);
  if (p.crossed) g.a->cols.cuts.insert(g.a->cols.cuts.begin(), Cut::each(p.pr));
  g.b = layout(g.k, g.n), g.c = layout(g.m, g.n);
  return g;
}

}  // namespace

PanelGrid::PanelGrid(Int rows, Int cols, const std::optional<Fetch25d>& form)
    : PanelGrid(rows, cols, form && form->crossed) {
  if (!form || crossed) return;
  const Int shared = std::lcm(k, form->layers());
  if (shared > limits.panels_of_k) return;
  k = shared, of_a = k / pc, of_b = k / pr;
}

bool before(const PanelCandidate& x, const PanelCandidate& y) {
  const auto key = [](const PanelCandidate& c) {
    return std::tuple(c.received, c.form.layers(), c.form.lr, std::max(c.form.pr, c.form.pc), c.form.pr);
  };
  return key(x) < key(y);
}

double received_on_one_layer(const PanelSizes& A, const PanelSizes& B, const PanelGrid& grid) {
  double words = 0;
  for (Int s = 0; s < grid.k; ++s)
    for (Int i = 0; i < grid.pr; ++i)
      for (Int j = 0; j < grid.pc; ++j) {
        const PanelSizes::Size &a = A.at(i, s), &b = B.at(s, j);
        if (a.words == 0 || b.words == 0) continue;
        if (grid.column_of_a(s) != j) words += real(a.words) * share_asked_for(a, b.inner);
        if (grid.row_of_b(s) != i) words += real(b.words) * share_asked_for(b, a.inner);
      }
  return words / real(grid.pr * grid.pc);
}

// Layers share the panels of k evenly.
std::vector<PanelCandidate> panel_candidates(const PanelProblem& p) {
  const auto words = [&](const Fetch25d& f) {
    return f.layers() == 1 && p.on_one_layer ? *p.on_one_layer : received(f, p.a, p.b, p.sums);
  };
  if (const Fetch25d f{p.pr, p.pc, 1, 1, true}; p.crossed) return {{words(f), f}};
  std::vector<PanelCandidate> all;
  for (Int lr : divisors(p.pr))
    for (Int lc : divisors(p.pc))
      if (const Fetch25d f{p.pr, p.pc, lr, lc}; f.layers() == 1 || (!p.stays && p.k % f.layers() == 0))
        all.push_back({words(f), f});
  std::sort(all.begin(), all.end(), before);
  return all;
}

std::vector<Int> first_of_each_number_of_layers(const std::vector<PanelCandidate>& candidates) {
  std::vector<Int> first, layers;
  for (std::size_t i = 0; i < candidates.size() && first.size() < limits.few_words; ++i) {
    const Int has = candidates[i].form.layers();
    if (std::find(layers.begin(), layers.end(), has) != layers.end()) continue;
    first.push_back(static_cast<Int>(i)), layers.push_back(has);
  }
  return first;
}

double panels_that_travel(const Fetch25d& f) {
  return real(PanelGrid{f.pr, f.pc, f.crossed}.k) / real(f.layers()) * real(f.lr + f.lc) * real(f.pr * f.pc);
}

MadePanelSchedule make_panel_schedule(const PanelProblem& p, const std::string& spelling) {
  const Schedule made = look_ahead(make_algorithm(of_panels(p), spelling).schedule, 1);
  return {made, expand_collectives(made)};
}

}  // namespace cairn
