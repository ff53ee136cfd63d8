#include "planner/problem_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/problem.hpp"
#include "planner/dealt_panels.hpp"
#include "planner/page.hpp"

namespace cairn {

namespace {

struct Formula {
  std::string operator()(const GemmProblem& p) const {
    return fmt::format("C = A{}·B{}: {} x {} x {} (m x n x k)", mark(p.op_a), mark(p.op_b), p.m, p.n, p.k);
  }
  std::string operator()(const FactoriseProblem& p) const {
    return fmt::format("A = {}: {} x {}", p.triangle == Uplo::upper ? "Uᴴ·U" : "L·Lᴴ", p.n, p.n);
  }
  std::string operator()(const SolveProblem& p) const {
    const char* const letter = p.triangle == Uplo::upper ? "U" : "L";
    const std::string triangle = fmt::format("{}{}", letter, mark(p.op));
    return fmt::format("{} = B: {} {} x {}{}, X {} x {}", p.side == Side::left ? triangle + "·X" : "X·" + triangle,
                       letter, p.order(), p.order(), p.diag == Diag::unit ? " with ones on its diagonal" : "", p.m,
                       p.n);
  }
  std::string operator()(const BlockProblem& p) const {
    const auto percent = [](double share) { return fmt::format("{:.4g} %", 100 * share); };
    return fmt::format("C = A·B: {} x {} x {} (m x n x k) in blocks, A {}, B {}, C {}", text(p.m), text(p.n), text(p.k),
                       percent(p.occupancy_a), percent(p.occupancy_b), percent(expected_occupancy(p)));
  }
  static std::string text(const BlockDim& d) {
    return d.total ? fmt::format("{} in {}", *d.total, d.blocks) : fmt::format("{}·{}", d.blocks, d.size);
  }
};

struct AsJson {
  using Json = nlohmann::ordered_json;
  Json operator()(const GemmProblem& p) const { return {{"m", p.m}, {"n", p.n}, {"k", p.k}}; }
  Json operator()(const FactoriseProblem& p) const {
    return {{"operation", "potrf"}, {"n", p.n}, {"uplo", name_of(p.triangle)}};
  }
  Json operator()(const SolveProblem& p) const {
    return {{"operation", "trsm"},
            {"m", p.m},
            {"n", p.n},
            {"side", name_of(p.side)},
            {"uplo", name_of(p.triangle)},
            {"op", name_of(p.op)},
            {"diag", name_of(p.diag)}};
  }
  Json operator()(const BlockProblem& p) const {
    const auto dim = [](const BlockDim& d) {
      return Json{{"blocks", d.blocks}, {"size", d.size}, {"elements", d.elements()}};
    };
    return {{"operation", "spgemm"},
            {"m", dim(p.m)},
            {"n", dim(p.n)},
            {"k", dim(p.k)},
            {"occupancy_a", p.occupancy_a},
            {"occupancy_b", p.occupancy_b},
            {"occupancy_c", expected_occupancy(p)},
            {"filtered", p.filtered},
            {"seed", p.seed ? Json(*p.seed) : Json()}};
  }
};

}  // namespace

std::string_view mark(Op op) {
  constexpr std::string_view marks[] = {"", "ᵀ", "ᴴ"};
  return marks[static_cast<std::size_t>(op)];
}

std::string formula(const AnyProblem& problem) { return std::visit(Formula{}, problem); }

std::string too_large(const GemmProblem& p, std::string_view what) {
  return fmt::format("{} x {} x {} on {}: {} than a 64-bit integer counts", p.m, p.n, p.k, ranks_text(p.ranks), what);
}

std::string words_text(Int words) { return fmt::format("{} {}", words, words == 1 ? "word" : "words"); }

std::string too_few_words(Int words, std::string_view what, Int least) {
  return fmt::format("memory: {} a rank {} too few for {}, expected at least {}", words_text(words),
                     words == 1 ? "is" : "are", what, least);
}

nlohmann::ordered_json json_of(const AnyProblem& problem) {
  nlohmann::ordered_json json = std::visit(AsJson{}, problem);
  json["ranks"] = ranks_of(problem);
  json["type"] = name_of(type_of(problem));
  return json;
}

}  // namespace cairn
