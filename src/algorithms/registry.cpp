#include "algorithms/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "algorithms/cosma.hpp"
#include "cairn/error.hpp"

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

struct Entry {
  std::string_view name;
  MadeAlgorithm (*make)(const GemmProblem&, std::string_view arguments);
};

constexpr std::array algorithms{
    Entry{"cosma", make_cosma},
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
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
  const std::string_view name = algorithm_name(spelling);
  return find(name).make(problem, trim(trim(spelling).substr(name.size())));
}

std::vector<std::string_view> algorithm_names() {
  std::vector<std::string_view> names;
  for (const Entry& e : algorithms) names.push_back(e.name);
  return names;
}

}  // namespace cairn
