// The operations that are planned and simulated: their sizes, and what else tells one problem from another.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "cairn/error.hpp"
#include "commands.hpp"
#include "number_checks.hpp"

namespace cairn::app {

namespace {

template <class Value>
using Words = std::vector<std::pair<std::string, Value>>;

/// An option that takes one of a few words. Throws ArgumentError that lists them.
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

/// A subcommand whose arguments hold a problem of type P; add_options(subcommand, problem, arguments) adds what tells
/// one problem from another.
template <class P, class AddOptions>
void add(CLI::App& command, const char* name, const char* what, const AddOwn& add_own, const AddOptions& add_options) {
  const auto a = std::make_shared<PlanningArguments>();
  CLI::App* added = command.add_subcommand(name, what);
  add_options(*added, a->problem.emplace<P>(), *a);
  add_own(*added, a);
}

void add_ranks_and_type(CLI::App& added, Int& ranks, PlanningArguments& a) {
  added.add_option("--ranks", ranks, "Number of ranks")->required()->transform(number<Int>());
  added.add_option("--type", a.type, "float32, float64, complex64 or complex128")->capture_default_str();
}

void add_usual(CLI::App& added, Int& ranks, PlanningArguments& a, const char* example) {
  add_ranks_and_type(added, ranks, a);
  add_planning_options(added, a, example, "generic", "the machine's own");
  add_schedule_options(added, a);
}

std::vector<std::string_view> parts(std::string_view text) {
  std::vector<std::string_view> all;
  for (std::size_t comma; (comma = text.find(',')) != text.npos; text.remove_prefix(comma + 1))
    all.push_back(text.substr(0, comma));
  all.push_back(text);
  return all;
}

// "6912x23", or m, n and k.
void read_blocks(const std::string& text, BlockProblem& p) {
  const std::vector<std::string_view> all = parts(text);
  std::vector<BlockDim> dims;
  for (std::string_view part : all) {
    const std::size_t x = part.find('x');
    BlockDim& d = dims.emplace_back();
    if (x == part.npos || !read_number(part.substr(0, x), d.blocks) || !read_number(part.substr(x + 1), d.size))
      dims.clear();
    if (dims.empty()) break;
  }
  if (dims.size() != 1 && dims.size() != 3)
    throw ArgumentError(fmt::format(
        "--blocks '{}': expected blocks and their size, as 6912x23, or those of m, n and k, as 100x23,50x6,80x13",
        text));
  p.m = dims.front(), p.n = dims[dims.size() / 2], p.k = dims.back();
}

double share(const std::string& option, const std::string& text, std::string_view part) {
  double x = -1;
  if (!read_number(part, x) || !(x >= 0 && x <= 1))
    throw ArgumentError(fmt::format("{} '{}': expected a share of blocks, 0 to 1", option, text));
  return x;
}

void read_occupancy(const std::string& text, BlockProblem& p) {
  const std::vector<std::string_view> all = parts(text);
  if (all.size() > 2)
    throw ArgumentError(fmt::format("--occupancy '{}': expected one of A and B, or two, as 0.1,0.05", text));
  p.occupancy_a = share("--occupancy", text, all.front()), p.occupancy_b = share("--occupancy", text, all.back());
}

void read_seed(const std::string& text, BlockProblem& p) {
  if (!read_number(text, p.seed.emplace()))
    throw ArgumentError(fmt::format("--seed '{}': expected a whole number, 0 to 2^64 - 1", text));
}

void add_spgemm_options(CLI::App& added, BlockProblem& spgemm, PlanningArguments& a) {
  added
      .add_option_function<std::string>(
          "--blocks", [&spgemm](const std::string& text) { read_blocks(text, spgemm); },
          "Block rows and columns of square matrices and their size, 6912x23; or those of m, n and k, "
          "100x23,50x6,80x13")
      ->required();
  added
      .add_option_function<std::string>(
          "--occupancy", [&spgemm](const std::string& text) { read_occupancy(text, spgemm); },
          "Share of the blocks that are there, of A and B, 0.1, or each, 0.1,0.05")
      ->required();
  added.add_option_function<std::string>(
      "--occupancy-c", [&spgemm](const std::string& text) { spgemm.occupancy_c = share("--occupancy-c", text, text); },
      "Share of the blocks of C that are computed, before small ones are dropped; else as random patterns lead to");
  added.add_flag("--filtered", spgemm.filtered, "Products of small blocks are left out: indices say a little more");
  added.add_option_function<std::string>(
      "--seed", [&spgemm](const std::string& text) { read_seed(text, spgemm); },
      "Panels as large as in random patterns of this seed, instead of as expected");
  add_ranks_and_type(added, spgemm.ranks, a);
  add_planning_options(added, a, "fetch25d 20x20 layers=2x2", "generic", "the machine's own");
}

}  // namespace

void add_triangle_option(CLI::App& command, Uplo& triangle, const std::string& meaning) {
  add_choice<Uplo>(command, "--uplo", triangle, {{"lower", Uplo::lower}, {"upper", Uplo::upper}}, meaning);
}

void add_operations(CLI::App& command, const AddOwn& add_own) {
  command.require_subcommand(1);
  const auto add_gemm = [](CLI::App& added, GemmProblem& gemm, PlanningArguments& a) {
    added.add_option("M", gemm.m, "Rows of A and C")->required()->transform(number<Int>());
    added.add_option("N", gemm.n, "Columns of B and C")->required()->transform(number<Int>());
    added.add_option("K", gemm.k, "Columns of A, rows of B")->required()->transform(number<Int>());
    add_usual(added, gemm.ranks, a, "cosma pm2,pn2,pk2,sk4");
  };
  const auto add_potrf = [](CLI::App& added, FactoriseProblem& potrf, PlanningArguments& a) {
    added.add_option("N", potrf.n, "Rows and columns of A")->required()->transform(number<Int>());
    add_triangle_option(added, potrf.triangle, "Triangle of A that counts, else lower");
    add_usual(added, potrf.ranks, a, "cholesky 4x4x2 b=64");
  };
  const auto add_trsm = [](CLI::App& added, SolveProblem& trsm, PlanningArguments& a) {
    added.add_option("M", trsm.m, "Rows of B and X")->required()->transform(number<Int>());
    added.add_option("N", trsm.n, "Columns of B and X")->required()->transform(number<Int>());
    add_choice<Side>(added, "--side", trsm.side, {{"left", Side::left}, {"right", Side::right}},
                     "Where A stands, else left");
    add_triangle_option(added, trsm.triangle, "Triangle of A that counts, else lower");
    add_choice<Op>(added, "--op", trsm.op, {{"N", Op::none}, {"T", Op::transpose}, {"C", Op::adjoint}},
                   "What is done to A, as in BLAS, else N");
    add_choice<Diag>(added, "--diag", trsm.diag, {{"stored", Diag::stored}, {"unit", Diag::unit}},
                     "A's diagonal, else stored");
    add_usual(added, trsm.ranks, a, "trsm 4x4x2 b=64");
  };
  add<GemmProblem>(command, "gemm", "C = A·B with A M x K, B K x N, C M x N", add_own, add_gemm);
  add<FactoriseProblem>(command, "potrf", "A = L·Lᴴ or Uᴴ·U with A N x N, Hermitian and positive definite", add_own,
                        add_potrf);
  add<SolveProblem>(command, "trsm", "op(A)·X = B or X·op(A) = B with A triangular, B M x N", add_own, add_trsm);
  add<BlockProblem>(command, "spgemm", "C = A·B with block-sparse matrices, blocks dealt over the ranks", add_own,
                    add_spgemm_options);
}

}  // namespace cairn::app
