// The report of `cairn multiply` for people.
#include <fmt/format.h>

#include "multiply.hpp"
#include "report_text.hpp"

namespace cairn::app {

namespace {

std::string plan_text(const MultiplyReport& r) {
  const auto [pm, pn, pk] = r.plan.grid();
  const Int idle = r.run.ranks - pm * pn * pk, rounds = r.plan.rounds();
  return fmt::format("{}: grid {} x {} x {}, {} {}{}", r.plan.algorithm(), pm, pn, pk, rounds,
                     rounds == 1 ? "round" : "rounds", idle > 0 ? fmt::format(", {} idle", idle) : "");
}

}  // namespace

std::string as_text(const MultiplyReport& r, const MultiplyArguments& a) {
  const GemmProblem& p = r.plan.problem();
  ReportText text;
  text.head(formula_of(a), r.run.type, r.run.ranks);
  std::vector<ReportText::FileRow> rows{ReportText::row_of("A", r.files.a), ReportText::row_of("B", r.files.b)};
  if (r.files.c) rows.push_back(ReportText::row_of("C before", *r.files.c));
  rows.push_back(ReportText::row_of_output("C", p.m, p.n, a));
  text.files(rows);
  text.item("plan", plan_text(r));
  text.means(r.run, r.plan.transport());
  text.time(r.run, r.check.has_value());
  text.speed(r.run);
  text.words(r.run, r.plan.options().ranks_per_node > 0);
  if (r.check) text.check(r.check->passed(), check_text(*r.check, "the rounding bound"));
  text.line();
  return std::move(text).text();
}

}  // namespace cairn::app
