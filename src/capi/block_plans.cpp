// Plans of products of block-sparse matrices for the C API.
#include "cairn/block_sparse.h"
#include "capi/blocks.hpp"

using namespace cairn::capi;

namespace {

cairn_block_count as_c(const cairn::BlockCount& c) {
  return {c.received[0], c.received[1], c.received[2], c.received_index, c.messages, c.flops, c.peak_words};
}

}  // namespace

void cairn_block_problem_init(cairn_block_problem* problem) {
  const cairn_block_dim none = {0, 1};
  if (problem) *problem = {none, none, none, 1, 1, -1, 1, CAIRN_FLOAT64, 0, -1};
}

cairn_status cairn_block_plan_create(const cairn_block_problem* problem, const cairn_options* options,
                                     cairn_block_plan** plan) {
  return giving(plan, [&] {
    const cairn_block_problem& q = *need(problem, "problem");
    need(plan, "plan");
    cairn::BlockProblem p;
    p.m = {q.m.blocks, q.m.size}, p.n = {q.n.blocks, q.n.size}, p.k = {q.k.blocks, q.k.size};
    p.occupancy_a = q.occupancy_a, p.occupancy_b = q.occupancy_b;
    if (q.occupancy_c != -1) p.occupancy_c = q.occupancy_c;
    p.ranks = q.ranks, p.type = scalar_of(q.type), p.filtered = q.filtered != 0;
    if (q.seed < -1) throw cairn::ArgumentError("seed: " + std::to_string(q.seed) + ", expected 0 or more, or -1");
    if (q.seed >= 0) p.seed = static_cast<std::uint64_t>(q.seed);
    *plan = new cairn_block_plan(cairn::plan(p, options_of(options)));
  });
}

cairn_status cairn_block_plan_from_json(const char* json, cairn_block_plan** plan) {
  return plan_of_json<cairn::BlockPlan>(json, plan, "a block-sparse product",
                                        [](const cairn::BlockPlan& made) { return new cairn_block_plan(made); });
}

void cairn_block_plan_free(cairn_block_plan* plan) { delete plan; }
const char* cairn_block_plan_algorithm(const cairn_block_plan* plan) {
  return kept_text(plan, &cairn_block_plan::algorithm);
}
const char* cairn_block_plan_explain(const cairn_block_plan* plan) {
  return kept_text(plan, &cairn_block_plan::explain);
}
const char* cairn_block_plan_json(const cairn_block_plan* plan) { return kept_text(plan, &cairn_block_plan::json); }
double cairn_block_plan_predicted_seconds(const cairn_block_plan* plan) {
  return asked(plan, 0.0, [](const cairn_block_plan& p) { return p.plan.predicted_seconds(); });
}
double cairn_block_plan_mean_received(const cairn_block_plan* plan) {
  return asked(plan, 0.0, [](const cairn_block_plan& p) { return p.plan.mean_received(); });
}
int cairn_block_plan_exact(const cairn_block_plan* plan) {
  return asked(plan, 0, [](const cairn_block_plan& p) { return p.plan.exact(); });
}

cairn_status cairn_block_plan_grid(const cairn_block_plan* plan, int64_t* pr, int64_t* pc) {
  return guarded([&] {
    need(plan, "plan"), need(pr, "pr"), need(pc, "pc");
    const auto [rows, cols] = plan->plan.grid();
    *pr = rows, *pc = cols;
  });
}

cairn_status cairn_block_plan_count(const cairn_block_plan* plan, int64_t rank, cairn_block_count* count) {
  return guarded([&] {
    need(plan, "plan"), need(count, "count");
    *count = as_c(plan->plan.count(rank_of(rank, plan->plan.problem().ranks)));
  });
}

cairn_status cairn_block_plan_max_count(const cairn_block_plan* plan, cairn_block_count* count) {
  return guarded([&] { *need(count, "count") = as_c(need(plan, "plan")->plan.max_count()); });
}
