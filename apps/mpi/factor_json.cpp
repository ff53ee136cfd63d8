// The reports of `cairn cholesky` and `cairn solve` for programs.
#include "base/json_text.hpp"
#include "factor.hpp"
#include "model/problem.hpp"
#include "report_json.hpp"

namespace cairn::app {

std::string as_json(const FactorReport& r, const FactorArguments& a) {
  Json j;
  j["operation"] = r.b ? "solve" : "cholesky";
  j["n"] = r.a.rows;
  if (r.b) j["columns"] = r.b->cols;
  j["uplo"] = name_of(a.uplo());
  j["ranks"] = r.run.ranks;
  j["type"] = name_of(r.run.type);
  j["a"] = file_json(r.a);
  if (r.b) j["b"] = file_json(*r.b);
  j["output"] = a.output;
  j["seconds"] = seconds_json(r.run);
  add_means(j, r.run);
  // What multiply says once is said of each stage.
  const auto plan = [&](std::size_t i) { return Json::parse(r.plans[i].json()); };
  if (r.b) {
    j["stages"] = Json::array();
    for (const Stage& s : r.run.stages) {
      Json stage{{"name", s.name},
                 {"seconds", s.seconds},
                 {"local_products", s.products},
                 {"waiting", s.waiting},
                 {"other", s.other},
                 {"received_words", words_json(s)},
                 {"copied_bytes_max", s.copied_bytes}};
      stage["plans"] = j["stages"].empty() ? Json{plan(0)} : Json{plan(1), plan(2)};
      j["stages"].push_back(std::move(stage));
    }
  } else {
    j["received_words"] = words_json(r.run.stages.front());
    j["copied_bytes_max"] = r.run.stages.front().copied_bytes;
  }
  if (r.check)
    j["check"] = {{"passed", r.check->passed()},
                  {r.b ? "scaled_residual" : "ratio", finite_json(r.check->ratio)},
                  {"at_most", r.check->most}};
  j["verified_counts"] = a.planning.options.verify_counts;
  if (!r.b) j["plan"] = plan(0);
  return json_text(j);
}

}  // namespace cairn::app
