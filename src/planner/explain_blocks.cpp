// The page of a plan of a block-sparse product, and the same as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/registry.hpp"
#include "base/arithmetic.hpp"
#include "base/json_text.hpp"
#include "planner/dbcsr_panels.hpp"
#include "planner/explain_json.hpp"
#include "planner/page.hpp"
#include "planner/plan_blocks.hpp"
#include "planner/problem_text.hpp"

namespace cairn {

namespace {

constexpr std::array<const char*, 3> parts_of_words{"  of A", "  of B", "  of sums of C"};

struct MeanAndMax {
  double mean;
  Int max;
};
MeanAndMax mean_and_max(const std::vector<Int>& words, Int ranks) {
  return {real(std::accumulate(words.begin(), words.end(), Int{0})) / real(ranks),
          words.empty() ? 0 : *std::max_element(words.begin(), words.end())};
}

class BlockPage {
 public:
  explicit BlockPage(const BlockPlan& plan)
      : plan_(plan), d_(plan.data()), p_(d_.problem), most_(d_.most()), page_(p_.type) {}

  std::string text() {
    head();
    communication();
    computation();
    memory();
    page_.time(d_.timing().last, d_.machine, d_.options);
    page_.line(fmt::format("  local products: blocks one after another, {} each", rate()));
    page_.others("other grids and layers", d_.others);
    return std::move(page_).text();
  }

 private:
  void head() {
    page_.line(fmt::format("{}, {}, on {}", formula(p_), name_of(p_.type), ranks_text(p_.ranks)));
    page_.line("");
    page_.item("algorithm", plan_.algorithm());
    page_.grid({d_.grid()[0], d_.grid()[1]}, "rows x columns", d_.values.wire.grid.size(), p_.ranks);
    if (d_.layers() > 1)
      page_.item("layers", fmt::format("{} x {}: neighbouring rows and columns compute the same part of C", d_.form->lr,
                                       d_.form->lc));
    page_.item("because", block_plan_reason(plan_));
    page_.item("transport", name_of(d_.transport()));
    page_.item("figures", figures());
  }
  std::string figures() const {
    if (p_.panels) return figures_of_patterns();
    if (plan_.exact()) return "exact, as all blocks are there; time as predicted";
    return fmt::format("grid and steps exact; words, flops, memory as {}",
                       p_.seed ? fmt::format("in patterns of seed {}", *p_.seed) : "expected of random patterns");
  }

  std::string figures_of_patterns() const {
    if (!d_.flow().whole())
      return "grid and steps exact; the rest as expected of the patterns that are there: ranks receive the blocks that "
             "they need";
    return fmt::format("words {}exact, of the patterns that are there; {}indices, flops and memory as expected",
                       plan_.exact() ? "" : "of A and B ", plan_.exact() ? "" : "sums of C, ");
  }

  void communication() {
    page_.title("communication of a rank", "mean", "max");
    const auto row = [&](std::string_view name, double mean, double max, double bytes) {
      page_.row(name, grouped(mean), grouped(max), bytes_text(max * bytes));
    };
    const double word = real(static_cast<Int>(size_of(p_.type)));
    row("words received", plan_.mean_received(), real(most_.words()), word);
    for (std::size_t x = 0; x < parts_of_words.size(); ++x)
      row(parts_of_words[x], d_.mean([x](const BlockCount& c) { return c.received[x]; }), real(most_.received[x]),
          word);
    row("numbers of indices", d_.mean(&BlockCount::received_index), real(most_.received_index),
        PanelSizes::index_bytes);
    page_.row("panels received", grouped(d_.mean(&BlockCount::messages)), grouped(most_.messages));
    const double told = dbcsr_panels(d_.panels.problem).volume(real(d_.layers()));
    row("Equation 7, own panels too", told, told, word);
    if (const auto [mean, max] = mean_and_max(d_.brought, p_.ranks); max > 0)
      row("brought to C's grid before", mean, real(max), word);
    const double bound = plan_.received_bound();
    page_.title("lower bound", "words", "plan / bound");
    page_.row(p_.panels ? "received, if all were even" : "received, any memory", grouped(std::ceil(bound)),
              ratio_text(ratio(real(most_.words()), bound)));
  }

  void computation() {
    const double mean = d_.mean(&BlockCount::flops);
    page_.title("computation", "mean", "max", "utilisation");
    page_.row("flops of a rank", grouped(mean), grouped(most_.flops),
              fmt::format("{:.2f} %", most_.flops > 0 ? 100 * mean / most_.flops : 100));
  }
  std::string rate() const {
    const double flop = seconds_per_flop(d_.machine, p_);
    return flop > 0 ? fmt::format("{:.1f} Gflop/s", 1e-9 / flop) : "nothing to compute";
  }

  void memory() {
    page_.memory(d_.memory(), d_.values.wire, d_.options.memory_words, "A and B in order to be sent");
    if (d_.least_memory)
      page_.row("least limit, copies included", grouped(*d_.least_memory),
                bytes_text(real(*d_.least_memory) * real(static_cast<Int>(size_of(p_.type)))));
    if (d_.layers() == 1) return;
    page_.row("buffers over one layer's", ratio_text(block_buffers_over_one_layer(plan_)));
    page_.row("the same, Equation 6", ratio_text(dbcsr_panels(d_.panels.problem).memory(real(d_.layers()))));
  }

  const BlockPlan& plan_;
  const BlockPlan::Data& d_;
  const BlockProblem& p_;
  const BlockCount most_;
  Page page_;
};

}  // namespace

std::string block_plan_reason(const BlockPlan& plan) {
  const BlockPlan::Data& d = plan.data();
  if (has_arguments(d.options.algorithm)) return "it was asked for";
  if (d.problem.ranks == 1) return "one rank has nothing to exchange";
  if (!d.reason.empty()) return d.reason;
  const Prefer prefer = preference(d.options);
  const char* const why = prefer == Prefer::time    ? "the fastest"
                          : prefer == Prefer::words ? "the fewest words"
                                                    : "the fewest words of those that are as fast";
  if (d.others.empty()) return fmt::format("{}; no other that fits was compared", why);
  return fmt::format("{}; {}: {}", why, d.others.front().algorithm, d.others.front().why);
}

std::string BlockPlan::explain() const { return BlockPage(*this).text(); }

namespace {

nlohmann::ordered_json mean_and_max(double mean, double max) { return {{"mean", mean}, {"max", max}}; }

nlohmann::ordered_json communication(const BlockPlan& plan) {
  const BlockPlan::Data& d = plan.data();
  const BlockCount most = d.most();
  nlohmann::ordered_json json;
  json["received_words"] = mean_and_max(plan.mean_received(), real(most.words()));
  json["received_words"]["parts"] = {{"a", most.received[0]}, {"b", most.received[1]}, {"sums_of_c", most.received[2]}};
  json["received_index"] = mean_and_max(d.mean(&BlockCount::received_index), real(most.received_index));
  json["messages"] = mean_and_max(d.mean(&BlockCount::messages), real(most.messages));
  const auto [before, most_before] = mean_and_max(d.brought, d.problem.ranks);
  json["brought_words"] = mean_and_max(before, real(most_before));
  json["equation_7_words"] = dbcsr_panels(d.panels.problem).volume(real(d.layers()));
  return json;
}

}  // namespace

std::string BlockPlan::json() const {
  const Data& d = *data_;
  nlohmann::ordered_json json;
  json["problem"] = json_of(AnyProblem(d.problem));
  json["algorithm"] = algorithm();
  json["grid"] = d.grid();
  json["layers"] = d.form ? nlohmann::ordered_json({d.form->lr, d.form->lc}) : nullptr;
  json["idle_ranks"] = d.problem.ranks - d.values.wire.grid.size();
  json["transport"] = name_of(d.transport());
  json["reason"] = block_plan_reason(*this);
  json["patterns_known"] = d.problem.panels != nullptr;
  json["exact"] = exact();
  json.update(communication(*this));
  json["bounds"] = {{"tight", received_bound()}};
  json["ratios"] = {{"tight", json_ratio(ratio(real(d.most().words()), received_bound()))}};
  json["flops"] = mean_and_max(d.mean(&BlockCount::flops), d.most().flops);
  json["memory_words"] = or_null(d.options.memory_words);
  json["peak_words"] = json_of(d.memory(), "copies");
  json["least_memory_words"] = or_null(d.least_memory);
  Times last = d.timing().last;
  if (!d.ranks.empty()) last.rank = d.ranks[place(last.rank)];
  add_times(json, last, d.machine, d.options);
  json["asked"]["occupancy_c"] = or_null(d.problem.occupancy_c);
  const double flop = seconds_per_flop(d.machine, d.problem);
  json["block_flops_per_second"] = flop > 0 ? nlohmann::ordered_json(1 / flop) : nullptr;
  add_others(json, d.others);
  return json_text(json);
}

}  // namespace cairn
