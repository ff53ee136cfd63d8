// The limits as they are told.
#include "planner/limits.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace cairn {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Limits, compared_ranks, counted_ranks, placed_ranks, compared_work, compared_steps,
                                   least_work, least_slack, lowered_to_the_word, lowered, made, clocked,
                                   clocked_on_many, clocked_named, few, clocked_by_words, priced, searched_ranks, grids,
                                   grids_tried, clocked_grids, climbed_grids, cosma_steps, worth, near, finalists,
                                   grids_placed, words_counted, most_grids_counted, grids_counted_on_many, dense_rounds,
                                   dense_rounds_clocked, all_rounds, as_good, triangle_ranks, sketched,
                                   sketched_for_words, sketched_work, replayed_plans, replayed_alike, as_hopeful,
                                   replayed_work, as_promising, fewer_words, stretch_work, four_pieces, fewer_pieces,
                                   few_words, panels_of_one, panels_compared, panels_planned, words_a_panel,
                                   panels_of_k, crossed_panels, crossing, chosen_ranks, segments, relabelled_ranks,
                                   relabelled_unit, sharing_compared, sharing, counted_on_nodes, followed, replayed)

nlohmann::ordered_json limits_json() { return nlohmann::json(limits); }

std::string limits_text() {
  std::string text = "\nlimits of the planner, as src/planner/limits.hpp explains them\n";
  const nlohmann::ordered_json all = limits_json();
  for (const auto& [name, value] : all.items()) text += fmt::format("  {:<28}{:>18g}\n", name, value.get<double>());
  return text;
}

}  // namespace cairn
