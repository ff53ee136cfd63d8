// What an algorithm registers: its name, how it is spelled and made, and which variants of it are worth trying.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/relabelling.hpp"
#include "cairn/problem.hpp"
#include "model/machine.hpp"

namespace cairn {

/// A schedule and how it cuts the m × n × k cuboid.
struct MadeAlgorithm {
  Schedule schedule;
  std::array<Int, 3> grid{1, 1, 1};  ///< parts among ranks of m, n, k
  Int rounds = 1;                    ///< parts one after another
  std::string cuts{};                ///< those that the algorithm chose, if its spelling does not say them
  bool held = false;                 ///< its grid is the caller's
  Relabelling relabelling{};         ///< of the ranks at its positions, where the planner asked for one
};

/// Sizes of a multiplication.
struct Dims {
  Int m = 0, n = 0, k = 0;
};

/// For what variants are wanted.
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

/// What is known of a variant before its schedule is made, so that most variants need none. A schedule takes 0.02 to
/// 0.4 ms to make and 0.02 to 40 ms to clock on 128 ranks, where SUMMA alone has 2,800 variants.
struct Outline {
  std::array<Int, 3> parts{1, 1, 1};  ///< of m, n, k among ranks
  char loop = 'k';                    ///< the dimension that rounds cut
  Int rounds = 1;
  Int busy = 1;           ///< of these, rounds in which a rank multiplies: k may have fewer indices than pieces
  char stays = 0;         ///< 'a', 'b' or 'c': that matrix stays where the caller holds it
  double received = 0;    ///< words, by the rank that receives most, for even pieces; about, where layers copy
  double messages = 0;    ///< that some rank receives at least
  Int own = 0;            ///< words of A, B and C that the fullest rank holds
  double memory = 0;      ///< words that it holds in all, at least
  bool thinnest = false;  ///< panels are one index wide and alike: those of a few owners tell of all
  // The time line of a rank, as far as it is known: its products together, and words that one of its ports must pass.
  std::array<Int, 3> product{};  ///< sizes in m, n, k
  double before_first = 0;       ///< before its first product can start
  double before_last = 0;        ///< before its last product can start
  double after_last = 0;         ///< after its last product
  double beside = 0;             ///< at any time, beside those

  Int ranks() const { return parts[0] * parts[1] * parts[2]; }
};

/// Variants of one algorithm, with their one-line spellings.
struct Variants {
  std::vector<Outline> outlines;
  std::function<std::string(std::size_t)> spell;
};

/// A registered algorithm.
struct Algorithm {
  std::string_view name;
  /// From what follows the name in a spelling, "2x2 b=256"; throws ArgumentError.
  std::function<MadeAlgorithm(const GemmProblem&, std::string_view arguments)> make;
  /// Every variant worth a look, whether or not it fits into the memory. None of COSMA, whose grids are searched.
  std::function<Variants(const Sought&)> variants;
  /// The spelling for another problem that makes as many rounds there; null where widths stay as they are.
  std::function<std::string(std::string_view arguments, Int rounds, const GemmProblem&)> alike{};
  bool compared = true;  ///< with the others where none is named
};

/// The same, of an algorithm whose variants are Forms.
template <class Form>
struct Typed {
  std::string_view name;
  Form (*parse)(std::string_view arguments);
  std::string (*print)(const Form& form);  ///< the whole spelling
  MadeAlgorithm (*make)(const GemmProblem& problem, const Form& form);
  std::vector<Form> (*variants)(const Sought& sought);
  Outline (*outline)(const Sought& sought, const Form& form);
  Form (*alike)(Form form, Int rounds, const GemmProblem& problem) = nullptr;
  bool compared = true;

  operator Algorithm() const {
    Algorithm all;
    all.name = name, all.compared = compared;
    all.make = [t = *this](const GemmProblem& p, std::string_view text) { return t.make(p, t.parse(text)); };
    all.variants = [t = *this](const Sought& sought) {
      auto forms = std::make_shared<const std::vector<Form>>(t.variants(sought));
      Variants v;
      v.outlines.reserve(forms->size());
      for (const Form& f : *forms) v.outlines.push_back(t.outline(sought, f));
      v.spell = [t, forms](std::size_t i) { return t.print((*forms)[i]); };
      return v;
    };
    if (alike)
      all.alike = [t = *this](std::string_view text, Int rounds, const GemmProblem& p) {
        return t.print(t.alike(t.parse(text), rounds, p));
      };
    return all;
  }
};

}  // namespace cairn
