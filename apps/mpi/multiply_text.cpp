// The report of `cairn multiply` for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels.hpp"
#include "multiply.hpp"
#include "planner/plan_facts.hpp"

namespace cairn::app {

namespace {

// 12,345,678
std::string grouped(Int x) {
  std::string digits = std::to_string(x);
  for (Int at = static_cast<Int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string bytes(double n) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t u = 0;
  for (; n >= 1024 && u + 1 < units.size(); ++u) n /= 1024;
  return fmt::format("{:.{}f} {}", n, u == 0 ? 0 : 1, units[u]);
}

std::string seconds(double t) {
  if (t < 1e-3) return fmt::format("{:.0f} µs", t * 1e6);
  if (t < 1) return fmt::format("{:.1f} ms", t * 1e3);
  return fmt::format("{:.2f} s", t);
}

std::string flops_per_second(double rate) {
  return rate >= 1e9 ? fmt::format("{:.1f} GFLOP/s", rate / 1e9) : fmt::format("{:.1f} MFLOP/s", rate / 1e6);
}

const char* mark(Op op) { return op == Op::none ? "" : op == Op::transpose ? "ᵀ" : "ᴴ"; }

std::string number(std::complex<double> x) {
  return x.imag() == 0 ? fmt::format("{}", x.real()) : fmt::format("({}{:+}i)", x.real(), x.imag());
}

/// Characters on the screen: bytes that do not continue a UTF-8 sequence.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}
std::string padded(std::string text, std::size_t width) {
  return text + std::string(width - std::min(width, columns(text)), ' ');
}
std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, columns(text)), ' ') + text;
}

class Report {
 public:
  Report(const MultiplyReport& r, const MultiplyArguments& a, const Terminal& t)
      : r_(r), a_(a), p_(r.plan.problem()), colours_(t.output) {}

  std::string text() {
    head();
    files();
    plan();
    time();
    speed();
    words();
    check();
    return std::move(text_);
  }

 private:
  static constexpr std::size_t key_width = 12, value_width = 14;

  std::string bold(const std::string& s) const { return colours_ ? "\033[1m" + s + "\033[0m" : s; }
  std::string good(const std::string& s) const { return colours_ ? "\033[32m" + s + "\033[0m" : s; }
  std::string dim(const std::string& s) const { return colours_ ? "\033[2m" + s + "\033[0m" : s; }
  void line(const std::string& s = "") { text_ += s.empty() ? "\n" : "  " + s + '\n'; }
  void item(const char* key, const std::string& value) { line(bold(padded(key, key_width)) + value); }
  /// A figure, right-aligned under the others, and what it means.
  void figure(const char* key, const std::string& value, const std::string& meaning) {
    item(key, right(value, value_width) + (meaning.empty() ? "" : "  " + meaning));
  }

  void head() {
    std::string formula = fmt::format("A{}·B{}", mark(p_.op_a), mark(p_.op_b));
    if (a_.alpha != 1.0) formula = number(a_.alpha) + "·" + formula;
    if (a_.beta != 0.0) formula += fmt::format(" + {}·C", number(a_.beta));
    line();
    line(bold("C = " + formula) +
         fmt::format("   {}, {} {}", name_of(p_.type), r_.ranks, r_.ranks == 1 ? "rank" : "ranks"));
    line();
  }

  void files() {
    struct Row {
      const char* key;
      std::string size, path, note;
    };
    const auto of = [](const char* key, const FileInfo& f) {
      return Row{key, fmt::format("{} x {}", f.rows, f.cols), f.path, f.note};
    };
    std::vector<Row> rows{of("A", r_.a), of("B", r_.b)};
    if (r_.c_in) rows.push_back(of("C before", *r_.c_in));
    rows.push_back({"C", fmt::format("{} x {}", p_.m, p_.n), a_.output,
                    a_.order == Order::row ? "npy, C order" : "npy, Fortran order"});
    std::size_t size_width = 0, path_width = 0;
    for (const Row& row : rows) {
      size_width = std::max(size_width, columns(row.size));
      path_width = std::max(path_width, columns(row.path));
    }
    for (const Row& row : rows)
      item(row.key, right(row.size, size_width) + "  " + padded(row.path, path_width) + "  " + dim(row.note));
    line();
  }

  void plan() {
    const auto [pm, pn, pk] = r_.plan.grid();
    const Int idle = r_.ranks - pm * pn * pk, rounds = r_.plan.rounds();
    item("plan", fmt::format("{}: grid {} x {} x {}, {} {}{}", r_.plan.algorithm(), pm, pn, pk, rounds,
                             rounds == 1 ? "round" : "rounds", idle > 0 ? fmt::format(", {} idle", idle) : ""));
    item("transport", r_.obstacle.empty() ? r_.transport
                                          : fmt::format("{}, as {} does not work here: {}", r_.transport,
                                                        r_.plan.transport(), r_.obstacle));
    if (!r_.kernels.empty()) item("kernels", kernels());
    line();
  }

  std::string kernels() const {
    const auto set = kernels_set();
    return set ? fmt::format("{}, set by cairn: {:.1f} times as fast as {}, which OpenBLAS takes by itself", r_.kernels,
                             set->times, set->instead_of)
               : r_.kernels;
  }

  void time() {
    const MultiplyReport::Seconds& s = r_.seconds;
    const double longest = std::max({s.prepare, s.read, s.multiply, s.check, s.write, 1e-9});
    const auto part = [&](const char* key, double t) {
      constexpr double width = 24;
      std::string bar;
      for (int i = 0; i < static_cast<int>(std::lround(width * t / longest)); ++i) bar += "▇";
      figure(key, seconds(t), bar);
    };
    const auto share = [&](const char* what, double t) {
      line(padded("", key_width) + right(seconds(t), value_width) + "  " + dim(what));
    };
    part("prepare", s.prepare);
    part("read", s.read);
    part("multiply", s.multiply);
    share("local products", s.products);
    share("waiting for data", s.waiting);
    share("posting messages, sums, copies", s.other);
    if (r_.check) part("check", s.check);
    part("write", s.write);
    figure("in all", seconds(s.all), "");
    line();
  }

  void speed() {
    const double flops = flops_of(p_);
    const double rate = r_.seconds.multiply > 0 ? flops / r_.seconds.multiply : 0;
    if (flops > 0)
      figure("speed", flops_per_second(rate),
             fmt::format("{:.0f} % of {}, what the ranks reach on products in their own memory",
                         r_.gemm_rate > 0 ? 100 * rate / r_.gemm_rate : 0, flops_per_second(r_.gemm_rate)));
  }

  void words() {
    const PlanBounds bounds = plan_bounds(r_.plan);
    const auto bound = static_cast<Int>(std::ceil(bounds.tight));
    figure("words", grouped(r_.received),
           fmt::format("received by the rank with the most ({}, {} {})",
                       bytes(static_cast<double>(r_.received * size_of(p_.type))), grouped(r_.messages),
                       r_.messages == 1 ? "message" : "messages"));
    if (r_.from_other_nodes > 0 || r_.plan.options().ranks_per_node > 0)
      figure("", grouped(r_.from_other_nodes), "of them from other nodes, where most came");
    figure("", grouped(r_.predicted),
           r_.as_predicted ? "predicted, " + good("equal on every rank") : "predicted, NOT what happened");
    figure("", grouped(bound),
           fmt::format(
               "lower bound if {} {} share the work evenly{}", r_.ranks, r_.ranks == 1 ? "rank" : "ranks",
               bound > 0 ? fmt::format("; {:.3f} times that was moved", static_cast<double>(r_.received) / bounds.tight)
                         : ""));
  }

  void check() {
    if (!r_.check) {
      line();
      return;
    }
    if (r_.check->passed())
      item("check", good(right("passed", value_width)) + "  " +
                        fmt::format("Freivalds' test, {} random vectors: largest residual {:.1g} of the rounding bound",
                                    r_.check->rounds, r_.check->ratio));
    else
      figure("check", "undecided", "numbers that are not finite cannot be compared");
    line();
  }

  const MultiplyReport& r_;
  const MultiplyArguments& a_;
  const GemmProblem& p_;
  bool colours_;
  std::string text_;
};

}  // namespace

double flops_of(const GemmProblem& p) {
  const bool is_complex = p.type == ScalarType::complex64 || p.type == ScalarType::complex128;
  return (is_complex ? 8.0 : 2.0) * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
}

std::string as_text(const MultiplyReport& report, const MultiplyArguments& arguments, const Terminal& terminal) {
  return Report(report, arguments, terminal).text();
}

}  // namespace cairn::app
