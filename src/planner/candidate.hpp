// Ways to multiply as the planner compares them before any schedule is made.
#pragma once
#include "algorithms/registry.hpp"

namespace cairn {

/// A variant of an algorithm with a look-ahead.
struct Candidate {
  std::size_t variant = 0;
  int look_ahead = 0;
  double seconds = 0;  ///< by the clock, at least
};

/// Variants of an algorithm that are compared with each other by their outlines: those in the algorithm's own layouts,
/// or those that leave one of the caller's matrices where it lies, of which outlines know too little to be compared
/// with others before the clock has read them.
struct Family {
  const Algorithm* algorithm = nullptr;
  char stays = 0;  ///< Outline::stays of all
  std::shared_ptr<const Variants> variants{};
  std::vector<Candidate> candidates{};

  std::string_view name() const { return algorithm->name; }
  const Outline& outline(const Candidate& c) const { return variants->outlines[c.variant]; }
  std::string spell(const Candidate& c) const { return variants->spell(c.variant); }
};

/// All candidates of an algorithm, in its families: first those that leave a matrix where it lies.
std::vector<Family> families(const Algorithm& algorithm, const Sought& sought);
/// The same family for something else that is sought.
Family family_for(const Family& family, const Sought& sought);

/// Seconds that no schedule with that outline undercuts by the clock.
double least_seconds(const Sought& sought, const Outline& outline);

}  // namespace cairn
