// What a plan or a simulation is of, for its page and its JSON.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cairn/any_problem.hpp"

namespace cairn {

/// "", "ᵀ" or "ᴴ"
std::string_view mark(Op op);

/// "C = A·B: 64 x 64 x 32 (m x n x k)", "A = L·Lᴴ: 64 x 64", "Lᴴ·X = B: L 64 x 64, X 64 x 8",
/// "C = A·B: 100·23 x 100·23 x 100·23 (m x n x k) in blocks, A 10 %, B 10 %, C 63 %"
std::string formula(const AnyProblem& problem);

/// "64 x 64 x 32 on 4 ranks: more words than a 64-bit integer counts"
std::string too_large(const GemmProblem& problem, std::string_view what);

/// "1 word", "64 words"
std::string words_text(Int words);

/// "memory: 64 words a rank are too few for any plan, expected at least 96"
std::string too_few_words(Int words, std::string_view what, Int least);

/// Sizes, ranks, element type, and what tells one operation from another.
nlohmann::ordered_json json_of(const AnyProblem& problem);

}  // namespace cairn
