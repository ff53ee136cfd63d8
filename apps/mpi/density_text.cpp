// The report of `cairn density` for people.
#include <fmt/format.h>

#include <cmath>

#include "density.hpp"

namespace cairn::app {

namespace {

// Also of a small unit.
std::string energy_text(double energy, int digits) {
  constexpr double small = 1e-3;
  return std::abs(energy) < small && energy != 0 ? fmt::format("{:.{}e}", energy, digits)
                                                 : fmt::format("{:.{}f}", energy, digits);
}

}  // namespace

std::string opening_text(const DensityReport& r) {
  ReportText text;
  text.head("P = 2·Σ c·cᴴ of H·c = E·S·c", r.type, r.ranks);
  text.files({{"H", r.h.rows, r.h.cols, r.h.path, percent_in_blocks(r.h_occupancy)},
              {"S", r.s.rows, r.s.cols, r.s.path, percent_in_blocks(r.s_occupancy)}});
  open_iterations(text, r);
  return std::move(text).text();
}

std::string as_text(const DensityReport& r, const DensityArguments& a) {
  ReportText text;
  text.line();
  text.item("method", fmt::format("{}, {}", name_of(r.method), done_text(r, a.options.eps)));
  text.figure("energy", energy_text(r.band_energy, 8), "tr(PH), of all electrons");
  text.figure("electrons", fmt::format("{:.6f}", r.electrons), "tr(PS)");
  text.figure("µ", energy_text(r.chemical_potential, 6), "chemical potential");
  text.figure("idempotency", fmt::format("{:.2e}", r.idempotency), "‖PSP/2 − P‖/‖P‖ before the last step");
  close_iterations(text, r, a, "density");
  return std::move(text).text();
}

}  // namespace cairn::app
