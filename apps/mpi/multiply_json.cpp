// The report of `cairn multiply` for programs.
#include "base/json_text.hpp"
#include "multiply.hpp"

namespace cairn::app {

std::string as_json(const MultiplyReport& r, const MultiplyArguments& a) {
  const Stage& done = r.run.stages.front();
  Json j = product_json("multiply", a, r.files, r.run.ranks);
  j["output"] = a.output;
  j["seconds"] = seconds_json(r.run);
  add_means(j, r.run);
  j["received_words"] = words_json(done);
  j["copied_bytes_max"] = done.copied_bytes;
  if (r.check) j["check"] = check_json(*r.check);
  j["verified_counts"] = a.planning.options.verify_counts;
  j["plan"] = Json::parse(r.plan.json());
  return json_text(j);
}

}  // namespace cairn::app
