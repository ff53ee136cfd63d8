// The C API: factorisations and solves that are planned once and run many times, checks of products, redistribution.
#include <gtest/gtest.h>

#include <string>

#include "capi_dense.hpp"

namespace cairn::testing::capi_dense {
namespace {

using FactorisationHandle =
    std::unique_ptr<cairn_factorisation, Release<cairn_factorisation, cairn_factorisation_free>>;
using SolveHandle =
    std::unique_ptr<cairn_triangular_solve, Release<cairn_triangular_solve, cairn_triangular_solve_free>>;

cairn_cholesky_problem of_order(int64_t n) { return {n, size(), CAIRN_COMPLEX128, CAIRN_LOWER, nullptr}; }
cairn_triangular_problem with_columns(int64_t columns, cairn_op op) {
  return {order, columns, size(), CAIRN_COMPLEX128, CAIRN_LEFT, CAIRN_LOWER, op, CAIRN_STORED, nullptr, nullptr};
}

FactorPlanHandle planned(const cairn_cholesky_problem& problem, const cairn_options* options = nullptr) {
  cairn_factor_plan* plan = nullptr;
  EXPECT_EQ(cairn_cholesky_plan_create(&problem, options, &plan), CAIRN_OK) << cairn_error_message();
  return FactorPlanHandle(plan);
}
FactorPlanHandle planned(const cairn_triangular_problem& problem) {
  cairn_factor_plan* plan = nullptr;
  EXPECT_EQ(cairn_triangular_plan_create(&problem, nullptr, &plan), CAIRN_OK) << cairn_error_message();
  return FactorPlanHandle(plan);
}

void expect_same(const cairn_factor_plan* plan, const FactorPlan& same) {
  EXPECT_EQ(cairn_factor_plan_algorithm(plan), same.algorithm());
  EXPECT_EQ(cairn_factor_plan_explain(plan), same.explain());
  EXPECT_EQ(cairn_factor_plan_json(plan), same.json());
  EXPECT_EQ(cairn_factor_plan_predicted_seconds(plan), same.predicted_seconds());
  cairn_count count;
  ASSERT_EQ(cairn_factor_plan_count(plan, 3, &count), CAIRN_OK);
  EXPECT_EQ(count.received, same.count(3).received);
  EXPECT_EQ(count.peak_words, same.count(3).peak_words);
  ASSERT_EQ(cairn_factor_plan_max_count(plan, &count), CAIRN_OK);
  EXPECT_EQ(count.messages, same.max_count().messages);
}

void expect_made_again(const cairn_factor_plan* plan, bool has_b) {
  cairn_factor_plan* again = nullptr;
  ASSERT_EQ(cairn_factor_plan_from_json(cairn_factor_plan_json(plan), &again), CAIRN_OK) << cairn_error_message();
  const FactorPlanHandle handle(again);
  EXPECT_STREQ(cairn_factor_plan_json(again), cairn_factor_plan_json(plan));
  cairn_layout *a = nullptr, *b = nullptr;
  ASSERT_EQ(cairn_factor_plan_layouts(again, &a, &b), CAIRN_OK);
  EXPECT_EQ(b != nullptr, has_b);
  cairn_layout_free(a), cairn_layout_free(b);
}

TEST(CApiPlans, SayWhatTheCxxPlansSay) {
  if (rank() != 0) return;  // they need no communicator
  const cairn_cholesky_problem factorises = {300, 12, CAIRN_FLOAT32, CAIRN_UPPER, nullptr};
  const FactoriseProblem p{.n = 300, .triangle = Uplo::upper, .ranks = 12, .type = ScalarType::float32};
  expect_same(planned(factorises).get(), plan(p));
  expect_made_again(planned(factorises).get(), false);
  const cairn_triangular_problem solves = {
      40, 300, 12, CAIRN_FLOAT64, CAIRN_RIGHT, CAIRN_UPPER, CAIRN_TRANSPOSE, CAIRN_UNIT, nullptr, nullptr};
  SolveProblem q{.m = 40, .n = 300, .side = Side::right, .triangle = Uplo::upper};
  q.op = Op::transpose, q.diag = Diag::unit, q.ranks = 12;
  expect_same(planned(solves).get(), plan(q));
  expect_made_again(planned(solves).get(), true);
  cairn_options options;
  cairn_options_init(&options);
  options.prefer = "";  // as NULL
  expect_same(planned(factorises, &options).get(), plan(p));
  options.prefer = "words";
  options.collectives = "bcast=chain:2";
  const FactorPlan same = plan(p, {.prefer = "words", .collectives = "bcast=chain:2"});
  EXPECT_NE(same.json(), plan(p, {.prefer = "words"}).json());
  EXPECT_NE(same.json(), plan(p, {.collectives = "bcast=chain:2"}).json());
  expect_same(planned(factorises, &options).get(), same);
}

TEST(CApiPlans, RunManyTimes) {
  const CommHandle comm = world();
  cairn_options options;
  cairn_options_init(&options);
  options.algorithm = "cholesky 2x2 b=4";  // by itself one rank would do it
  const FactorPlanHandle plan = planned(of_order(order), &options);
  const LayoutHandle other = block_cyclic(1, 1);
  cairn_layout *where = nullptr, *none = other.get();
  ASSERT_EQ(cairn_factor_plan_layouts(plan.get(), &where, &none), CAIRN_OK) << cairn_error_message();
  EXPECT_EQ(none, nullptr);
  Part A(LayoutHandle(where), definite);
  const auto before = A.data;
  cairn_factorisation* ready = nullptr;
  ASSERT_EQ(cairn_factorisation_create(comm.get(), plan.get(), &ready), CAIRN_OK) << cairn_error_message();
  const FactorisationHandle factorisation(ready);
  const cairn_matrix a = A.matrix();
  int64_t info = -1;
  cairn_report report;
  for (int i = 0; i < 2; ++i) {
    A.data = before;
    ASSERT_EQ(cairn_factorisation_run(ready, &a, &info, &report), CAIRN_OK) << cairn_error_message();
    EXPECT_EQ(info, 0);
    cairn_count count;
    ASSERT_EQ(cairn_factor_plan_count(plan.get(), rank(), &count), CAIRN_OK);
    EXPECT_GT(count.wire_words, 0);
    EXPECT_EQ(report.received, count.wire_words);
    A.expect(lower_factor);
  }
  const Complex one = 1;
  Part B(order, 5, right_side);
  for (cairn_op op : {CAIRN_NONE, CAIRN_ADJOINT}) {
    cairn_triangular_problem problem = with_columns(5, op);
    problem.a = A.layout.get(), problem.b = B.layout.get();
    cairn_triangular_solve* made = nullptr;
    ASSERT_EQ(cairn_triangular_solve_create(comm.get(), planned(problem).get(), &made), CAIRN_OK);
    const SolveHandle solve(made);
    const cairn_matrix b = B.matrix();
    ASSERT_EQ(cairn_triangular_solve_run(made, &one, &a, &b, &info, nullptr), CAIRN_OK) << cairn_error_message();
    EXPECT_EQ(info, 0);
  }
  B.expect(solution);
  A.data.assign(A.data.size(), Complex(-1));
  ASSERT_EQ(cairn_factorisation_run(ready, &a, &info, nullptr), CAIRN_OK);
  EXPECT_EQ(info, 1);
}

TEST(CApiPlans, WhatIsWrongOnOneRankIsReportedOnAll) {
  const CommHandle comm = world();
  const bool here = rank() == 1;
  const FactorPlanHandle plan = planned(of_order(order)), other = planned(of_order(order + 1)),
                         solves = planned(with_columns(2, CAIRN_NONE));
  cairn_factorisation* ready = nullptr;
  const auto create = [&](const cairn_factor_plan* of) { return cairn_factorisation_create(comm.get(), of, &ready); };
  expect_message(create(here ? nullptr : plan.get()), CAIRN_ARGUMENT_ERROR, "plan: NULL");
  expect_message(create(here ? other.get() : plan.get()), CAIRN_ARGUMENT_ERROR, "plan");
  expect_message(create(solves.get()), CAIRN_ARGUMENT_ERROR, "plan");
  cairn_triangular_solve* none = nullptr;
  expect_message(cairn_triangular_solve_create(comm.get(), plan.get(), &none), CAIRN_ARGUMENT_ERROR, "plan");
  ASSERT_EQ(create(plan.get()), CAIRN_OK) << cairn_error_message();
  const FactorisationHandle factorisation(ready);
  cairn_layout* where = nullptr;
  ASSERT_EQ(cairn_factor_plan_layouts(plan.get(), &where, nullptr), CAIRN_OK);
  Part A(LayoutHandle(where), definite), W(order, 7, solution);
  const cairn_matrix a = A.matrix(), w = W.matrix();
  int64_t info = 0;
  expect_message(cairn_factorisation_run(ready, here ? nullptr : &a, &info, nullptr), CAIRN_ARGUMENT_ERROR, "a: NULL");
  expect_message(cairn_factorisation_run(ready, &a, here ? nullptr : &info, nullptr), CAIRN_ARGUMENT_ERROR,
                 "info: NULL");
  expect_message(cairn_factorisation_run(ready, here ? &w : &a, &info, nullptr), CAIRN_ARGUMENT_ERROR, "A: ");
  EXPECT_EQ(cairn_factorisation_run(ready, &a, &info, nullptr), CAIRN_OK) << cairn_error_message();
  expect_message(cairn_factor_plan_layouts(solves.get(), &where, nullptr), CAIRN_ARGUMENT_ERROR, "b: NULL");
  cairn_count count;
  expect_message(cairn_factor_plan_count(plan.get(), size(), &count), CAIRN_ARGUMENT_ERROR, "rank: ");
  cairn_cholesky_problem wrong = of_order(-1);
  cairn_factor_plan* refused = nullptr;
  expect_message(cairn_cholesky_plan_create(&wrong, nullptr, &refused), CAIRN_ARGUMENT_ERROR, "n is -1");
  wrong = of_order(5);
  wrong.uplo = static_cast<cairn_uplo>(0);
  expect_message(cairn_cholesky_plan_create(&wrong, nullptr, &refused), CAIRN_ARGUMENT_ERROR, "uplo: 0, expected 1..2");
  expect_message(cairn_triangular_plan_create(nullptr, nullptr, &refused), CAIRN_ARGUMENT_ERROR, "problem: NULL");
  cairn_options options;
  cairn_options_init(&options);
  options.prefer = "beauty";
  wrong = of_order(5);
  expect_message(cairn_cholesky_plan_create(&wrong, &options, &refused), CAIRN_ARGUMENT_ERROR, "beauty");
}

TEST(CApiCheck, FindsOneWrongElementOfAProduct) {
  const CommHandle comm = world();
  Part A(23, 17, 1), B(19, 23, 2), C0(17, 19, 3), C(17, 19, 3);
  const Complex alpha(1, -2), beta(0, 1);
  const cairn_matrix a = A.matrix(), b = B.matrix(), before = C0.matrix(), c = C.matrix();
  ASSERT_EQ(cairn_gemm(comm.get(), CAIRN_COMPLEX128, CAIRN_ADJOINT, CAIRN_TRANSPOSE, &alpha, &a, &b, &beta, &c, nullptr,
                       nullptr),
            CAIRN_OK);
  cairn_check_result result;
  const auto check = [&](const cairn_matrix* c0, cairn_check_result* to, int rounds = 8) {
    return cairn_check_gemm(comm.get(), CAIRN_COMPLEX128, CAIRN_ADJOINT, CAIRN_TRANSPOSE, &alpha, &a, &b, &beta, c0, &c,
                            rounds, to);
  };
  ASSERT_EQ(check(&before, &result), CAIRN_OK) << cairn_error_message();
  EXPECT_LE(result.ratio, 1);
  EXPECT_EQ(result.rounds, 8);
  if (rank() == 1) C.data.front() += 1e-6;
  ASSERT_EQ(check(&before, &result), CAIRN_OK) << cairn_error_message();
  EXPECT_GT(result.ratio, 1);
  expect_message(check(rank() == 1 ? nullptr : &before, &result), CAIRN_ARGUMENT_ERROR, "C0");
  expect_message(check(&before, &result, 0), CAIRN_ARGUMENT_ERROR, "rounds: 0, expected 1 or more");
  const cairn_matrix nowhere = {nullptr, nullptr, 0, 0};
  expect_message(check(rank() == 1 ? &nowhere : &before, &result), CAIRN_ARGUMENT_ERROR, "c0.layout: NULL");
  expect_message(check(&before, rank() == 1 ? nullptr : &result), CAIRN_ARGUMENT_ERROR, "result: NULL");
}

TEST(CApiRedistribute, BringsAMatrixToAnotherLayout) {
  const CommHandle comm = world();
  Part A(23, 17, 1);
  cairn_layout* rows = nullptr;
  ASSERT_EQ(cairn_layout_row_blocks(17, 23, size(), CAIRN_COL, &rows), CAIRN_OK);
  Part B(LayoutHandle(rows), [](Int i, Int j) { return testing::element<Complex>(i, j, 2); });
  const Complex alpha(1, -2), beta(0, 1);
  const cairn_matrix a = A.matrix(), b = B.matrix();
  cairn_report report;
  const auto move = [&](cairn_op op, const cairn_matrix* from) {
    return cairn_redistribute(comm.get(), CAIRN_COMPLEX128, op, &alpha, from, &beta, &b, &report);
  };
  ASSERT_EQ(move(CAIRN_ADJOINT, &a), CAIRN_OK) << cairn_error_message();
  EXPECT_GT(report.received, 0);
  B.expect([&](Int i, Int j) {
    return alpha * testing::op_element<Complex>(Op::adjoint, i, j, 1) + beta * testing::element<Complex>(i, j, 2);
  });
  expect_message(move(CAIRN_NONE, &a), CAIRN_ARGUMENT_ERROR, "23x17");
  expect_message(move(CAIRN_ADJOINT, rank() == 1 ? nullptr : &a), CAIRN_ARGUMENT_ERROR, "a: NULL");
}

}  // namespace
}  // namespace cairn::testing::capi_dense
