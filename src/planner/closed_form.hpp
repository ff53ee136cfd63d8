// What the closed forms of all algorithms are made of: grids worth a look, pieces, and least times.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "base/arithmetic.hpp"
#include "planner/candidate.hpp"

namespace cairn {

/// Pieces of an even cut: the longest, the shortest, and the one numbered `index`.
struct Pieces {
  Int size, parts;
  Int longest() const { return ceil_div(size, parts); }
  Int shortest() const { return size / parts; }
  Int at(Int index) const { return size / parts + (index < size % parts ? 1 : 0); }
};

/// pr × pc grids: for p ranks and for each half of that, down to the fewest, every number of rows worth a look and as
/// many columns as fit.
std::vector<std::array<Int, 2>> grids_2d(const Sought& sought);
/// The same in three dimensions.
std::vector<std::array<Int, 3>> grids_3d(const Sought& sought);

/// Depths of look-ahead worth a look for so many rounds.
std::vector<int> look_aheads(const Sought& sought, Int rounds);

/// The time line of a rank, as far as it is known in closed form: nothing is faster by the clock. Words and messages
/// are those that one of its ports must pass, in or out.
struct LeastTime {
  Int M = 0, N = 0, K = 0;  ///< its products together
  char cut = 'k';           ///< the dimension that the rounds cut
  Int rounds = 1;
  double words = 0, messages = 0;              ///< before the last product can start
  double first_words = 0, first_messages = 0;  ///< before the first product can start
  double last_words = 0, last_messages = 0;    ///< after the last product
  double last_share = 0;                       ///< of the products that the last round has at least
  double copied = 0;                           ///< words that come in beside those, at any time
  Int nearest = 1;                             ///< distance in ranks to the nearest that it exchanges with
  double steps = 0;                            ///< that it works through
};
double least_seconds(const Sought& sought, const LeastTime& t);

/// Words that the fullest rank holds in SUMMA with panels of that width, without look-ahead.
double summa_memory(const Sought& sought, const std::array<Int, 2>& grid, char stays, Int width);
/// The widest panels that fit into the memory, at least 1.
Int width_that_fits(const Sought& sought, const std::array<Int, 2>& grid, char stays);
/// The same in thin panels, a few for each of the ranks that own them; nothing if that is not shorter.
std::optional<Shortened> shorten(const Sought& sought, const std::array<Int, 2>& grid, char stays, int look_ahead);
/// SUMMA on that grid with that matrix staying, 'a', 'b' or 'c', and panels of b: one candidate for each look-ahead.
void add_summa(const Sought& sought, const std::array<Int, 2>& grid, char stays, Int b,
               std::vector<Candidate>& candidates);

}  // namespace cairn
