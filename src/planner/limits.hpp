// How far the planner looks: thresholds that decide between planning time and the plan, but for those that only one
// algorithm, or one closed form, knows.
#pragma once
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cairn/types.hpp"

namespace cairn {

struct Limits {
  // --- Which plans are compared
  Int compared_ranks = 4096;  ///< beyond, only COSMA is planned, unless another is named; no redistribution is compared
  Int counted_ranks = 64;     ///< beyond, schedules are not counted by the dozen, and losers only at corners
  Int placed_ranks = 16;      ///< the same of losers on the caller's layouts
  double compared_work = 3e4;   ///< steps of all ranks in a schedule that is clocked merely to compare, as outlined; in
                                ///< all of a factorisation or solve together, as long as every one is
  double compared_steps = 5e5;  ///< the same once collectives are expanded
  double least_work = 4e3;    ///< rounds of all ranks in a plan that is counted merely to tell how much memory would do
  double least_slack = 0.01;  ///< share of it that may be told too much, where fewer rounds need no more
  int lowered_to_the_word = 8;  ///< times that COSMA's limit is lowered by what its best plan needs too much
  double lowered = 1.0 / 32;    ///< after that, by this share of it at least
  std::size_t made = 4;         ///< schedules made of one family; counted merely to tell, if each takes long
  std::size_t clocked = 3;  ///< of these clocked on up to placed_ranks; one fewer up to counted_ranks, and if balanced
  std::size_t clocked_on_many = 1;   ///< beyond
  std::size_t clocked_named = 6;     ///< of a family that is asked for by its name, without layouts and limits
  std::size_t few = 16;              ///< variants all of which are clocked that can win; counted merely to tell
  std::size_t clocked_by_words = 4;  ///< where words decide, on the caller's layouts
  std::size_t priced = 4;            ///< candidates of a family whose redistribution is estimated

  // --- COSMA's search
  Int searched_ranks = 64;        ///< beyond, rounds of m and n, and those shared all together, are not searched,
                                  ///< nor mirror images of grids where m = n
  std::size_t grids = 96;         ///< found without overlap, of any ranks and of all
  std::size_t grids_tried = 48;   ///< of these, not within a better one: rounds are tried in closed form
  std::size_t clocked_grids = 8;  ///< whose best rounds are clocked
  std::size_t climbed_grids = 3;  ///< from which the clock goes to more and fewer rounds
  double cosma_steps = 5e5;      ///< of one rank, about, in schedules that were clocked, beyond which it does not go on
  double worth = 0.004;          ///< share of the time by which other rounds must be faster to go on
  double near = 1.1;             ///< times the best promise: grids and loops that are clocked
  std::size_t finalists = 4;     ///< grids that get their order of axes, rounds and look-ahead
  std::size_t grids_placed = 6;  ///< grids of which redistributions are compared
  Int words_counted = 1024;      ///< ranks times grids that are counted where words decide on the caller's layouts
  Int most_grids_counted = 64;   ///< and grids at most
  std::size_t grids_counted_on_many = 2;
  int dense_rounds = 16;         ///< numbers of rounds of which every one is tried
  int dense_rounds_clocked = 6;  ///< the same where the clock goes on from the best
  int all_rounds = 32;           ///< tried in all, a quarter more each time
  double as_good = 1.01;  ///< times the best: even rounds are clocked first; where plans are balanced, rounds with
                          ///< fewer words may be preferred

  // --- Factorisations and solves with triangles
  Int triangle_ranks = 1000000;  ///< at most: on so many, listing all grids takes a second
  std::size_t sketched = 9;      ///< variants that are clocked, of those that promise most; more while all are short
  std::size_t sketched_for_words = 48;  ///< variants whose words are counted, where these decide
  double sketched_work = 1.5e6;         ///< steps of all ranks in schedules, beyond which no more are made
  std::size_t replayed_plans = 4;       ///< of these that the replay tells apart, the best by the clock
  std::ptrdiff_t replayed_alike = 2;    ///< of one algorithm on one grid
  double as_hopeful = 1.2;              ///< times what the clock says of the best: the most of these
  double replayed_work = 1.3e5;         ///< steps of all ranks in these together, beyond which the clock decides
  double as_promising = 1.1;  ///< times the best promise: of these one whose panels come down from one rank comes first
  double fewer_words = 0.9;   ///< times its words: a later one of these that receives less comes first instead
  double stretch_work = 5e6;  ///< steps of all ranks, about, of which ways for all collectives are clocked
  Int four_pieces = 16;       ///< ranks on a line, beyond which no panel is cut into four pieces
  double fewer_pieces = 0.97;  ///< times what a chain of more pieces takes: what one of fewer must take, or less

  // --- Products of block-sparse matrices
  std::size_t few_words = 8;     ///< that are clocked, of those with the fewest words
  double panels_of_one = 1e5;    ///< panels that travel in a schedule, beyond which these are not clocked to compare
  double panels_compared = 1e6;  ///< in all that are clocked together: as many as promise to be fastest
  double panels_planned = 1e7;   ///< beyond, none is chosen: counting one takes several seconds
  double words_a_panel = 200;    ///< that a rank receives for each panel of all ranks, to clock before a product
  Int panels_of_k = 1 << 14;     ///< of a grid that is looked at; on so many ranks they are planned
  Int crossed_panels = 400;      ///< of k, on so many ranks: planning as many rounds takes 0.4 s, once
  double crossing = 0.75;        ///< panels are crossed if a rank receives less than this share of the words by others

  // --- Collectives
  Int chosen_ranks = 1024;  ///< beyond, every collective is direct exchanges or a binomial tree
  Int segments = 64;        ///< of a chain

  // --- Ranks
  Int relabelled_ranks = 1024;  ///< beyond, assignments take too long
  Int relabelled_unit = 256;
  Int sharing_compared = 64;    ///< beyond, node-shared is planned only if asked for, and no node measured for it
  Int sharing = 256;            ///< beyond, ranks of a node are counted and clocked as if they sent each other messages
  Int counted_on_nodes = 4096;  ///< whose words from other nodes are counted, unless nodes are asked for

  // --- Simulations
  double followed = 4e6;  ///< ranks times steps of which a critical path is looked for
  double replayed = 1e6;  ///< messages that are followed one by one
};

inline constexpr Limits limits{};

/// All of them by name.
nlohmann::ordered_json limits_json();
/// The same for people, to stand at the end of a plan's page.
std::string limits_text();

}  // namespace cairn
