// What an algorithm registers that factorises or solves: as algorithm.hpp for products, by the type of its problem.
#pragma once
#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/factor_problem.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// A variant of an algorithm, and what is known of it before its schedule is made: enough to leave out the hopeless.
struct Sketch {
  std::string spelling{};
  std::array<Int, 3> grid{};  ///< rows and columns of ranks, layers
  Int b = 0;                  ///< size of a block
  double received = 0;        ///< words, mean over the ranks in use, leading terms
  double turns = 0;           ///< messages that wait for each other
  double alone = 0;           ///< flops of the busiest rank while those of other columns wait for what it makes
};

/// A registered algorithm for problems of type P.
template <class P>
struct AlgorithmFor {
  std::string_view name;
  /// From what follows the name in a spelling, "2x2 b=64"; throws ArgumentError.
  std::function<Schedule(const P&, std::string_view arguments)> make;
  /// Every variant worth a look, whether or not it fits into the memory.
  std::function<std::vector<Sketch>(const P&)> variants;
};

/// The same, of an algorithm whose variants are Forms.
template <class P, class Form>
struct TypedFor {
  std::string_view name;
  Form (*parse)(std::string_view arguments);
  std::string (*print)(const Form& form);  ///< the whole spelling
  Schedule (*make)(const P& problem, const Form& form);
  std::vector<Form> (*variants)(const P& problem);
  Sketch (*sketch)(const P& problem, const Form& form);  ///< the spelling is added

  operator AlgorithmFor<P>() const {
    return {name, [t = *this](const P& p, std::string_view text) { return t.make(p, t.parse(text)); },
            [t = *this](const P& p) {
              std::vector<Sketch> all;
              for (const Form& f : t.variants(p)) {
                all.push_back(t.sketch(p, f));
                all.back().spelling = t.print(f);
              }
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
/// Turns of a schedule that, for each block of a matrix of order n, sends so many panels down columns and one along
/// rows, by trees, and sums over the layers.
double turns(const GridAndBlock& form, Int n, int down);
/// All grids of as many ranks as there are with every number of layers up to the cube root and a few sizes of blocks,
/// for matrices of order n.
std::vector<GridAndBlock> grids_and_blocks(Int ranks, Int n);

}  // namespace cairn
