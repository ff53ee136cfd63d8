// What is asked of every algorithm: the words that its ranks receive, and what it says to a wrong spelling.
#pragma once
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "algorithms/registry.hpp"
#include "interpret/count.hpp"
#include "problem.hpp"
#include "refusal.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn::testing {

/// Every rank receives `words(rank)`.
template <class F>
void expect_received(const Schedule& s, F words) {
  const Schedule wire = expand_collectives(s);
  for (Int r = 0; r < s.ranks; ++r) EXPECT_EQ(count(s, wire, r).received, words(r)) << s.algorithm << " rank " << r;
}

/// "name PRxPCxL rest", of numbers.
inline Schedule made(const GemmProblem& p, std::string_view name, std::initializer_list<Int> grid,
                     std::string_view rest = "") {
  std::string spelling(name), before = " ";
  for (Int parts : grid) spelling += std::exchange(before, "x") + std::to_string(parts);
  return make_algorithm(p, spelling.append(rest)).schedule;
}

/// Largest of each figure over all ranks.
inline Count most(const Schedule& s) { return count_all(s, expand_collectives(s)).max; }
inline Count most(const GemmProblem& p, const std::string& spelling) {
  return most(make_algorithm(p, spelling).schedule);
}

/// What make_algorithm() says to a spelling.
inline std::string refusal_of(const GemmProblem& p, const std::string& spelling) {
  return refusal([&] { make_algorithm(p, spelling); });
}

/// Every spelling is refused with a message that names why, and shows the example.
inline void expect_refusals(const GemmProblem& p, const std::string& example,
                            std::initializer_list<std::pair<const char*, const char*>> spelling_and_why) {
  for (auto [spelling, why] : spelling_and_why) {
    const std::string what = refusal_of(p, spelling);
    EXPECT_NE(what.find(why), what.npos) << spelling << ": " << what;
    EXPECT_NE(what.find("as in " + example), what.npos) << spelling << ": " << what;
  }
}

}  // namespace cairn::testing
