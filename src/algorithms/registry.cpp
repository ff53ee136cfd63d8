#include "algorithms/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cairn/error.hpp"

// One line an algorithm: its file defines `Algorithm NAME_algorithm()`.
#define CAIRN_ALGORITHMS(algorithm)                                                                              \
  algorithm(cosma) algorithm(summa) algorithm(hsumma) algorithm(cannon) algorithm(summa25d) algorithm(agarwal3d) \
      algorithm(carma)

namespace cairn {

#define CAIRN_DECLARED(name) Algorithm name##_algorithm();
CAIRN_ALGORITHMS(CAIRN_DECLARED)

namespace {

std::vector<Algorithm>& registered() {
#define CAIRN_LISTED(name) name##_algorithm(),
  static std::vector<Algorithm> all{CAIRN_ALGORITHMS(CAIRN_LISTED)};
  return all;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string_view arguments_of(std::string_view spelling) {  // all but its first word
  return trim(trim(spelling).substr(algorithm_name(spelling).size()));
}

}  // namespace

const std::vector<Algorithm>& algorithms() { return registered(); }

Registration::Registration(Algorithm algorithm) : name_(algorithm.name) {
  registered().push_back(std::move(algorithm));
}

Registration::~Registration() {
  std::erase_if(registered(), [this](const Algorithm& a) { return a.name == name_; });
}

const Algorithm& algorithm_named(std::string_view name) {
  for (const Algorithm& a : algorithms())
    if (a.name == name) return a;
  throw ArgumentError(
      fmt::format("algorithm: '{}' is unknown, expected one of {}", name, fmt::join(algorithm_names(), ", ")));
}

std::string_view algorithm_name(std::string_view spelling) {
  spelling = trim(spelling);
  return spelling.substr(0, spelling.find(' '));
}

bool leaves_cuts_open(std::string_view spelling) {
  const std::string_view name = algorithm_name(spelling);
  if (!name.empty()) algorithm_named(name);
  return name.size() == trim(spelling).size();
}

MadeAlgorithm make_algorithm(const GemmProblem& problem, std::string_view spelling) {
  return algorithm_named(algorithm_name(spelling)).make(problem, arguments_of(spelling));
}

std::string spelled_alike(const std::string& spelling, Int rounds, const GemmProblem& problem) {
  const Algorithm& a = algorithm_named(algorithm_name(spelling));
  return a.alike ? a.alike(arguments_of(spelling), rounds, problem) : spelling;
}

std::vector<std::string_view> algorithm_names() {
  std::vector<std::string_view> names;
  for (const Algorithm& a : algorithms()) names.push_back(a.name);
  return names;
}

}  // namespace cairn
