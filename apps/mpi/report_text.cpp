#include "report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels.hpp"
#include "planner/page.hpp"

namespace cairn::app {

namespace {

std::string seconds(double t) {
  if (t < 1e-3) return fmt::format("{:.0f} µs", t * 1e6);
  if (t < 1) return fmt::format("{:.1f} ms", t * 1e3);
  return fmt::format("{:.2f} s", t);
}

std::string flops_per_second(double rate) {
  return rate >= 1e9 ? fmt::format("{:.1f} GFLOP/s", rate / 1e9) : fmt::format("{:.1f} MFLOP/s", rate / 1e6);
}

std::string padded(std::string text, std::size_t width) {
  text.append(width - std::min(width, columns(text)), ' ');
  return text;
}
std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, columns(text)), ' ') + text;
}

}  // namespace

void ReportText::item(const char* key, const std::string& value) { line(bold(padded(key, key_width)) + value); }

void ReportText::figure(const char* key, const std::string& value, const std::string& meaning) {
  item(key, right(value, value_width) + (meaning.empty() ? "" : "  " + meaning));
}

void ReportText::head(const std::string& formula, ScalarType type, int ranks) {
  line();
  line(bold(formula) + fmt::format("   {}, {}", name_of(type), ranks_text(ranks)));
  line();
}

void ReportText::files(const std::vector<FileRow>& rows) {
  const auto size = [](const FileRow& row) { return fmt::format("{} x {}", row.rows, row.cols); };
  std::size_t size_width = 0, path_width = 0;
  for (const FileRow& row : rows) {
    size_width = std::max(size_width, columns(size(row)));
    path_width = std::max(path_width, columns(row.path));
  }
  for (const FileRow& row : rows)
    item(row.key, right(size(row), size_width) + "  " + padded(row.path, path_width) + "  " + dim(row.note));
  line();
}

void ReportText::means(const RunFacts& f, std::string_view planned) {
  item("transport", f.obstacle.empty()
                        ? f.transport
                        : fmt::format("{}, as {} does not work here: {}", f.transport, planned, f.obstacle));
  if (!f.kernels.empty()) {
    const auto set = kernels_set();
    item("kernels", set ? fmt::format("{}, set by cairn: {:.1f} times as fast as {}, which OpenBLAS takes by itself",
                                      f.kernels, set->times, set->instead_of)
                        : f.kernels);
  }
  line();
}

void ReportText::time(const RunFacts& f, bool checked) {
  double longest = std::max({f.seconds.prepare, f.seconds.read, f.seconds.check, f.seconds.write, 1e-9});
  for (const Stage& s : f.stages) longest = std::max(longest, s.seconds);
  const auto part = [&](const char* key, double t) {
    constexpr double width = 24;
    std::string bar;
    for (int i = 0; i < static_cast<int>(std::lround(width * t / longest)); ++i) bar += "▇";
    figure(key, seconds(t), bar);
  };
  const auto share = [&](const char* what, double t) {
    line(padded("", key_width) + right(seconds(t), value_width) + "  " + dim(what));
  };
  part("prepare", f.seconds.prepare);
  part("read", f.seconds.read);
  for (const Stage& s : f.stages) {
    part(s.name.c_str(), s.seconds);
    share("local products", s.products);
    share("waiting for data", s.waiting);
    share("posting messages, sums, copies", s.other);
  }
  if (checked) part("check", f.seconds.check);
  part("write", f.seconds.write);
  figure("in all", seconds(f.seconds.all), "");
  line();
}

void ReportText::speed(const RunFacts& f) {
  if (f.flops > 0)
    figure("speed", flops_per_second(f.rate()),
           fmt::format("{:.0f} % of {}, what the ranks reach on products in their own memory",
                       f.gemm_rate > 0 ? 100 * f.rate() / f.gemm_rate : 0, flops_per_second(f.gemm_rate)));
}

void ReportText::words(const RunFacts& f, bool nodes) {
  for (const Stage& s : f.stages) words_of(s, f, nodes, f.stages.size() == 1);
}

void ReportText::words_of(const Stage& s, const RunFacts& f, bool nodes, bool alone) {
  figure("words", grouped(s.received),
         fmt::format("received by the rank with the most{} ({}, {} {})", alone ? "" : ", to " + s.name,
                     bytes_text(static_cast<double>(s.received * size_of(f.type))), grouped(s.messages),
                     s.messages == 1 ? "message" : "messages"));
  if (s.from_other_nodes > 0 || nodes)
    figure("", grouped(s.from_other_nodes), "of them from other nodes, where most came");
  figure("", grouped(s.predicted),
         s.as_predicted ? "predicted, " + good("equal on every rank") : "predicted, NOT what happened");
  const double bound = std::ceil(s.bound);
  figure("", grouped(bound),
         fmt::format(
             "lower bound if {} {} share the work evenly{}", f.ranks, f.ranks == 1 ? "rank" : "ranks",
             bound > 0 ? fmt::format("; {:.3f} times that was moved", static_cast<double>(s.received) / s.bound) : ""));
}

void ReportText::check(bool passed, const std::string& how) {
  if (passed)
    item("check", good(right("passed", value_width)) + "  " + how);
  else
    figure("check", "undecided", "numbers that are not finite cannot be compared");
}

}  // namespace cairn::app
