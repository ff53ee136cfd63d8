// The operations that are planned and simulated: their sizes, and what else tells one problem from another.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cairn/error.hpp"
#include "commands.hpp"

namespace cairn::app {

namespace {

/// An option that takes one of a few words. Throws ArgumentError that lists them.
template <class Value>
using Words = std::vector<std::pair<std::string, Value>>;

template <class Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Value& value, const Words<Value>& words,
                        const std::string& meaning) {
  std::vector<std::string> names;
  for (const auto& word : words) names.push_back(word.first);
  const auto understand = [&value, words, names, name](const std::string& text) {
    for (const auto& word : words)
      if (word.first == text) {
        value = word.second;
        return;
      }
    throw ArgumentError(fmt::format("{} '{}': expected {}", name, text, fmt::join(names, " or ")));
  };
  return command.add_option_function<std::string>(name, understand,
                                                  fmt::format("{}: {}", meaning, fmt::join(names, ", ")));
}

/// A subcommand, and the problem of type P that its arguments hold.
template <class P>
P& add(CLI::App& command, const char* name, const char* what, CLI::App*& added, std::shared_ptr<PlanningArguments>& a) {
  a = std::make_shared<PlanningArguments>();
  added = command.add_subcommand(name, what);
  return a->problem.emplace<P>();
}

void add_usual(CLI::App& added, Int& ranks, PlanningArguments& a, const char* example) {
  added.add_option("--ranks", ranks, "Number of ranks")->required();
  added.add_option("--type", a.type, "float32, float64, complex64 or complex128")->capture_default_str();
  add_planning_options(added, a, example);
}

}  // namespace

void add_triangle_option(CLI::App& command, Uplo& triangle, const std::string& meaning) {
  add_choice<Uplo>(command, "--uplo", triangle, {{"lower", Uplo::lower}, {"upper", Uplo::upper}}, meaning);
}

void add_operations(CLI::App& command, const AddOwn& add_own) {
  command.require_subcommand(1);
  CLI::App* added = nullptr;
  std::shared_ptr<PlanningArguments> a;

  auto& gemm = add<GemmProblem>(command, "gemm", "C = A·B with A M x K, B K x N, C M x N", added, a);
  added->add_option("M", gemm.m, "Rows of A and C")->required();
  added->add_option("N", gemm.n, "Columns of B and C")->required();
  added->add_option("K", gemm.k, "Columns of A, rows of B")->required();
  add_usual(*added, gemm.ranks, *a, "cosma pm2,pn2,pk2,sk4");
  add_idle_option(*added, *a);
  add_own(*added, a);

  auto& potrf = add<FactoriseProblem>(command, "potrf",
                                      "A = L·Lᴴ or Uᴴ·U with A N x N, Hermitian and positive definite", added, a);
  added->add_option("N", potrf.n, "Rows and columns of A")->required();
  add_triangle_option(*added, potrf.triangle, "Triangle of A that counts, else lower");
  add_usual(*added, potrf.ranks, *a, "cholesky 4x4x2 b=64");
  add_own(*added, a);

  auto& trsm = add<SolveProblem>(command, "trsm", "op(A)·X = B or X·op(A) = B with A triangular, B M x N", added, a);
  added->add_option("M", trsm.m, "Rows of B and X")->required();
  added->add_option("N", trsm.n, "Columns of B and X")->required();
  add_choice<Side>(*added, "--side", trsm.side, {{"left", Side::left}, {"right", Side::right}},
                   "Where A stands, else left");
  add_triangle_option(*added, trsm.triangle, "Triangle of A that counts, else lower");
  add_choice<Op>(*added, "--op", trsm.op, {{"N", Op::none}, {"T", Op::transpose}, {"C", Op::adjoint}},
                 "What is done to A, as in BLAS, else N");
  add_choice<Diag>(*added, "--diag", trsm.diag, {{"stored", Diag::stored}, {"unit", Diag::unit}},
                   "A's diagonal, else stored");
  add_usual(*added, trsm.ranks, *a, "trsm 4x4x2 b=64");
  add_own(*added, a);
}

}  // namespace cairn::app
