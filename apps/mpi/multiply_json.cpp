// The report of `cairn multiply` for programs.
#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels.hpp"
#include "multiply.hpp"
#include "planner/plan_facts.hpp"

namespace cairn::app {

namespace {

using Json = nlohmann::ordered_json;

Json file(const FileInfo& f) {
  return {{"file", f.path},          {"rows", f.rows},   {"cols", f.cols},
          {"type", name_of(f.type)}, {"format", f.note}, {"entries", f.entries}};
}

const char* name(Op op) { return op == Op::none ? "none" : op == Op::transpose ? "transpose" : "adjoint"; }

/// JSON knows no NaN and no infinity.
Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json words(const MultiplyReport& r) {
  const PlanBounds bounds = plan_bounds(r.plan);
  return {{"max", r.received},
          {"predicted_max", r.predicted},
          {"equal_on_every_rank", r.as_predicted},
          {"bound", bounds.tight},
          {"over_bound", bounds.tight > 0 ? Json(static_cast<double>(r.received) / bounds.tight) : Json(nullptr)},
          {"messages_max", r.messages},
          {"from_other_nodes_max", r.from_other_nodes}};
}

Json kernels(const MultiplyReport& r) {
  const auto set = kernels_set();
  return {{"used", r.kernels}, {"set_by_cairn", set.has_value()}, {"instead_of", set ? Json(set->instead_of) : Json()}};
}

}  // namespace

std::string as_json(const MultiplyReport& r, const MultiplyArguments& a) {
  const GemmProblem& p = r.plan.problem();
  const MultiplyReport::Seconds& s = r.seconds;
  const double rate = s.multiply > 0 ? flops_of(p) / s.multiply : 0;
  Json j;
  j["operation"] = "multiply";
  j["m"] = p.m;
  j["n"] = p.n;
  j["k"] = p.k;
  j["ranks"] = r.ranks;
  j["type"] = name_of(p.type);
  j["op_a"] = name(p.op_a);
  j["op_b"] = name(p.op_b);
  j["alpha"] = {a.alpha.real(), a.alpha.imag()};
  j["beta"] = {a.beta.real(), a.beta.imag()};
  j["a"] = file(r.a);
  j["b"] = file(r.b);
  if (r.c_in) j["c_in"] = file(*r.c_in);
  j["output"] = a.output;
  j["seconds"] = {{"all", s.all},
                  {"prepare", s.prepare},
                  {"read", s.read},
                  {"multiply", s.multiply},
                  {"local_products", s.products},
                  {"waiting", s.waiting},
                  {"other", s.other},
                  {"check", s.check},
                  {"write", s.write}};
  j["gflops"] = rate / 1e9;
  j["local_gflops"] = r.gemm_rate / 1e9;
  j["efficiency"] = r.gemm_rate > 0 ? rate / r.gemm_rate : 0;
  j["kernels"] = kernels(r);
  j["transport"] = {{"used", r.transport}, {"obstacle", r.obstacle}};
  j["received_words"] = words(r);
  j["copied_bytes_max"] = r.copied_bytes;
  if (r.check)
    j["check"] = {{"passed", r.check->passed()}, {"ratio", finite(r.check->ratio)}, {"rounds", r.check->rounds}};
  j["verified_counts"] = a.gemm.options.verify_counts;
  j["plan"] = Json::parse(r.plan.json());
  return j.dump(2) + '\n';
}

}  // namespace cairn::app
