// Ways to multiply as the planner compares them: by closed forms, before any schedule is made.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/machine.hpp"
#include "planner/cosma_cost.hpp"

namespace cairn {

/// One algorithm with its parameters.
struct Candidate {
  std::array<Int, 6> numbers{};  ///< parameters, known to the family
  Int ranks = 1;
  int look_ahead = 0;
  double received =
      0;  ///< words, by the rank that receives most, for even pieces; about, where layers copy or pieces wrap
  double messages = 0;  ///< that some rank receives at least
  double memory = 0;    ///< words that the fullest rank holds at least
  double seconds = 0;   ///< by the clock, at least
};

/// What is wanted of a candidate.
struct Sought {
  Dims dims;
  Int ranks = 1;   ///< at most
  Int fewest = 1;  ///< ranks at least
  ScalarType type = ScalarType::float64;
  std::optional<Int> memory_words;
  std::optional<int> look_ahead;
  const Machine& machine;
  const GemmProblem* problem = nullptr;  ///< with the caller's layouts, if there are any
};

/// A product with fewer panels, in which a rank holds as much beside its own parts of A, B and C as in the whole one.
struct Shortened {
  Dims dims;
  Int own = 0;  ///< words of its own parts in the whole one, on the fullest rank
};

/// An algorithm whose parameters the planner tries. COSMA is not one: its grids are searched (search_cosma).
struct Family {
  std::string_view name;
  /// Every choice worth a look, whether or not it fits into the memory.
  std::vector<Candidate> (*candidates)(const Sought& sought);
  /// Its one-line spelling.
  std::string (*spell)(const Candidate& candidate);
  /// Where panels are one index wide, and alike; may be null.
  std::optional<Shortened> (*shorten)(const Sought& sought, const Candidate& candidate) = nullptr;
  /// What is redistributed from and to the caller's layouts is part of its seconds.
  bool prices_layouts = false;
};

std::vector<Candidate> candidates_agarwal3d(const Sought& sought);
std::string spell_agarwal3d(const Candidate& candidate);
std::vector<Candidate> candidates_cannon(const Sought& sought);
std::string spell_cannon(const Candidate& candidate);
std::vector<Candidate> candidates_carma(const Sought& sought);
std::string spell_carma(const Candidate& candidate);
/// The same with COSMA's name: its cuts, one after another.
std::string spell_halvings(const Candidate& candidate);
/// SUMMA where the caller's matrices lie, with that one staying; spell_summa spells it. None where that is not
/// possible.
template <char stays>
std::vector<Candidate> candidates_held(const Sought& sought);
std::vector<Candidate> candidates_hsumma(const Sought& sought);
std::string spell_hsumma(const Candidate& candidate);
std::optional<Shortened> shorten_hsumma(const Sought& sought, const Candidate& candidate);
std::vector<Candidate> candidates_summa(const Sought& sought);
std::string spell_summa(const Candidate& candidate);
std::optional<Shortened> shorten_summa(const Sought& sought, const Candidate& candidate);
std::vector<Candidate> candidates_summa25d(const Sought& sought);
std::string spell_summa25d(const Candidate& candidate);
std::optional<Shortened> shorten_summa25d(const Sought& sought, const Candidate& candidate);

/// All families, in the order of the registry.
const std::vector<Family>& families();
/// SUMMA where the caller's matrices lie, one for each that may stay: their closed forms know too little of each
/// other's redistributions to be compared before the clock has read them.
const std::vector<Family>& families_on_callers_layouts();

}  // namespace cairn
