// Factorisations and solves with a triangle that are planned once and run many times, for the C API.
#include <memory>
#include <mutex>

#include "api/made_together.hpp"
#include "capi/handles.hpp"

using namespace cairn::capi;
using cairn::made_together;

namespace {

// Made when it is asked for first.
class Text {
 public:
  template <class Make>
  const char* get(Make make) const {
    std::call_once(once_, [&] { text_ = make(); });
    return text_.c_str();
  }

 private:
  mutable std::once_flag once_;
  mutable std::string text_;
};

}  // namespace

struct cairn_factor_plan {
  explicit cairn_factor_plan(cairn::FactorPlan made) : plan(std::move(made)), algorithm(plan.algorithm()) {}
  cairn::FactorPlan plan;
  std::string algorithm;
  Text explain, json;
};

namespace {

cairn::FactoriseProblem problem_of(const cairn_cholesky_problem* problem) {
  const cairn_cholesky_problem& q = *need(problem, "problem");
  cairn::FactoriseProblem p{.n = q.n, .triangle = uplo_of(q.uplo), .ranks = q.ranks, .type = scalar_of(q.type)};
  if (q.a) p.a = q.a->layout;
  return p;
}

cairn::SolveProblem problem_of(const cairn_triangular_problem* problem) {
  const cairn_triangular_problem& q = *need(problem, "problem");
  cairn::SolveProblem p{.m = q.m,
                        .n = q.n,
                        .side = side_of(q.side),
                        .triangle = uplo_of(q.uplo),
                        .op = op_of(q.op, "op"),
                        .diag = diag_of(q.diag),
                        .ranks = q.ranks,
                        .type = scalar_of(q.type)};
  if (q.a) p.a = q.a->layout;
  if (q.b) p.b = q.b->layout;
  return p;
}

cairn_factor_plan* made(cairn::FactorPlan plan) { return new cairn_factor_plan(std::move(plan)); }

// Made ready on a communicator.
template <template <class> class Run>
struct Ready {
  cairn::Comm comm;
  cairn::OfAnyType<Run> any;
};

template <template <class> class Run, class Handle>
cairn_status make_ready(const cairn_comm* comm, const cairn_factor_plan* plan, Handle** out, const char* name) {
  return giving(out, [&] {
    const cairn::Comm& on = need(comm, "comm")->comm;
    made_together(on, [&] { return need(plan, "plan") && need(out, name); });
    *out = with_type(plan->plan.type(), [&]<class T>(T) { return new Handle{{on, Run<T>(on, plan->plan)}}; });
  });
}

}  // namespace

struct cairn_factorisation : Ready<cairn::Factorisation> {};
struct cairn_triangular_solve : Ready<cairn::TriangularSolve> {};

cairn_status cairn_cholesky_plan_create(const cairn_cholesky_problem* problem, const cairn_options* options,
                                        cairn_factor_plan** plan) {
  return plan_alone(
      options, plan, [&] { return problem_of(problem); }, made);
}
cairn_status cairn_cholesky_plan_create_on(const cairn_comm* comm, const cairn_cholesky_problem* problem,
                                           const cairn_options* options, cairn_factor_plan** plan) {
  return plan_on(
      comm, options, plan, [&] { return problem_of(problem); }, made);
}

cairn_status cairn_triangular_plan_create(const cairn_triangular_problem* problem, const cairn_options* options,
                                          cairn_factor_plan** plan) {
  return plan_alone(
      options, plan, [&] { return problem_of(problem); }, made);
}
cairn_status cairn_triangular_plan_create_on(const cairn_comm* comm, const cairn_triangular_problem* problem,
                                             const cairn_options* options, cairn_factor_plan** plan) {
  return plan_on(
      comm, options, plan, [&] { return problem_of(problem); }, made);
}

cairn_status cairn_factor_plan_from_json(const char* json, cairn_factor_plan** plan) {
  return plan_of_json<cairn::FactorPlan>(json, plan, "a factorisation or a solve", made);
}

void cairn_factor_plan_free(cairn_factor_plan* plan) { delete plan; }
const char* cairn_factor_plan_algorithm(const cairn_factor_plan* plan) {
  return kept_text(plan, &cairn_factor_plan::algorithm);
}
const char* cairn_factor_plan_explain(const cairn_factor_plan* plan) {
  return asked(plan, no_text,
               [](const cairn_factor_plan& p) { return p.explain.get([&] { return p.plan.explain(); }); });
}
const char* cairn_factor_plan_json(const cairn_factor_plan* plan) {
  return asked(plan, no_text, [](const cairn_factor_plan& p) { return p.json.get([&] { return p.plan.json(); }); });
}
double cairn_factor_plan_predicted_seconds(const cairn_factor_plan* plan) {
  return asked(plan, 0.0, [](const cairn_factor_plan& p) { return p.plan.predicted_seconds(); });
}

cairn_status cairn_factor_plan_count(const cairn_factor_plan* plan, int64_t rank, cairn_count* count) {
  return guarded([&] {
    need(plan, "plan"), need(count, "count");
    fill(count, plan->plan.count(rank_of(rank, plan->plan.ranks())));
  });
}

cairn_status cairn_factor_plan_max_count(const cairn_factor_plan* plan, cairn_count* count) {
  return guarded([&] { fill(need(count, "count"), need(plan, "plan")->plan.max_count()); });
}

cairn_status cairn_factor_plan_layouts(const cairn_factor_plan* plan, cairn_layout** a, cairn_layout** b) {
  nothing_yet(a, b);
  return guarded([&] {
    need(plan, "plan"), need(a, "a");
    if (plan->plan.solves()) need(b, "b");
    std::unique_ptr<cairn_layout> of_a(new cairn_layout{plan->plan.layout_a()});
    if (plan->plan.solves()) *b = new cairn_layout{plan->plan.layout_b()};
    *a = of_a.release();
  });
}

cairn_status cairn_factorisation_create(const cairn_comm* comm, const cairn_factor_plan* plan,
                                        cairn_factorisation** out) {
  return make_ready<cairn::Factorisation>(comm, plan, out, "factorisation");
}

void cairn_factorisation_free(cairn_factorisation* factorisation) { delete factorisation; }

cairn_status cairn_factorisation_run(cairn_factorisation* factorisation, const cairn_matrix* a, int64_t* info,
                                     cairn_report* report) {
  return guarded([&] {
    const cairn::Comm& on = need(factorisation, "factorisation")->comm;
    made_together(on, [&] { return need_matrix(a, "a") && need(info, "info"); });
    std::visit(
        [&]<class T>(cairn::Factorisation<T>& run) { fill(report, info, run.run(matrix<T>(a, "a", on.rank()))); },
        factorisation->any);
  });
}

cairn_status cairn_triangular_solve_create(const cairn_comm* comm, const cairn_factor_plan* plan,
                                           cairn_triangular_solve** out) {
  return make_ready<cairn::TriangularSolve>(comm, plan, out, "solve");
}

void cairn_triangular_solve_free(cairn_triangular_solve* solve) { delete solve; }

cairn_status cairn_triangular_solve_run(cairn_triangular_solve* solve, const void* alpha, const cairn_matrix* a,
                                        const cairn_matrix* b, int64_t* info, cairn_report* report) {
  return guarded([&] {
    const cairn::Comm& on = need(solve, "solve")->comm;
    made_together(
        on, [&] { return need(alpha, "alpha") && need_matrix(a, "a") && need_matrix(b, "b") && need(info, "info"); });
    std::visit(
        [&]<class T>(cairn::TriangularSolve<T>& run) {
          fill(report, info,
               run.run(*static_cast<const T*>(alpha), matrix<T>(a, "a", on.rank()), matrix<T>(b, "b", on.rank())));
        },
        solve->any);
  });
}
