// What an algorithm registers that factorises or solves: as algorithm.hpp for products, by the type of its problem.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/factor_problem.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// A registered algorithm for problems of type P.
template <class P>
struct AlgorithmFor {
  std::string_view name;
  /// From what follows the name in a spelling, "2x2 b=64"; throws ArgumentError.
  std::function<Schedule(const P&, std::string_view arguments)> make;
  /// Spellings of every variant worth a look, whether or not it fits into the memory.
  std::function<std::vector<std::string>(const P&)> variants;
};

/// The same, of an algorithm whose variants are Forms.
template <class P, class Form>
struct TypedFor {
  std::string_view name;
  Form (*parse)(std::string_view arguments);
  std::string (*print)(const Form& form);  ///< the whole spelling
  Schedule (*make)(const P& problem, const Form& form);
  std::vector<Form> (*variants)(const P& problem);

  operator AlgorithmFor<P>() const {
    return {name, [t = *this](const P& p, std::string_view text) { return t.make(p, t.parse(text)); },
            [t = *this](const P& p) {
              std::vector<std::string> all;
              for (const Form& f : t.variants(p)) all.push_back(t.print(f));
              return all;
            }};
  }
};

/// The form that block-cyclic algorithms share: pr × pc ranks in one layer or in several, and the size of a block.
struct GridAndBlock {
  Int pr, pc, layers, b;
};
std::string print(std::string_view name, const GridAndBlock& form);
/// "4x4 b=64" or "4x4x2 b=64"; `example` is a whole spelling.
GridAndBlock parse_grid_and_block(std::string_view arguments, std::string_view example);
/// All grids of as many ranks as there are with every number of layers up to the cube root and a few sizes of blocks,
/// for matrices of order n.
std::vector<GridAndBlock> grids_and_blocks(Int ranks, Int n);

}  // namespace cairn
