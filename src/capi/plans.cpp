#include <memory>

#include "capi/handles.hpp"

using namespace cairn::capi;

namespace {

cairn::GemmProblem problem_of(const cairn_problem* problem) {
  const cairn_problem& q = *need(problem, "problem");
  cairn::GemmProblem p;
  p.m = q.m, p.n = q.n, p.k = q.k, p.ranks = q.ranks;
  p.type = scalar_of(q.type);
  p.op_a = op_of(q.op_a, "op_a");
  p.op_b = op_of(q.op_b, "op_b");
  if (q.a) p.a = q.a->layout;
  if (q.b) p.b = q.b->layout;
  if (q.c) p.c = q.c->layout;
  return p;
}

cairn_plan* made(const cairn::Plan& plan) {
  return new cairn_plan{plan, plan.algorithm(), plan.explain(), plan.json()};
}

}  // namespace

void cairn_options_init(cairn_options* options) {
  if (options) *options = {0, nullptr, -1, -1.0, nullptr, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr};
}

cairn_status cairn_plan_create(const cairn_problem* problem, const cairn_options* options, cairn_plan** plan) {
  return plan_alone(
      options, plan, [&] { return problem_of(problem); }, made);
}
cairn_status cairn_plan_create_on(const cairn_comm* comm, const cairn_problem* problem, const cairn_options* options,
                                  cairn_plan** plan) {
  return plan_on(
      comm, options, plan, [&] { return problem_of(problem); }, made);
}

cairn_status cairn_plan_from_json(const char* json, cairn_plan** plan) {
  return plan_of_json<cairn::Plan>(json, plan, "a product", made);
}

void cairn_plan_free(cairn_plan* plan) { delete plan; }
const char* cairn_plan_algorithm(const cairn_plan* plan) { return kept_text(plan, &cairn_plan::algorithm); }
const char* cairn_plan_explain(const cairn_plan* plan) { return kept_text(plan, &cairn_plan::explain); }
const char* cairn_plan_json(const cairn_plan* plan) { return kept_text(plan, &cairn_plan::json); }
double cairn_plan_predicted_seconds(const cairn_plan* plan) {
  return asked(plan, 0.0, [](const cairn_plan& p) { return p.plan.predicted_seconds(); });
}

cairn_status cairn_plan_count(const cairn_plan* plan, int64_t rank, cairn_count* count) {
  return guarded([&] {
    need(plan, "plan"), need(count, "count");
    fill(count, plan->plan.count(rank_of(rank, plan->plan.problem().ranks)));
  });
}

cairn_status cairn_plan_max_count(const cairn_plan* plan, cairn_count* count) {
  return guarded([&] { fill(need(count, "count"), need(plan, "plan")->plan.max_count()); });
}

cairn_status cairn_plan_layouts(const cairn_plan* plan, cairn_layout** a, cairn_layout** b, cairn_layout** c) {
  nothing_yet(a, b, c);
  return guarded([&] {
    need(plan, "plan"), need(a, "a"), need(b, "b"), need(c, "c");
    std::unique_ptr<cairn_layout> of_a(new cairn_layout{plan->plan.layout_a()}),
        of_b(new cairn_layout{plan->plan.layout_b()}), of_c(new cairn_layout{plan->plan.layout_c()});
    *a = of_a.release(), *b = of_b.release(), *c = of_c.release();
  });
}
