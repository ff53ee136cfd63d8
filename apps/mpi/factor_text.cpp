// The reports of `cairn cholesky` and `cairn solve` for people.
#include <fmt/format.h>

#include "factor.hpp"
#include "planner/plan_facts.hpp"
#include "report_text.hpp"

namespace cairn::app {

namespace {

std::string plan_text(const FactorPlan& p) {
  const Int idle = p.ranks() - working_ranks(p);
  return fmt::format("{}, look-ahead {}{}", p.algorithm(), look_ahead_of(p),
                     idle > 0 ? fmt::format(", {} idle", idle) : "");
}

}  // namespace

std::string as_text(const FactorReport& r, const FactorArguments& a) {
  ReportText text;
  const bool lower = a.uplo() == Uplo::lower;
  text.head(r.b ? "A·x = b" : lower ? "A = L·Lᴴ" : "A = Uᴴ·U", r.run.type, r.run.ranks);
  std::vector<ReportText::FileRow> rows{ReportText::row_of("A", r.a)};
  if (r.b) rows.push_back(ReportText::row_of("b", *r.b));
  rows.push_back(ReportText::row_of_output(r.b ? "x" : lower ? "L" : "U", r.a.rows, r.b ? r.b->cols : r.a.cols, a));
  text.files(rows);
  for (std::size_t i = 0; i < r.plans.size(); ++i) text.item(i == 0 ? "plan" : "", plan_text(r.plans[i]));
  text.means(r.run, r.run.transport);
  text.time(r.run, r.check.has_value());
  text.speed(r.run);
  text.words(r.run, false);
  if (r.check)
    text.check(r.check->passed(),
               r.b ? fmt::format("scaled residual ‖b − A·x‖ / (‖A‖·‖x‖·n·ε) = {:.3g}, expected at most {:g}",
                                 r.check->ratio, r.check->most)
                   : fmt::format("Freivalds' test of {}: largest residual {:.1g} of the rounding bound",
                                 lower ? "L·Lᴴ" : "Uᴴ·U", r.check->ratio));
  text.line();
  return std::move(text).text();
}

}  // namespace cairn::app
