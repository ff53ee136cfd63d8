#include "algorithms/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/agarwal3d.hpp"
#include "algorithms/arguments.hpp"
#include "algorithms/cannon.hpp"
#include "algorithms/carma.hpp"
#include "algorithms/cosma.hpp"
#include "algorithms/hsumma.hpp"
#include "algorithms/summa.hpp"
#include "algorithms/summa25d.hpp"
#include "algorithms/summa_held.hpp"
#include "cairn/error.hpp"
#include "schedule/effect.hpp"

namespace cairn {

namespace {

MadeAlgorithm make_cosma(const GemmProblem& problem, std::string_view arguments) {
  const std::vector<CosmaCut> cuts = parse_cosma_cuts(arguments);
  const auto parts = [&](char dim) { return parts_of(cuts, 'p', dim); };
  Int rounds = 1;
  for (const CosmaCut& c : cuts)
    if (c.kind == 's' && __builtin_mul_overflow(rounds, c.parts, &rounds))
      throw ArgumentError("algorithm: the cuts make more rounds than a 64-bit integer counts");
  return {cosma(problem, cuts), {parts('m'), parts('n'), parts('k')}, rounds};
}

MadeAlgorithm make_summa(const GemmProblem& problem, std::string_view text) {
  const SummaForm f = parse_summa(text);
  Schedule s = f.held ? summa_held(problem, f) : summa(problem, f);
  const Int rounds = computations(s);
  if (f.stationary == 'a') return {std::move(s), {f.pr, 1, f.pc}, rounds, {}, f.held};
  if (f.stationary == 'b') return {std::move(s), {1, f.pc, f.pr}, rounds, {}, f.held};
  return {std::move(s), {f.pr, f.pc, 1}, rounds, {}, f.held};
}

MadeAlgorithm make_hsumma(const GemmProblem& problem, std::string_view text) {
  Arguments arguments(text, "hsumma 8x8 groups=2x2 M=256 b=64 cyclic, the last if wanted");
  const std::vector<Int> grid = arguments.sizes(2), groups = arguments.sizes("groups", 2);
  HsummaForm f{grid[0], grid[1], groups[0], groups[1], arguments.number("M"), arguments.number("b")};
  f.cyclic = arguments.flag("cyclic");
  arguments.finish();
  Schedule s = hsumma(problem, f);
  const Int rounds = computations(s);
  return {std::move(s), {f.pr, f.pc, 1}, rounds};
}

struct Entry {
  std::string_view name;
  MadeAlgorithm (*make)(const GemmProblem&, std::string_view arguments);
};

// One a line, so that adding one is one line.
// clang-format off
constexpr std::array algorithms{
    Entry{"cosma", make_cosma},
    Entry{"summa", make_summa},
    Entry{"hsumma", make_hsumma},
    Entry{"cannon", make_cannon},
    Entry{"summa25d", make_summa25d},
    Entry{"agarwal3d", make_agarwal3d},
    Entry{"carma", make_carma},
};
// clang-format on

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string_view arguments_of(std::string_view spelling) {  // all but its first word
  return trim(trim(spelling).substr(algorithm_name(spelling).size()));
}

const Entry& find(std::string_view name) {
  for (const Entry& e : algorithms)
    if (e.name == name) return e;
  throw ArgumentError(
      fmt::format("algorithm: '{}' is unknown, expected one of {}", name, fmt::join(algorithm_names(), ", ")));
}

}  // namespace

std::string_view algorithm_name(std::string_view spelling) {
  spelling = trim(spelling);
  return spelling.substr(0, spelling.find(' '));
}

bool leaves_cuts_open(std::string_view spelling) {
  const std::string_view name = algorithm_name(spelling);
  if (!name.empty()) find(name);
  return name.size() == trim(spelling).size();
}

MadeAlgorithm make_algorithm(const GemmProblem& problem, std::string_view spelling) {
  return find(algorithm_name(spelling)).make(problem, arguments_of(spelling));
}

std::string spelled_alike(const std::string& spelling, Int rounds, const GemmProblem& problem) {
  if (algorithm_name(spelling) != "summa") return spelling;  // the widths of others stay as they are
  return print_summa(summa_alike(parse_summa(arguments_of(spelling)), rounds, problem));
}

std::vector<std::string_view> algorithm_names() {
  std::vector<std::string_view> names;
  for (const Entry& e : algorithms) names.push_back(e.name);
  return names;
}

}  // namespace cairn
