// The page of a plan of a factorisation or a solve.
#include <fmt/format.h>

#include "base/arithmetic.hpp"
#include "planner/plan_factor.hpp"

namespace cairn {

namespace {

std::string named(double words) { return fmt::format("{:.0f}", words); }

std::string times_bound(double value, double bound) {
  return bound > 0 ? fmt::format("{:.2f} times", value / bound) : "-";
}

}  // namespace

std::string FactorPlan::explain() const {
  const Data& d = *data_;
  const Count& most = d.totals().max;
  const double ranks = real(d.ranks), bound = received_bound();
  std::string text = fmt::format("{}, {}, on {} ranks\n\n", spelled(d.collective.problem), name_of(d.type), d.ranks);
  const auto line = [&](std::string_view name, const std::string& value) {
    text += fmt::format("  {:<28}{}\n", name, value);
  };
  line("algorithm", fmt::format("{}, look-ahead {}", algorithm(), d.look_ahead));
  line("ranks in use", fmt::format("{} of {}", d.collective.grid.size(), d.ranks));
  text += "\na rank                                mean             max\n";
  const auto row = [&](std::string_view name, double mean, Int max) {
    text += fmt::format("  {:<22}{:>16}{:>16}\n", name, named(mean), max);
  };
  row("words received", d.totals().mean_received, most.received);
  row("  on the wire", d.totals().mean_wire_words, most.wire_words);
  row("messages received", d.totals().mean_messages, most.messages);
  row("flops", d.totals().total_flops / ranks, most.flops);
  text += fmt::format("  {:<22}{:>16}{:>16}\n\n", "words of memory", "", most.peak_words);
  line("lower bound, received",
       fmt::format("{}; the busiest rank receives {}", named(bound), times_bound(real(most.received), bound)));
  line("predicted",
       fmt::format("{:.4g} s on \"{}\", {:.4g} s of it waiting", d.times().seconds, d.machine.name, d.times().exposed));
  constexpr std::size_t shown = 5;
  for (std::size_t i = 0; i < std::min(shown, d.others.size()); ++i)
    line(i == 0 ? "others" : "", fmt::format("{:<26} {:.4g} s", d.others[i].algorithm, d.others[i].seconds));
  return text;
}

}  // namespace cairn
