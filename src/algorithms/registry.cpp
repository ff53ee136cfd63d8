#include "algorithms/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cairn/error.hpp"

// An algorithm is a name in one of these lists. Its file defines `Algorithm NAME_algorithm()`, or for triangles
// `AlgorithmFor<FactoriseProblem>` or `AlgorithmFor<SolveProblem>`.
#define CAIRN_ALGORITHMS(algorithm)                                                                              \
  algorithm(cosma) algorithm(summa) algorithm(hsumma) algorithm(cannon) algorithm(summa25d) algorithm(agarwal3d) \
      algorithm(carma) algorithm(fetch25d)
#define CAIRN_FACTORISATIONS(algorithm) algorithm(cholesky) algorithm(triangle) algorithm(cholesky25d)
#define CAIRN_SOLVERS(algorithm) algorithm(trsm) algorithm(trsm_lazy) algorithm(trsm25d)

namespace cairn {

#define CAIRN_DECLARED(name) Algorithm name##_algorithm();
CAIRN_ALGORITHMS(CAIRN_DECLARED)
#define CAIRN_DECLARED_FACTORISATION(name) AlgorithmFor<FactoriseProblem> name##_algorithm();
CAIRN_FACTORISATIONS(CAIRN_DECLARED_FACTORISATION)
#define CAIRN_DECLARED_SOLVER(name) AlgorithmFor<SolveProblem> name##_algorithm();
CAIRN_SOLVERS(CAIRN_DECLARED_SOLVER)

namespace {

std::vector<Algorithm>& registered() {
#define CAIRN_LISTED(name) name##_algorithm(),
  static std::vector<Algorithm> all{CAIRN_ALGORITHMS(CAIRN_LISTED)};
  return all;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

template <class All>
const auto& named(const All& all, std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& a : all) {
    if (a.name == name) return a;
    names.push_back(a.name);
  }
  throw ArgumentError(fmt::format("algorithm: '{}' is unknown, expected one of {}", name, fmt::join(names, ", ")));
}

template <class P>
std::vector<Sketch> variants_of(const std::vector<AlgorithmFor<P>>& known, const P& problem, std::string_view name) {
  if (const std::string_view trimmed = trim(name); !trimmed.empty()) return named(known, trimmed).variants(problem);
  std::vector<Sketch> all;
  for (const AlgorithmFor<P>& a : known)
    for (Sketch& s : a.compared ? a.variants(problem) : std::vector<Sketch>()) all.push_back(std::move(s));
  return all;
}

}  // namespace

const std::vector<Algorithm>& algorithms() { return registered(); }
const std::vector<AlgorithmFor<FactoriseProblem>>& factorisations() {
  static const std::vector<AlgorithmFor<FactoriseProblem>> all{CAIRN_FACTORISATIONS(CAIRN_LISTED)};
  return all;
}
const std::vector<AlgorithmFor<SolveProblem>>& solvers() {
  static const std::vector<AlgorithmFor<SolveProblem>> all{CAIRN_SOLVERS(CAIRN_LISTED)};
  return all;
}

Registration::Registration(Algorithm a) : name_(a.name) { registered().push_back(std::move(a)); }

Registration::~Registration() {
  std::erase_if(registered(), [this](const Algorithm& a) { return a.name == name_; });
}

const Algorithm& algorithm_named(std::string_view name) { return named(algorithms(), name); }

std::string_view algorithm_name(std::string_view spelling) {
  spelling = trim(spelling);
  return spelling.substr(0, spelling.find(' '));
}

std::string_view arguments_of(std::string_view spelling) {
  return trim(trim(spelling).substr(algorithm_name(spelling).size()));
}
bool has_arguments(std::string_view spelling) { return !arguments_of(spelling).empty(); }
bool leaves_cuts_open(std::string_view spelling) {
  if (const std::string_view name = algorithm_name(spelling); !name.empty()) algorithm_named(name);
  return !has_arguments(spelling);
}

MadeAlgorithm make_algorithm(const GemmProblem& problem, std::string_view spelling) {
  return algorithm_named(algorithm_name(spelling)).make(problem, arguments_of(spelling));
}

Schedule make_algorithm(const FactoriseProblem& problem, std::string_view spelling) {
  return named(factorisations(), algorithm_name(spelling)).make(problem, arguments_of(spelling));
}
Schedule make_algorithm(const SolveProblem& problem, std::string_view spelling) {
  return named(solvers(), algorithm_name(spelling)).make(problem, arguments_of(spelling));
}

std::vector<Sketch> variants(const FactoriseProblem& problem, std::string_view name) {
  return variants_of(factorisations(), problem, name);
}
std::vector<Sketch> variants(const SolveProblem& p, std::string_view name) { return variants_of(solvers(), p, name); }

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
