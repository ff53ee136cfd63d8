#include "planner/plan_panels.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "algorithms/fetch25d.hpp"
#include "algorithms/registry.hpp"
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
  GemmProblem g{.m = p.pr, .n = p.pc, .k = p.k(), .ranks = p.pr * p.pc};
  const Grid grid({{"i", p.pr}, {"j", p.pc}});
  const auto layout = [&](Int rows, Int cols) {
    return Layout{grid, {{0, rows}, {Cut::even(grid, 0)}}, {{0, cols}, {Cut::even(grid, 1)}}, {}, Order::col, nullptr};
  };
  g.a = layout(g.m, g.k), g.b = layout(g.k, g.n), g.c = layout(g.m, g.n);
  return g;
}

}  // namespace

Int PanelProblem::k() const { return std::lcm(pr, pc); }

// Layers share the panels of k evenly. Few layers first where words are the same.
std::vector<std::string> panel_schedules(const PanelProblem& p) {
  std::vector<std::pair<double, Fetch25d>> all;
  for (Int lr : divisors(p.pr))
    for (Int lc : divisors(p.pc))
      if (const Fetch25d f{p.pr, p.pc, lr, lc}; f.layers() == 1 || (!p.stays && p.k() % f.layers() == 0))
        all.emplace_back(received(f, p.words[0], p.words[1], p.words[2]), f);
  std::sort(all.begin(), all.end(), [](const auto& x, const auto& y) {
    return std::tuple(x.first, x.second.layers(), x.second.lr) < std::tuple(y.first, y.second.layers(), y.second.lr);
  });
  std::vector<std::string> spellings;
  for (const auto& [words, form] : all) spellings.push_back(print(form));
  return spellings;
}

MadePanelSchedule make_panel_schedule(const PanelProblem& p, const std::string& spelling) {
  const Schedule made = look_ahead(make_algorithm(of_panels(p), spelling).schedule, 1);
  return {made, expand_collectives(made)};
}

}  // namespace cairn
