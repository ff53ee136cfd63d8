// The page that `cairn plan` prints.
#include <fmt/format.h>

#include <cmath>

#include "planner/plan_data.hpp"
#include "planner/reason.hpp"
#include "planner/redistribution.hpp"
#include "schedule/effect.hpp"

namespace cairn {

namespace {

// 12,345,678
std::string grouped(double x) {
  const std::string digits = fmt::format("{:.0f}", x);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text.push_back(',');
    text.push_back(digits[i]);
  }
  return text;
}
std::string grouped(Int x) { return grouped(static_cast<double>(x)); }

std::string bytes(double n) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t u = 0;
  while (n >= 1024 && u + 1 < std::size(units)) n /= 1024, ++u;
  return u == 0 ? fmt::format("{:.0f} B", n) : fmt::format("{:.1f} {}", n, units[u]);
}

std::string seconds(double t) {
  if (t == 0) return "0 s";
  if (t < 1e-3) return fmt::format("{:.3g} µs", t * 1e6);
  if (t < 1) return fmt::format("{:.4g} ms", t * 1e3);
  return fmt::format("{:.4g} s", t);
}

std::string ratio(double x) { return std::isfinite(x) ? fmt::format("{:.3f}", x) : "-"; }

const char* shape(Op op) { return op == Op::none ? "" : op == Op::transpose ? "ᵀ" : "ᴴ"; }

class Page {
 public:
  explicit Page(const Plan::Data& p)
      : p_(p), bounds_(plan_bounds(p)), word_(static_cast<double>(size_of(p.problem.type))) {}

  std::string text() {
    head();
    communication();
    bounds();
    computation();
    memory();
    time();
    others();
    return std::move(text_);
  }

 private:
  void line(const std::string& s) { text_ += s + '\n'; }
  void title(std::string_view left, std::string_view a, std::string_view b, std::string_view c = "") {
    line(fmt::format("\n{:<30}{:>18}{:>18}{:>16}", left, a, b, c));
    while (text_[text_.size() - 2] == ' ') text_.erase(text_.size() - 2, 1);
  }
  void row(std::string_view left, std::string_view a, std::string_view b = "", std::string_view c = "") {
    line(fmt::format("  {:<28}{:>18}{:>18}{:>16}", left, a, b, c));
    while (text_[text_.size() - 2] == ' ') text_.erase(text_.size() - 2, 1);
  }

  void head() {
    const GemmProblem& g = p_.problem;
    line(fmt::format("C = A{}·B{}: {} x {} x {} (m x n x k), {}, on {} {}", shape(g.op_a), shape(g.op_b), g.m, g.n, g.k,
                     name_of(g.type), grouped(g.ranks), g.ranks == 1 ? "rank" : "ranks"));
    const Int used = p_.collective.grid.size();
    line("");
    item("algorithm", p_.collective.algorithm);
    if (!p_.cuts.empty()) item("cuts", p_.cuts);
    item("grid", fmt::format("{} x {} x {} (pm x pn x pk) = {} of {} ranks, {} idle", p_.grid[0], p_.grid[1],
                             p_.grid[2], grouped(used), grouped(g.ranks), grouped(g.ranks - used)));
    item("because", reason(p_));
    const auto up = [](Int size, Int parts) { return (size + parts - 1) / parts; };
    item("a rank multiplies",
         fmt::format("{} x {} x {}{}", up(g.m, p_.grid[0]), up(g.n, p_.grid[1]), up(g.k, p_.grid[2]),
                     g.m % p_.grid[0] + g.n % p_.grid[1] + g.k % p_.grid[2] ? " at most" : ""));
    item("transport", fmt::format("{}{}", name_of(p_.transport), why_by(p_)));
    const std::string ahead =
        p_.look_ahead == 0
            ? "no look-ahead"
            : fmt::format("look-ahead {}: the next panels travel while these are multiplied", p_.look_ahead);
    if (has_layouts(g)) item("given layouts", redistributed());
    if (!p_.relabelling.labels.empty()) item("ranks", relabelled());
    item("rounds", p_.rounds == 1 ? "1" : fmt::format("{}, {}", p_.rounds, ahead));
  }
  // Which of the caller's matrices do not stay where they lie.
  std::string redistributed() const {
    std::string names;
    for (const Effect& e : effects(p_.collective))
      if (const Redistribute* x = as_redistribution(e)) {
        const SlotInfo &src = p_.collective[x->src], &dst = p_.collective[x->dst];
        names += (names.empty() ? "" : ", ") + (src.role == SlotInfo::Role::operand ? src : dst).name;
      }
    return names.empty() ? "all matrices stay where they lie" : "redistributed: " + names;
  }
  std::string relabelled() const {
    const std::vector<Int>& ranks = p_.relabelling.labels.ranks();
    Int moved = 0;
    for (std::size_t p = 0; p < ranks.size(); ++p) moved += ranks[p] != static_cast<Int>(p);
    return fmt::format("{} of {} trade places: {} words fewer are redistributed", grouped(moved),
                       grouped(p_.problem.ranks), grouped(p_.relabelling.saved_words));
  }
  void item(std::string_view name, std::string_view value) { line(fmt::format("  {:<20}{}", name, value)); }

  void communication() {
    const Totals& t = p_.totals;
    title("communication of a rank", "mean", "max");
    row("words received", grouped(t.mean_received), grouped(t.max.received),
        bytes(static_cast<double>(t.max.received) * word_));
    row("words received on the wire", grouped(t.mean_wire_words), grouped(t.max.wire_words),
        bytes(static_cast<double>(t.max.wire_words) * word_));
    if (const auto n = node_words(p_))
      row(ranks_per_node(p_) > 0 ? fmt::format("  from other nodes of {}", ranks_per_node(p_)) : "  from other nodes",
          grouped(n->mean), grouped(n->max), bytes(static_cast<double>(n->max) * word_));
    row("messages received", grouped(t.mean_messages), grouped(t.max.messages));
  }

  void bounds() {
    const bool limited = p_.options.memory_words.has_value();
    title("lower bounds", "words", "plan / bound");
    row("received, any memory", grouped(std::ceil(bounds_.tight)), ratio(bounds_.tight_ratio));
    row("touched, Theorem 2", grouped(std::ceil(bounds_.theorem2)), ratio(bounds_.theorem2_ratio));
    row("touched in all, Theorem 1", grouped(std::ceil(bounds_.sequential)), ratio(bounds_.sequential_ratio));
    line(fmt::format("  with {} words of memory, {}; touched: received, or own part of A, B or C",
                     grouped(bounds_.memory_words), limited ? "the limit" : "what the plan uses"));
  }

  void computation() {
    const auto busiest = static_cast<double>(p_.totals.max.flops);
    title("computation", "mean", "max", "utilisation");
    row("flops of a rank", grouped(p_.totals.total_flops / static_cast<double>(p_.problem.ranks)), grouped(busiest),
        fmt::format("{:.2f} %", 100 * utilisation(p_)));
  }

  void memory() {
    const MemoryParts m = memory_parts(p_);
    title("memory of the fullest rank", "words", "bytes");
    const auto part = [&](std::string_view name, Int words) {
      if (words > 0) row(name, grouped(words), bytes(static_cast<double>(words) * word_));
    };
    part("own part of A", m.own_a);
    part("own part of B", m.own_b);
    part("own part of C", m.own_c);
    part("redistributed copies", m.copies);
    part("gathered panels", m.panels);
    part("partial sums of C", m.partial);
    part("buffers", m.buffers);
    part("share of its node's memory", m.shared);
    part("read or added to by others", m.window);
    part("between them", m.gaps);
    row("peak", grouped(p_.totals.max.peak_words), bytes(static_cast<double>(p_.totals.max.peak_words) * word_));
    if (p_.options.memory_words)
      row("limit", grouped(*p_.options.memory_words), bytes(static_cast<double>(*p_.options.memory_words) * word_));
  }

  void time() {
    const Times& t = p_.times;
    title(fmt::format("time predicted for \"{}\"", p_.machine.name), "last rank", "of all");
    const auto part = [&](std::string_view name, double s) {
      row(name, seconds(s), t.seconds > 0 ? fmt::format("{:.1f} %", 100 * s / t.seconds) : "-");
    };
    part("computation", t.computation);
    part("communication", t.communication);
    part("  of it waited for", t.exposed);
    part("steps", t.steps);
    row("in all", seconds(t.seconds));
    if (clocked_as_messages(p_)) line("  as if two-sided messages carried the words");
    line(fmt::format("  figures: {}", p_.machine.source));
    if (!p_.options.kernels.empty() && !p_.machine.gemm.kernels.empty())
      line(fmt::format("  local products: as fast as OpenBLAS's {} kernels are", p_.machine.gemm.kernels));
  }

  void others() {
    if (p_.others.empty()) return;
    line("\nother algorithms, the best of each");
    for (const RunnerUp& r : p_.others) line(fmt::format("  {:<40}{}", r.algorithm, r.why));
  }

  const Plan::Data& p_;
  PlanBounds bounds_;
  double word_;
  std::string text_;
};

}  // namespace

std::string explain(const Plan::Data& p) { return Page(p).text(); }

}  // namespace cairn
