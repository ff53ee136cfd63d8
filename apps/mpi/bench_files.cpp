// The same figures for programs; docs/bench.md defines the columns.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "bench.hpp"

namespace cairn::app {

namespace {

using Json = nlohmann::ordered_json;

std::string number(const std::optional<double>& x) { return x ? fmt::format("{:.6g}", *x) : std::string(); }
Json value(const std::optional<double>& x) { return x ? Json(*x) : Json(nullptr); }

}  // namespace

std::string as_csv(const BenchReport& r) {
  std::string text =
      "shape,regime,m,n,k,type,ranks,algorithm,transport,look_ahead,words,messages,node_words,seconds,gflops,speed,"
      "predicted_seconds,predicted_over_measured,computing_seconds,moving_seconds,hidden,residual,machine,kernels\n";
  for (const BenchRow& x : r.rows)
    text += fmt::format("{},{},{},{},{},{},{},\"{}\",{},{},{},{},{},{:.6g},{:.6g},{:.4g},{},{},{},{},{},{},{},{}\n",
                        x.what.shape, r.regime, x.what.m, x.what.n, x.what.k, name_of(r.type), r.ranks, x.algorithm,
                        x.transport, x.look_ahead, x.words, x.messages, x.node_words, x.seconds, x.gflops, x.speed,
                        number(x.predicted), number(x.predicted_over_measured()), number(x.computing), number(x.moving),
                        number(x.hidden()), number(x.residual), r.machine, r.kernels);
  return text;
}

std::string as_json(const BenchReport& r) {
  Json rows = Json::array();
  for (const BenchRow& x : r.rows)
    rows.push_back({{"shape", x.what.shape},
                    {"m", x.what.m},
                    {"n", x.what.n},
                    {"k", x.what.k},
                    {"algorithm", x.algorithm},
                    {"transport", x.transport},
                    {"look_ahead", x.look_ahead},
                    {"words", x.words},
                    {"messages", x.messages},
                    {"node_words", x.node_words},
                    {"seconds", x.seconds},
                    {"gflops", x.gflops},
                    {"speed", x.speed},
                    {"predicted_seconds", value(x.predicted)},
                    {"predicted_over_measured", value(x.predicted_over_measured())},
                    {"computing_seconds", value(x.computing)},
                    {"moving_seconds", value(x.moving)},
                    {"hidden", value(x.hidden())},
                    {"residual", value(x.residual)},
                    {"rounds", x.rounds}});
  const Json all{{"type", name_of(r.type)}, {"ranks", r.ranks},     {"repeats", r.repeats},
                 {"regime", r.regime},      {"machine", r.machine}, {"kernels", r.kernels},
                 {"baseline", r.baseline},  {"rows", rows},         {"left_out", r.notes}};
  return json_text(all);
}

}  // namespace cairn::app
