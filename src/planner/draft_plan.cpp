#include "planner/draft_plan.hpp"

#include <tuple>

#include "schedule/passes/passes.hpp"

namespace cairn {

MadeAlgorithm Drafts::algorithm(std::string_view spelling) const {
  return algorithm([spelling](const GemmProblem& p) { return make_algorithm(p, spelling); });
}

MadeAlgorithm Drafts::algorithm(const std::function<MadeAlgorithm(const GemmProblem&)>& make) const {
  return relabelled(problem_, unit_, make);
}

Draft Drafts::make(const MadeAlgorithm& made, int depth) const {
  auto d = std::make_shared<Plan::Data>();
  d->problem = problem_;
  d->type = problem_.type;
  d->options = options_;
  d->machine = machine_;
  d->grid = made.grid;
  d->rounds = made.rounds;
  d->cuts = made.cuts;
  d->relabelling = made.relabelling;
  d->look_ahead = depth;
  d->collective = chooser_.choose(look_ahead(made.schedule, depth));
  d->wire = expand_collectives(d->collective);
  d->transport = transport_named(options_.transport);
  return d;
}

Int Drafts::over_limit(const Draft& d) const {
  if (!options_.memory_words) return 0;
  if (shares_memory(*d)) d->times();  // finds totals as well; asked for first, these would be found twice
  return d->totals().max.peak_words - *options_.memory_words;
}

bool Drafts::better(const Draft& a, const Draft& b) const {
  if (preference(options_) != Prefer::words) return faster(a, b);
  if (a->totals().max.received != b->totals().max.received) return a->totals().max.received < b->totals().max.received;
  return faster(a, b);
}

bool Drafts::faster(const Draft& a, const Draft& b) const {
  const auto seconds = [](const Draft& d) { return static_cast<float>(d->times().seconds); };  // blurs rounding
  if (seconds(a) != seconds(b)) return seconds(a) < seconds(b);
  const auto key = [](const Draft& d) { return std::tuple(d->totals().max.received, d->collective.grid.size()); };
  return key(a) < key(b);
}

}  // namespace cairn
