// The report of `cairn multiply` for programs.
#include "base/json_text.hpp"
#include "model/problem.hpp"
#include "multiply.hpp"
#include "report_json.hpp"

namespace cairn::app {

std::string as_json(const MultiplyReport& r, const MultiplyArguments& a) {
  const GemmProblem& p = r.plan.problem();
  const Stage& done = r.run.stages.front();
  Json j;
  j["operation"] = "multiply";
  j["m"] = p.m;
  j["n"] = p.n;
  j["k"] = p.k;
  j["ranks"] = r.run.ranks;
  j["type"] = name_of(p.type);
  j["op_a"] = name_of(p.op_a);
  j["op_b"] = name_of(p.op_b);
  j["alpha"] = {a.alpha.real(), a.alpha.imag()};
  j["beta"] = {a.beta.real(), a.beta.imag()};
  j["a"] = file_json(r.a);
  j["b"] = file_json(r.b);
  if (r.c_in) j["c_in"] = file_json(*r.c_in);
  j["output"] = a.output;
  j["seconds"] = seconds_json(r.run);
  add_means(j, r.run);
  j["received_words"] = words_json(done);
  j["copied_bytes_max"] = done.copied_bytes;
  if (r.check)
    j["check"] = {{"passed", r.check->passed()}, {"ratio", finite_json(r.check->ratio)}, {"rounds", r.check->rounds}};
  j["verified_counts"] = a.planning.options.verify_counts;
  j["plan"] = Json::parse(r.plan.json());
  return json_text(j);
}

}  // namespace cairn::app
