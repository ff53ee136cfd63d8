#include "capi/handles.hpp"

using namespace cairn::capi;

void cairn_options_init(cairn_options* options) {
  *options = {0, nullptr, -1, -1.0, nullptr, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr};
}

cairn_status cairn_plan_create(const cairn_problem* problem, const cairn_options* options, cairn_plan** plan) {
  return guarded([&] {
    const cairn_problem& q = *need(problem, "problem");
    need(plan, "plan");
    cairn::GemmProblem p;
    p.m = q.m, p.n = q.n, p.k = q.k, p.ranks = q.ranks;
    p.type = scalar_of(q.type);
    p.op_a = op_of(q.op_a, "op_a");
    p.op_b = op_of(q.op_b, "op_b");
    if (q.a) p.a = q.a->layout;
    if (q.b) p.b = q.b->layout;
    if (q.c) p.c = q.c->layout;
    cairn::Plan made = cairn::plan(p, options_of(options));
    *plan = new cairn_plan{made, made.algorithm(), made.explain(), made.json()};
  });
}

void cairn_plan_free(cairn_plan* plan) { delete plan; }
const char* cairn_plan_algorithm(const cairn_plan* plan) { return plan->algorithm.c_str(); }
const char* cairn_plan_explain(const cairn_plan* plan) { return plan->explain.c_str(); }
const char* cairn_plan_json(const cairn_plan* plan) { return plan->json.c_str(); }
double cairn_plan_predicted_seconds(const cairn_plan* plan) { return plan->plan.predicted_seconds(); }

cairn_status cairn_plan_count(const cairn_plan* plan, int64_t rank, cairn_count* count) {
  return guarded([&] {
    need(plan, "plan"), need(count, "count");
    fill(count, plan->plan.count(rank_of(rank, plan->plan.problem().ranks)));
  });
}

cairn_status cairn_plan_layouts(const cairn_plan* plan, cairn_layout** a, cairn_layout** b, cairn_layout** c) {
  return guarded([&] {
    need(plan, "plan"), need(a, "a"), need(b, "b"), need(c, "c");
    *a = new cairn_layout{plan->plan.layout_a()};
    *b = new cairn_layout{plan->plan.layout_b()};
    *c = new cairn_layout{plan->plan.layout_c()};
  });
}
