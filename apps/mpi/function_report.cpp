// What reports of functions of block-sparse matrices have in common, for people and for programs.
#include <fmt/format.h>

#include "function_run.hpp"
#include "planner/page.hpp"

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

void open_iterations(ReportText& text, const FunctionFacts& f) {
  text.item("blocks", blocks_text(f.blocks));
  text.line();
  text.line(fmt::format("{:<20}{:>4}{:>11}{:>11}{:>10}{:>9}{:>14}{:>10}", "iteration", "", "residual", "occupancy",
                        "products", "GFLOP", "words a rank", "seconds"));
}

std::string done_text(const FunctionFacts& f, double eps) {
  return fmt::format("eps {:g}: {} iterations, {} products, {:.2f} GFLOP", eps, f.iterations.size(), f.sum().products,
                     f.operations());
}

void close_iterations(ReportText& text, const FunctionFacts& f, const BlockArguments& a, const char* name) {
  const Iteration sum = f.sum();
  text.figure("words", grouped(sum.received),
              fmt::format("received by a rank, the mean; {} predicted", grouped(sum.predicted)));
  text.line();
  text.figure("read", seconds_text(f.seconds.read), "");
  text.figure(name, seconds_text(f.seconds.compute),
              fmt::format("{:.1f} GFLOP/s", f.seconds.compute > 0 ? f.operations() / f.seconds.compute : 0));
  if (f.seconds.check > 0) text.figure("check", seconds_text(f.seconds.check), "");
  if (!a.output.empty())
    text.figure("write", seconds_text(f.seconds.write),
                fmt::format("{}, {}", a.output, percent_in_blocks(f.occupancy)));
  text.figure("in all", seconds_text(f.seconds.all), "");
  if (f.dense_is_faster()) {
    text.line();
    text.item("note", fmt::format("a dense solution of this size takes about {} on one core, which is faster",
                                  seconds_text(f.dense)));
  }
  text.line();
}

Json function_json(const char* operation, const FunctionFacts& f, Int n) {
  return {
      {"operation", operation}, {"n", n}, {"blocks", f.blocks.size()}, {"ranks", f.ranks}, {"type", name_of(f.type)}};
}

void add_iterations(Json& j, const FunctionFacts& f, const char* name) {
  const Iteration sum = f.sum();
  j["iterations"] = f.iterations.size();
  j["products"] = sum.products;
  j["flops"] = sum.flops;
  j["received_words"] = received_json(sum);
  const Seconds& s = f.seconds;
  j["seconds"] = {{"all", s.all}, {"prepare", s.prepare}, {"read", s.read}, {name, s.compute}, {"write", s.write}};
  j["dense_seconds"] = f.dense;
  j["history"] = Json::array();
  for (const Iteration& i : f.iterations) j["history"].push_back(iteration_json(i));
}

}  // namespace cairn::app
