// The report of `cairn density` for programs.
#include "base/json_text.hpp"
#include "density.hpp"

namespace cairn::app {

std::string as_json(const DensityReport& r, const DensityArguments& a) {
  Json j = function_json("density", r, r.h.rows);
  j["h"] = file_json(r.h);
  j["s"] = file_json(r.s);
  j["output"] = a.output.empty() ? Json(nullptr) : Json(a.output);
  j["method"] = name_of(r.method);
  j["eps"] = a.options.eps;
  j["band_energy"] = r.band_energy;
  j["electrons"] = r.electrons;
  j["chemical_potential"] = r.chemical_potential;
  j["idempotency"] = finite_json(r.idempotency);
  j["occupancy"] = {{"h", r.h_occupancy}, {"s", r.s_occupancy}, {"p", r.occupancy}};
  add_iterations(j, r, "density");
  return json_text(j);
}

}  // namespace cairn::app
