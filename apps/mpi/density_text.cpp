// The report of `cairn density` for people.
#include <fmt/format.h>

#include <algorithm>

#include "density.hpp"
#include "planner/page.hpp"
#include "report_text.hpp"

namespace cairn::app {

namespace {

std::string blocks_text(const BlockSizes& sizes) {
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  if (sizes.empty()) return "none";
  return *least == *most ? fmt::format("{} of {}", grouped(static_cast<Int>(sizes.size())), *least)
                         : fmt::format("{} of {} to {}", grouped(static_cast<Int>(sizes.size())), *least, *most);
}

std::string percent(double share) { return fmt::format("{:.1f} % of the elements are in blocks", 100 * share); }

}  // namespace

std::string opening_text(const DensityReport& r, const Terminal& terminal) {
  ReportText text(terminal);
  RunFacts facts;
  facts.type = r.type, facts.ranks = r.ranks;
  text.head("P = 2·Σ c·cᴴ of H·c = E·S·c", facts);
  text.files({{"H", r.h.rows, r.h.cols, r.h.path, percent(r.h_occupancy)},
              {"S", r.s.rows, r.s.cols, r.s.path, percent(r.s_occupancy)}});
  text.item("blocks", blocks_text(r.blocks));
  text.line();
  text.line(fmt::format("{:<18}{:>4}{:>11}{:>11}{:>10}{:>9}{:>14}{:>10}", "iteration", "", "residual", "occupancy",
                        "products", "GFLOP", "words a rank", "seconds"));
  return std::move(text).text();
}

std::string iteration_text(const Iteration& i) {
  return fmt::format("  {:<18}{:>4}{:>11.2e}{:>9.1f} %{:>10}{:>9.2f}{:>14}{:>10.3f}\n", i.stage, i.number, i.residual,
                     100 * i.occupancy, i.products, static_cast<double>(i.flops) * 1e-9, grouped(i.received),
                     i.seconds);
}

std::string closing_text(const DensityReport& r, const DensityArguments& a, const Terminal& terminal) {
  ReportText text(terminal);
  text.line();
  text.item("method",
            fmt::format("{}, eps {:g}: {} iterations, {} products, {:.2f} GFLOP", name_of(r.method), a.options.eps,
                        r.iterations.size(), r.sum.products, static_cast<double>(r.sum.flops) * 1e-9));
  text.figure("energy", fmt::format("{:.8f}", r.band_energy), "tr(PH), of all electrons");
  text.figure("electrons", fmt::format("{:.6f}", r.electrons), "tr(PS)");
  text.figure("µ", fmt::format("{:.6f}", r.chemical_potential), "chemical potential");
  text.figure("idempotency", fmt::format("{:.2e}", r.idempotency), "‖PSP/2 − P‖/‖P‖ before the last step");
  text.figure("words", grouped(r.sum.received),
              fmt::format("received by a rank, the mean; {} predicted", grouped(r.sum.predicted)));
  text.line();
  text.figure("read", seconds_text(r.read), "");
  text.figure("density", seconds_text(r.density),
              fmt::format("{:.1f} GFLOP/s", r.density > 0 ? static_cast<double>(r.sum.flops) * 1e-9 / r.density : 0));
  if (!a.output.empty())
    text.figure("write", seconds_text(r.write), fmt::format("{}, {}", a.output, percent(r.occupancy)));
  text.figure("in all", seconds_text(r.all), "");
  if (r.dense_is_faster()) {
    text.line();
    text.item("note", fmt::format("a dense solution of this size takes about {} on one core, which is faster",
                                  seconds_text(r.dense)));
  }
  text.line();
  return std::move(text).text();
}

}  // namespace cairn::app
