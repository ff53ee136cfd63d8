// What an algorithm registers that factorises or solves: as algorithm.hpp for products, by the type of its problem.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/grids_and_blocks.hpp"
#include "cairn/factor_problem.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// What travels along the columns of ranks, along their rows, or over layers.
struct Road {
  Int span = 1;         ///< every such line lies among so many consecutive ranks
  double received = 0;  ///< words in all, mean over the ranks in use, leading terms
  // Of the chain of panels, each of which needs the one before:
  double turns = 0;  ///< messages that wait for each other
  double words = 0;  ///< that they bring
};

/// A variant of an algorithm, and what is known of it before its schedule is made: enough to leave out the hopeless.
struct Sketch {
  std::string spelling{};
  std::array<Int, 3> grid{};  ///< rows and columns of ranks, layers
  Int b = 0;                  ///< size of a block
  Road down{}, across{}, up{};
  double busiest = 1;         ///< words that the busiest rank receives, over the mean, about
  double brought = 0;         ///< words from and to the caller's layouts, mean over the ranks in use
  double held = 0;            ///< words that some rank holds, no more than it does: own parts, sums, a first panel
  double rows = 0, cols = 0;  ///< of the result, on the rank that has most of it
  double share = 1;           ///< of all flops, which that rank has
  double flops = 0;           ///< of the ranks that make panels, while those of other columns wait
  bool overlapping = false;   ///< whether in its own layout ranks share some elements (Layout::overlapping)
  bool one_source = true;     ///< whether a panel goes down each column from one rank, or in parts from several
  bool hidden = true;  ///< whether products of earlier panels go on meanwhile, and do not wait for sums over layers
  Int ranks() const { return grid[0] * grid[1] * grid[2]; }
  double received() const { return down.received + across.received + up.received + brought; }
  double most_received() const { return busiest * received(); }
};

/// A registered algorithm for problems of type P.
template <class P>
struct AlgorithmFor {
  std::string_view name;
  /// From what follows the name in a spelling, "2x2 b=64"; throws ArgumentError.
  std::function<Schedule(const P&, std::string_view arguments)> make;
  /// Every variant worth a look, whether or not it fits into the memory.
  std::function<std::vector<Sketch>(const P&)> variants;
  bool compared = true;  ///< with the others where none is named
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
  bool compared = true;

  operator AlgorithmFor<P>() const {
    return {name, [t = *this](const P& p, std::string_view text) { return t.make(p, t.parse(text)); },
            [t = *this](const P& p) {
              std::vector<Sketch> all;
              for (const Form& f : t.variants(p)) all.push_back(t.sketch(p, f)), all.back().spelling = t.print(f);
              return all;
            },
            compared};
  }
};

/// What sketches are made of: a block-cyclic matrix of order n as the algorithm sees it, rows and columns of ranks
/// having traded places where all is turned.
struct Panels {
  bool turned;
  double n, pr, pc, layers, b;
  double rows_b;  ///< size of a block of the result's rows, b or more
  Panels(const GridAndBlock& form, Int n, bool turned);
  double ranks() const { return pr * pc * layers; }
  /// Of a result of m × n, without figures of what travels.
  Sketch sketch(double m) const;
  /// Words in all; messages and words of one panel.
  Road down(double received, double turns, double words) const;
  Road across(double received, double turns, double words) const;
  Road up(double received, double turns, double words) const;
  /// The least and the most that a rank holds of so many rows, or columns, dealt over so many.
  double least(double extent, double over) const { return least_of(extent, over, b); }
  double most(double extent, double over) const { return most_of(extent, over, b); }
  double least_rows(double m) const { return least_of(m, pr, rows_b); }
  double most_rows(double m) const { return most_of(m, pr, rows_b); }
  /// What some rank holds at least, the first or the last, of an m × n matrix, its sums, an operand of order n, if
  /// there is one, and the first panels to travel, one with so many rows and one as long as what is left.
  double held(double m, double rows, bool operand) const;
  double blocks() const { return n / b; }
  /// Turns of a tree over so many ranks, and how often all of a long message must pass, however it is sent.
  static double depth(double ranks) { return std::ceil(std::log2(ranks)); }
  static double passes(double ranks, double most = 2) { return std::min(depth(ranks), most); }

 private:
  static double least_of(double extent, double over, double block) {
    return block * std::floor(extent / (block * over));
  }
  static double most_of(double extent, double over, double block) {
    const double least = least_of(extent, over, block);
    return least + std::min(block, extent - over * least);
  }
};
/// Mean words of a rank where what the caller holds is brought to the form's layout, and back if there are two trips.
/// `transposed`: the form deals columns as rows, and rows as columns.
double brought(const std::optional<Layout>& held, Uplo shape, GridAndBlock form, int trips, bool transposed = false);

}  // namespace cairn
