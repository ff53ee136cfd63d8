// A simulation as a page, and as JSON.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <variant>

#include "base/json_text.hpp"
#include "cairn/simulate.hpp"
#include "planner/page.hpp"
#include "planner/problem_text.hpp"

namespace cairn {

namespace {

using Figures = Simulation::Figures;

std::string row(std::string_view name, const Figures& f, const char* form) {
  const auto text = [&](double x) { return fmt::format(fmt::runtime(form), x); };
  return fmt::format("  {:<28}{:>18}{:>18}{:>18}\n", name, text(f.min), text(f.mean), text(f.max));
}

// Panels of factorisations and solves are mostly waited for while others work on them.
bool hides(const AnyProblem& problem) {
  return !std::holds_alternative<FactoriseProblem>(problem) && !std::holds_alternative<SolveProblem>(problem);
}

nlohmann::ordered_json json_of(const Figures& f) { return {{"min", f.min}, {"mean", f.mean}, {"max", f.max}}; }

}  // namespace

std::string Simulation::text() const {
  std::string page = fmt::format("{}, {}, {} of \"{}\", {} in use\n", formula(problem), name_of(type_of(problem)),
                                 ranks_text(ranks_of(problem)), machine, ranks_used);
  page += fmt::format("  algorithm   {}, look-ahead {}\n", algorithm, look_ahead);
  if (!exact) page += "  words, flops and memory are not exact: those of random patterns\n";
  page += '\n';
  page += fmt::format("{:<30}{:>18}{:>18}{:>18}\n", "a rank", "min", "mean", "max");
  page += row("words received", received, "{:.0f}") + row("words received on the wire", wire_words, "{:.0f}") +
          row("messages received", messages, "{:.0f}") + row("flops", flops, "{:.4g}") +
          row("words of memory", memory, "{:.0f}");
  page += fmt::format("\n{:<30}{:>18}{:>18}{:>18}\n", "seconds of a rank in use", "min", "mean", "max");
  page += row("computation", computation, "{:.4g}") + row("communication", communication, "{:.4g}") +
          row("waited, also for others", exposed, "{:.4g}") + row("steps and copies", steps, "{:.4g}") +
          row("idle at the end", idle, "{:.4g}");
  page += fmt::format("\n  in all {:.4g} s, by rank {}; ", seconds, last_rank);
  if (hides(problem)) page += fmt::format("{:.1f} % of the communication hidden; ", 100 * hidden);
  page += fmt::format("{:.2f} % of the peak\n", 100 * utilisation);
  page += fmt::format("  {}\n", how_timed(replayed));
  if (path.ranks.empty()) return page;
  page += fmt::format("  critical path: {:.4g} s computation, {:.4g} s communication, {:.4g} s other, through {}:",
                      path.computation, path.communication, path.other, ranks_text(std::ssize(path.ranks)));
  constexpr std::size_t shown = 8;
  const std::size_t first = path.ranks.size() > shown ? path.ranks.size() - shown : 0;
  if (first > 0) page += " …";
  for (std::size_t i = first; i < path.ranks.size(); ++i) page += fmt::format(" {}", path.ranks[i]);
  return page + "\n";
}

std::string Simulation::json() const {
  nlohmann::ordered_json j;
  j["problem"] = json_of(problem);
  j["algorithm"] = algorithm;
  j["machine"] = machine;
  j["ranks_used"] = ranks_used;
  j["look_ahead"] = look_ahead;
  j["exact"] = exact;
  j["received_words"] = json_of(received);
  j["wire_words"] = json_of(wire_words);
  j["messages"] = json_of(messages);
  j["flops"] = json_of(flops);
  j["peak_words"] = json_of(memory);
  j["seconds"] = seconds;
  j["replayed"] = replayed;
  j["last_rank"] = last_rank;
  j["computation"] = json_of(computation);
  j["communication"] = json_of(communication);
  j["exposed"] = json_of(exposed);
  j["steps"] = json_of(steps);
  j["idle"] = json_of(idle);
  j["hidden"] = hidden;
  j["utilisation"] = utilisation;
  if (!path.ranks.empty())
    j["critical_path"] = {{"computation", path.computation},
                          {"communication", path.communication},
                          {"other", path.other},
                          {"ranks", path.ranks}};
  return json_text(j);
}

}  // namespace cairn
