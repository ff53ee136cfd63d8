// The page that `cairn plan` prints.
#include <fmt/format.h>

#include <cmath>

#include "base/arithmetic.hpp"
#include "planner/page.hpp"
#include "planner/problem_text.hpp"
#include "planner/reason.hpp"
#include "planner/redistribution.hpp"

namespace cairn {

namespace {

class GemmPage {
 public:
  explicit GemmPage(const Plan::Data& p) : p_(p), bounds_(plan_bounds(p)), page_(p.problem.type) {}

  std::string text() {
    head();
    page_.communication(p_);
    bounds();
    if (p_.transport == Transport::node_shared && !shares_memory(p_))
      page_.line("  on so many ranks these are counted as if all ranks sent each other messages");
    page_.computation(p_);
    page_.memory(memory_parts(p_), p_.wire, p_.options.memory_words);
    page_.time(p_.times(), p_.machine, p_.options,
               clocked_as_messages(p_) ? "as if two-sided messages carried the words" : "");
    page_.others("other algorithms, the best of each that was clocked", p_.others);
    return std::move(page_).text();
  }

 private:
  void head() {
    const GemmProblem& g = p_.problem;
    page_.line(fmt::format("{}, {}, on {}", formula(g), name_of(g.type), ranks_text(g.ranks)));
    page_.line("");
    item("algorithm", p_.collective.algorithm);
    if (!p_.cuts.empty()) item("cuts", p_.cuts);
    page_.grid({p_.grid[0], p_.grid[1], p_.grid[2]}, "pm x pn x pk", p_.collective.grid.size(), g.ranks);
    item("because", reason(p_));
    item("a rank multiplies",
         fmt::format("{} x {} x {}{}", ceil_div(g.m, p_.grid[0]), ceil_div(g.n, p_.grid[1]), ceil_div(g.k, p_.grid[2]),
                     g.m % p_.grid[0] + g.n % p_.grid[1] + g.k % p_.grid[2] ? " at most" : ""));
    item("transport", fmt::format("{}{}", name_of(p_.transport), why_by(p_)));
    const std::string ahead =
        p_.look_ahead == 0
            ? "no look-ahead"
            : fmt::format("look-ahead {}: the next panels travel while these are multiplied", p_.look_ahead);
    if (has_layouts(g)) item("given layouts", redistributed_text(p_.collective));
    if (!p_.relabelling.labels.empty()) item("ranks", relabelled());
    item("rounds", p_.rounds == 1 ? "1" : fmt::format("{}, {}", p_.rounds, ahead));
  }
  std::string relabelled() const {
    const std::vector<Int>& ranks = p_.relabelling.labels.ranks();
    Int moved = 0;
    for (std::size_t p = 0; p < ranks.size(); ++p) moved += ranks[p] != static_cast<Int>(p);
    return fmt::format("{} of {} trade places: {} words fewer are redistributed", grouped(moved),
                       grouped(p_.problem.ranks), grouped(p_.relabelling.saved_words));
  }
  void item(std::string_view name, std::string_view value) { page_.item(name, value); }

  void bounds() {
    const bool limited = p_.options.memory_words.has_value();
    const auto row = [&](std::string_view name, double words, double ratio) {
      page_.row(name, grouped(std::ceil(words)), ratio_text(ratio));
    };
    page_.title("lower bounds", "words", "plan / bound");
    row("received, any memory", bounds_.tight, bounds_.tight_ratio);
    row("touched, Theorem 2", bounds_.theorem2, bounds_.theorem2_ratio);
    row("touched in all, Theorem 1", bounds_.sequential, bounds_.sequential_ratio);
    page_.line(fmt::format("  with {} words of memory, {}; touched: received, or own part of A, B or C",
                           grouped(bounds_.memory_words), limited ? "the limit" : "what the plan uses"));
  }

  const Plan::Data& p_;
  PlanBounds bounds_;
  Page page_;
};

}  // namespace

std::string explain(const Plan::Data& p) { return GemmPage(p).text(); }

}  // namespace cairn
