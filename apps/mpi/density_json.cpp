// The report of `cairn density` for programs.
#include "base/json_text.hpp"
#include "density.hpp"
#include "report_json.hpp"

namespace cairn::app {

namespace {

Json received_json(const Iteration& i) {
  return {{"mean", i.received}, {"max", i.most_received}, {"predicted", i.predicted}};
}

Json iteration_json(const Iteration& i) {
  return {
      {"stage", i.stage},       {"number", i.number}, {"residual", finite_json(i.residual)}, {"occupancy", i.occupancy},
      {"products", i.products}, {"flops", i.flops},   {"received_words", received_json(i)},  {"seconds", i.seconds}};
}

}  // namespace

std::string as_json(const DensityReport& r, const DensityArguments& a) {
  Json j;
  j["operation"] = "density";
  j["n"] = r.h.rows;
  j["blocks"] = r.blocks.size();
  j["ranks"] = r.ranks;
  j["type"] = name_of(r.type);
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
  j["iterations"] = r.iterations.size();
  j["products"] = r.sum.products;
  j["flops"] = r.sum.flops;
  j["received_words"] = received_json(r.sum);
  j["seconds"] = {{"all", r.all}, {"prepare", r.prepare}, {"read", r.read}, {"density", r.density}, {"write", r.write}};
  j["dense_seconds"] = r.dense;
  j["history"] = Json::array();
  for (const Iteration& i : r.iterations) j["history"].push_back(iteration_json(i));
  return json_text(j);
}

}  // namespace cairn::app
