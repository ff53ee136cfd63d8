// The report of `cairn density` for people.
#include <fmt/format.h>

#include "density.hpp"

namespace cairn::app {

std::string opening_text(const DensityReport& r, const Terminal& terminal) {
  ReportText text(terminal);
  text.head("P = 2·Σ c·cᴴ of H·c = E·S·c", r.type, r.ranks);
  text.files({{"H", r.h.rows, r.h.cols, r.h.path, percent_in_blocks(r.h_occupancy)},
              {"S", r.s.rows, r.s.cols, r.s.path, percent_in_blocks(r.s_occupancy)}});
  open_iterations(text, r);
  return std::move(text).text();
}

std::string closing_text(const DensityReport& r, const DensityArguments& a, const Terminal& terminal) {
  ReportText text(terminal);
  text.line();
  text.item("method", fmt::format("{}, {}", name_of(r.method), done_text(r, a.options.eps)));
  text.figure("energy", fmt::format("{:.8f}", r.band_energy), "tr(PH), of all electrons");
  text.figure("electrons", fmt::format("{:.6f}", r.electrons), "tr(PS)");
  text.figure("µ", fmt::format("{:.6f}", r.chemical_potential), "chemical potential");
  text.figure("idempotency", fmt::format("{:.2e}", r.idempotency), "‖PSP/2 − P‖/‖P‖ before the last step");
  close_iterations(text, r, a, "density");
  return std::move(text).text();
}

}  // namespace cairn::app
