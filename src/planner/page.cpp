#include "planner/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/arithmetic.hpp"
#include "planner/plan_facts.hpp"
#include "schedule/effect.hpp"

namespace cairn {

namespace {

std::string grouped_digits(const std::string& digits) {
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text.push_back(',');
    text.push_back(digits[i]);
  }
  return text;
}

}  // namespace

std::string grouped(double x) { return grouped_digits(fmt::format("{:.0f}", x)); }
std::string grouped(Int x) { return grouped_digits(fmt::format("{}", x)); }

std::string bytes_text(double n) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t u = 0;
  while (n >= 1024 && u + 1 < std::size(units)) n /= 1024, ++u;
  return u == 0 ? fmt::format("{:.0f} B", n) : fmt::format("{:.1f} {}", n, units[u]);
}

std::string seconds_text(double t) {
  if (t == 0) return "0 s";
  if (t < 1e-3) return fmt::format("{:.3g} µs", t * 1e6);
  if (t < 1) return fmt::format("{:.4g} ms", t * 1e3);
  return fmt::format("{:.4g} s", t);
}

std::string ratio_text(double x) { return std::isfinite(x) ? fmt::format("{:.3f}", x) : "-"; }
std::string_view how_timed(bool replayed) { return replayed ? "replayed message by message" : "clocked step by step"; }
std::string ranks_text(Int ranks) { return fmt::format("{} {}", grouped(ranks), ranks == 1 ? "rank" : "ranks"); }

std::string redistributed_text(const Schedule& collective) {
  std::vector<std::string> names;
  for (const Effect& e : effects(collective))
    if (const Redistribute* x = as_redistribution(e)) {
      const SlotInfo &src = collective[x->src], &dst = collective[x->dst];
      const std::string& name = (src.callers() ? src : dst).name;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  return names.empty() ? "all matrices stay where they lie" : fmt::format("redistributed: {}", fmt::join(names, ", "));
}

void Page::item(std::string_view name, std::string_view value) { line(fmt::format("  {:<20}{}", name, value)); }

namespace {

// To the right; at least one blank before it keeps columns apart, however long what is in them.
std::string column(std::string_view text, std::size_t width) {
  return text.size() < width ? fmt::format("{:>{}}", text, width) : fmt::format(" {}", text);
}
std::string columns(std::string_view a, std::string_view b, std::string_view c) {
  return column(a, 18) + column(b, 18) + column(c, 16);
}

}  // namespace

void Page::title(std::string_view left, std::string_view a, std::string_view b, std::string_view c) {
  line(fmt::format("\n{:<30}{}", left, columns(a, b, c)));
  while (text_[text_.size() - 2] == ' ') text_.erase(text_.size() - 2, 1);
}

void Page::row(std::string_view left, std::string_view a, std::string_view b, std::string_view c) {
  line(fmt::format("  {:<28}{}", left, columns(a, b, c)));
  while (text_[text_.size() - 2] == ' ') text_.erase(text_.size() - 2, 1);
}

void Page::grid(const std::vector<Int>& extents, std::string_view names, Int used, Int ranks) {
  item("grid", fmt::format("{} ({}) = {} of {}, {} idle", fmt::join(extents, " x "), names, grouped(used),
                           ranks_text(ranks), grouped(ranks - used)));
}

void Page::words(std::string_view name, double mean, Int max) {
  row(name, grouped(mean), grouped(max), bytes_text(real(max) * word_));
}

void Page::communication(const PlannedSchedule& p) {
  const Totals& t = p.totals();
  title("communication of a rank", "mean", "max");
  words("words received", t.mean_received, t.max.received);
  words("words received on the wire", t.mean_wire_words, t.max.wire_words);
  if (const auto n = node_words(p)) {
    const Int node = ranks_per_node(p);
    words(node > 0 ? fmt::format("  from other nodes of {}", node) : "  from other nodes", n->mean, n->max);
  }
  row("messages received", grouped(t.mean_messages), grouped(t.max.messages));
}

void Page::computation(const PlannedSchedule& p) {
  const Totals& t = p.totals();
  title("computation", "mean", "max", "utilisation");
  row("flops of a rank", grouped(t.total_flops / real(p.wire.ranks)), grouped(t.max.flops),
      fmt::format("{:.2f} %", 100 * utilisation(t, p.wire.ranks)));
}

void Page::memory(const MemoryParts& m, const Schedule& wire, const std::optional<Int>& limit,
                  std::string_view copies) {
  title("memory of the fullest rank", "words", "bytes");
  const auto row = [&](std::string_view name, Int words) {
    this->row(name, grouped(words), bytes_text(real(words) * word_));
  };
  const auto part = [&](std::string_view name, Int words) {
    if (words > 0) row(name, words);
  };
  part("own part of A", m.own_a);
  part("own part of B", m.own_b);
  part("own part of C", m.own_c);
  part(copies, m.copies);
  part("gathered panels", m.panels);
  part(fmt::format("partial sums of {}", wire[wire.callers().back()].name), m.partial);
  part("buffers", m.buffers);
  part("share of its node's memory", m.shared);
  part("read or added to by others", m.window);
  part("between them", m.gaps);
  row("peak", m.peak());
  if (limit) row("limit", *limit);
}

void Page::time(const Times& t, const Machine& machine, const Options& options, std::string_view remark) {
  title(fmt::format("time predicted for \"{}\"", machine.name), "last rank", "of all");
  const auto part = [&](std::string_view name, double s) {
    row(name, seconds_text(s), t.seconds > 0 ? fmt::format("{:.1f} %", 100 * s / t.seconds) : "-");
  };
  part("computation", t.computation);
  part("communication", t.communication);
  part("waited, also for others", t.exposed);
  part("steps", t.steps);
  row("in all", seconds_text(t.seconds));
  if (!remark.empty()) line(fmt::format("  {}", remark));
  line(fmt::format("  figures: {}", machine.source));
  if (!options.kernels.empty() && !machine.gemm.kernels.empty())
    line(fmt::format("  local products: as fast as OpenBLAS's {} kernels are", machine.gemm.kernels));
}

void Page::others(std::string_view heading, const std::vector<RunnerUp>& others) {
  if (others.empty()) return;
  line(fmt::format("\n{}", heading));
  for (const RunnerUp& r : others) line(fmt::format("  {:<39} {}", r.algorithm, r.why));
}

}  // namespace cairn
