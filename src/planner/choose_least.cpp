// Where no plan fits into the memory: how much would do.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "planner/choose.hpp"
#include "planner/limits.hpp"
#include "planner/memory_of.hpp"

namespace cairn {

// The smallest of those that the closed forms take for the smallest, in panels as thin as can be.
Chooser::Least Chooser::least(const Family& family) const {
  Sought thin = sought_;
  thin.memory_words = 0;
  Family all = family_for(family, thin);
  std::ranges::stable_sort(all.candidates, {},
                           [&](const Candidate& c) { return std::pair(all.outline(c).memory, c.look_ahead); });
  Least least{std::numeric_limits<Int>::max(), {}};
  for (std::size_t i = 0; i < std::min(limits.made, all.candidates.size()); ++i) {
    const Candidate& c = all.candidates[i];
    if (all.outline(c).memory >= real(least.words)) break;
    if (const Int words = memory_of(drafts_, sought_, all, c); words < least.words) least = {words, c, all};
  }
  return least;
}

void Chooser::refuse_memory(Int needed, std::string_view what) const {
  throw MemoryError(fmt::format("memory: {} words a rank are too few for {}, expected at least {}",
                                *options_.memory_words, what, needed));
}

void Chooser::refuse(const std::vector<Entrant>& entrants) const {
  std::optional<Int> words;
  for (const Entrant& e : entrants) {
    if (!e.needs || (words && *e.needs >= *words)) continue;
    const Int needed = e.family.algorithm ? least(e.family).words : *e.needs;
    words = std::min(needed, words.value_or(needed));
  }
  if (!words)
    throw ArgumentError(fmt::format("{}: no grid of {} to {} ranks fits, expected other sizes or more idle ranks",
                                    options_.algorithm, sought_.fewest, problem_.ranks));
  refuse_memory(*words, entrants.size() == 1 ? fmt::format("any plan of {}", entrants.front().name) : "any plan");
}

}  // namespace cairn
