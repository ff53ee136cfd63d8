#include "report_json.hpp"

#include <cmath>

#include "kernels.hpp"

namespace cairn::app {

Json file_json(const FileInfo& f) {
  return {{"file", f.path},          {"rows", f.rows},   {"cols", f.cols},
          {"type", name_of(f.type)}, {"format", f.note}, {"entries", f.entries}};
}

Json finite_json(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json words_json(const Stage& s) {
  return {{"max", s.received},
          {"predicted_max", s.predicted},
          {"equal_on_every_rank", s.as_predicted},
          {"bound", s.bound},
          {"over_bound", s.bound > 0 ? Json(static_cast<double>(s.received) / s.bound) : Json(nullptr)},
          {"messages_max", s.messages},
          {"from_other_nodes_max", s.from_other_nodes}};
}

Json seconds_json(const RunFacts& f) {
  Json json{{"all", f.seconds.all}, {"prepare", f.seconds.prepare}, {"read", f.seconds.read}};
  for (const Stage& s : f.stages) {
    json[s.name] = s.seconds;
    if (f.stages.size() == 1) json["local_products"] = s.products, json["waiting"] = s.waiting, json["other"] = s.other;
  }
  json["check"] = f.seconds.check;
  json["write"] = f.seconds.write;
  return json;
}

void add_means(Json& json, const RunFacts& f) {
  const auto set = kernels_set();
  json["gflops"] = f.rate() / 1e9;
  json["local_gflops"] = f.gemm_rate / 1e9;
  json["efficiency"] = f.gemm_rate > 0 ? f.rate() / f.gemm_rate : 0;
  json["kernels"] = {
      {"used", f.kernels}, {"set_by_cairn", set.has_value()}, {"instead_of", set ? Json(set->instead_of) : Json()}};
  json["transport"] = {{"used", f.transport}, {"obstacle", f.obstacle}};
}

}  // namespace cairn::app
