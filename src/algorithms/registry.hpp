// All algorithms by name, and the one-line spellings that people type.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "algorithms/triangular.hpp"

namespace cairn {

/// Every registered algorithm, in the order in which they are named and compared.
const std::vector<Algorithm>& algorithms();

/// The same of those that factorise, and that solve with a triangle.
const std::vector<AlgorithmFor<FactoriseProblem>>& factorisations();
const std::vector<AlgorithmFor<SolveProblem>>& solvers();

/// One more algorithm, as long as this lives: for programs, and tests, with an algorithm of their own. Plans must not
/// be made meanwhile.
class Registration {
 public:
  explicit Registration(Algorithm algorithm);
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  ~Registration();

 private:
  std::string_view name_;
};

/// "cosma pm2,pn2,pk2,sk4" on this problem. Throws ArgumentError for an unknown name, listing the known ones, for
/// arguments that are not the algorithm's, and for a grid larger than problem.ranks.
MadeAlgorithm make_algorithm(const GemmProblem& problem, std::string_view spelling);

/// "cholesky 4x4 b=64", "trsm 4x4x2 b=64" likewise.
Schedule make_algorithm(const FactoriseProblem& problem, std::string_view spelling);
Schedule make_algorithm(const SolveProblem& problem, std::string_view spelling);
/// Every variant worth a look, of the algorithm of this name, or of all that are compared where none is named. Throws
/// ArgumentError for an unknown name, listing the known ones.
std::vector<Sketch> variants(const FactoriseProblem& problem, std::string_view name = {});
std::vector<Sketch> variants(const SolveProblem& problem, std::string_view name = {});

/// The spelling for another problem that makes as many rounds there, where the algorithm's widths are free.
std::string spelled_alike(const std::string& spelling, Int rounds, const GemmProblem& problem);

std::vector<std::string_view> algorithm_names();
/// Throws ArgumentError for an unknown name, listing the known ones.
const Algorithm& algorithm_named(std::string_view name);

/// The first word of a spelling.
std::string_view algorithm_name(std::string_view spelling);
/// All others, without the blanks around them.
std::string_view arguments_of(std::string_view spelling);
/// Whether there are any.
bool has_arguments(std::string_view spelling);
/// Whether the spelling leaves the cuts to the planner: nothing, or a name alone.
bool leaves_cuts_open(std::string_view spelling);

}  // namespace cairn
