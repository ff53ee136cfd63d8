// The reports of `cairn spgemm`, for people and for programs.
#include <fmt/format.h>

#include "base/json_text.hpp"
#include "block_multiply.hpp"
#include "planner/page.hpp"
#include "report_json.hpp"
#include "report_text.hpp"

namespace cairn::app {

std::string as_text(const BlockMultiplyReport& r, const BlockMultiplyArguments& a) {
  if (r.plan) return r.plan->explain();
  const ProductFiles& f = r.files;
  const double done = giga_operations(r.flops, f.type);
  ReportText text;
  text.head(formula_of(a), f.type, r.ranks);
  std::vector<ReportText::FileRow> rows{{"A", f.a.rows, f.a.cols, f.a.path, percent_in_blocks(r.a_occupancy)},
                                        {"B", f.b.rows, f.b.cols, f.b.path, percent_in_blocks(r.b_occupancy)}};
  if (f.c) rows.push_back(ReportText::row_of("C before", *f.c));
  rows.push_back({"C", f.m, f.n, a.output.empty() ? "not written" : a.output, percent_in_blocks(r.c_occupancy)});
  text.files(rows);
  const std::string lie = r.ranks == 1 ? "" : r.dealt ? ", dealt in random order" : ", in strips, in their order";
  text.item("blocks", (r.m == r.n ? blocks_text(r.m) : blocks_text(r.m) + " by " + blocks_text(r.n)) + lie);
  text.item("algorithm", fmt::format("{}, {}", r.algorithm, r.transport));
  text.item("products", fmt::format("{} of blocks, {:.2f} GFLOP{}", grouped(r.products), done,
                                    a.options.filter_eps > 0 ? fmt::format(", eps {:g}", a.options.filter_eps) : ""));
  text.line();
  text.figure("read", seconds_text(r.seconds.read), "");
  text.figure("multiply", seconds_text(r.seconds.compute),
              fmt::format("{:.1f} GFLOP/s", r.seconds.compute > 0 ? done / r.seconds.compute : 0));
  text.figure("", seconds_text(r.local), "local products");
  text.figure("", seconds_text(r.waiting), "waiting for data");
  if (r.check) text.figure("check", seconds_text(r.seconds.check), "");
  if (!a.output.empty()) text.figure("write", seconds_text(r.seconds.write), "");
  text.figure("in all", seconds_text(r.seconds.all), "");
  text.line();
  text.figure("words", grouped(r.received),
              fmt::format("received by a rank, the mean; {} the most", grouped(r.most_received)));
  text.figure("", grouped(r.predicted), "predicted, the mean");
  text.figure("", grouped(r.index), "numbers of 32 bits that say to which blocks they belong");
  if (r.redistributed > 0)
    text.figure("", grouped(r.redistributed), "words before that, as A or B was brought to C's grid");
  if (r.check)
    text.check(r.check->passed(), check_text(*r.check, a.options.filter_eps > 0 ? "the bound of rounding and --eps"
                                                                                : "the rounding bound"));
  text.line();
  return std::move(text).text();
}

std::string as_json(const BlockMultiplyReport& r, const BlockMultiplyArguments& a) {
  if (r.plan) return r.plan->json();
  Json j = product_json("spgemm", a, r.files, r.ranks);
  j["output"] = a.output.empty() ? Json(nullptr) : Json(a.output);
  j["eps"] = a.options.filter_eps;
  j["distribution"] = r.dealt ? "dealt" : "strips";
  j["algorithm"] = r.algorithm;
  j["transport"] = r.transport;
  j["occupancy"] = {{"a", r.a_occupancy}, {"b", r.b_occupancy}, {"c", r.c_occupancy}};
  j["products"] = static_cast<Int>(r.products);
  j["flops"] = static_cast<Int>(r.flops);
  j["received_words"] = {{"mean", r.received}, {"max", r.most_received}, {"predicted", r.predicted}};
  j["received_indices"] = r.index;
  j["redistributed_words"] = r.redistributed;
  j["messages"] = r.messages;
  if (r.check) j["check"] = check_json(*r.check);
  j["seconds"] = {{"all", r.seconds.all},          {"prepare", r.seconds.prepare}, {"read", r.seconds.read},
                  {"multiply", r.seconds.compute}, {"local_products", r.local},    {"waiting", r.waiting},
                  {"check", r.seconds.check},      {"write", r.seconds.write}};
  return json_text(j);
}

}  // namespace cairn::app
