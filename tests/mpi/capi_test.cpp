// The C API: results, codes and messages; what is wrong on one rank is reported on all.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "capi_dense.hpp"
#include "shared_directory.hpp"

namespace cairn::testing::capi_dense {
namespace {

TEST(CApi, GemmOfBlockCyclicMatricesIsExact) {
  const CommHandle comm = world();
  Part A(23, 17, 1), B(19, 23, 2), C(17, 19, 3);  // C = alpha A^H B^T + beta C
  const Complex alpha(1, -2), beta(0, 1);
  const cairn_matrix a = A.matrix(), b = B.matrix(), c = C.matrix();
  cairn_report report;
  ASSERT_EQ(cairn_gemm(comm.get(), CAIRN_COMPLEX128, CAIRN_ADJOINT, CAIRN_TRANSPOSE, &alpha, &a, &b, &beta, &c, nullptr,
                       &report),
            CAIRN_OK)
      << cairn_error_message();
  EXPECT_GE(report.seconds, 0);
  C.expect([&](Int i, Int j) {
    Complex dot = 0;
    for (Int l = 0; l < 23; ++l)
      dot += testing::op_element<Complex>(Op::adjoint, i, l, 1) * testing::op_element<Complex>(Op::transpose, l, j, 2);
    return alpha * dot + beta * testing::element<Complex>(i, j, 3);
  });
}

TEST(CApi, ANullPointerOnOneRankIsReportedOnAll) {
  const CommHandle comm = world();
  Part A(8, 8, 1), B(8, 8, 2), C(8, 8, 3);
  const cairn_matrix a = A.matrix(), b = B.matrix(), c = C.matrix();
  const Complex one = 1;
  const auto call = [&](const void* alpha, const cairn_matrix* x) {
    return cairn_gemm(comm.get(), CAIRN_COMPLEX128, CAIRN_NONE, CAIRN_NONE, alpha, x, &b, &one, &c, nullptr, nullptr);
  };
  expect_message(call(rank() == 1 ? nullptr : &one, &a), CAIRN_ARGUMENT_ERROR, "alpha: NULL");
  expect_message(call(&one, rank() == 2 ? nullptr : &a), CAIRN_ARGUMENT_ERROR, "a: NULL");
  EXPECT_EQ(call(&one, &a), CAIRN_OK);
}

TEST(CApi, WhatIsNoEnumeratorOnOneRankIsReportedOnAll) {
  const CommHandle comm = world();
  Part A(8, 8, 1), B(8, 8, 2), C(8, 8, 3);
  const cairn_matrix a = A.matrix(), b = B.matrix(), c = C.matrix();
  const Complex one = 1;
  const auto call = [&](int type, int op_a, int op_b) {
    return cairn_gemm(comm.get(), static_cast<cairn_type>(type), static_cast<cairn_op>(op_a),
                      static_cast<cairn_op>(op_b), &one, &a, &b, &one, &c, nullptr, nullptr);
  };
  const bool here = rank() == 1;
  expect_message(call(here ? 9 : CAIRN_COMPLEX128, CAIRN_NONE, CAIRN_NONE), CAIRN_ARGUMENT_ERROR, "type: 9");
  expect_message(call(CAIRN_COMPLEX128, here ? 9 : CAIRN_NONE, CAIRN_NONE), CAIRN_ARGUMENT_ERROR, "op_a: 9");
  expect_message(call(CAIRN_COMPLEX128, CAIRN_NONE, here ? -1 : CAIRN_NONE), CAIRN_ARGUMENT_ERROR, "op_b: -1");
  EXPECT_EQ(call(CAIRN_COMPLEX128, CAIRN_NONE, CAIRN_NONE), CAIRN_OK);
}

TEST(CApi, FactorisesAndSolvesExactly) {
  const CommHandle comm = world();
  Part A(order, order, definite), B(order, 5, right_side), C(order, 5, right_side), D(order, order, definite);
  const cairn_matrix a = A.matrix(), b = B.matrix(), c = C.matrix(), d = D.matrix();
  int64_t info = -1;
  cairn_report report;
  ASSERT_EQ(cairn_cholesky(comm.get(), CAIRN_COMPLEX128, CAIRN_LOWER, &a, nullptr, &info, &report), CAIRN_OK)
      << cairn_error_message();
  EXPECT_EQ(info, 0);
  EXPECT_GT(report.seconds, 0);
  A.expect(lower_factor);
  const Complex one = 1;
  for (cairn_op op : {CAIRN_NONE, CAIRN_ADJOINT})
    ASSERT_EQ(cairn_solve_triangular(comm.get(), CAIRN_COMPLEX128, CAIRN_LEFT, CAIRN_LOWER, op, CAIRN_STORED, &one, &a,
                                     &b, nullptr, &info, nullptr),
              CAIRN_OK)
        << cairn_error_message();
  B.expect(solution);
  info = -1;
  ASSERT_EQ(cairn_solve_spd(comm.get(), CAIRN_COMPLEX128, CAIRN_LOWER, &d, &c, nullptr, &info, nullptr), CAIRN_OK)
      << cairn_error_message();
  EXPECT_EQ(info, 0);
  C.expect(solution);
  D.expect(lower_factor);
}

TEST(CApi, InfoNamesTheLeadingMinorThatIsNotPositiveOrTheZeroOnADiagonal) {
  const CommHandle comm = world();
  Part A(order, order, [](Int i, Int j) { return i == 20 && j == 20 ? Complex(-1) : definite(i, j); }),
      B(order, 2, solution);
  const cairn_matrix a = A.matrix(), b = B.matrix();
  int64_t info = -1;
  ASSERT_EQ(cairn_solve_spd(comm.get(), CAIRN_COMPLEX128, CAIRN_UPPER, &a, &b, nullptr, &info, nullptr), CAIRN_OK);
  EXPECT_EQ(info, 21);
  B.expect(solution);
  Part Z(order, order, [](Int i, Int j) { return i == 11 && j == 11 ? Complex(0) : definite(i, j); });
  const cairn_matrix z = Z.matrix();
  const Complex one = 1;
  ASSERT_EQ(cairn_solve_triangular(comm.get(), CAIRN_COMPLEX128, CAIRN_LEFT, CAIRN_LOWER, CAIRN_NONE, CAIRN_STORED,
                                   &one, &z, &b, nullptr, &info, nullptr),
            CAIRN_OK);
  EXPECT_EQ(info, 12);
  B.expect(solution);
}

TEST(CApi, WhatIsWrongWithAFactorisationOnOneRankIsReportedOnAll) {
  const CommHandle comm = world();
  Part A(order, order, definite), B(order, 2, solution), W(order, 7, solution);
  const cairn_matrix a = A.matrix(), b = B.matrix(), w = W.matrix();
  int64_t info = 0;
  const bool here = rank() == 1;
  const auto cholesky = [&](cairn_uplo uplo, const cairn_matrix* x, int64_t* at) {
    return cairn_cholesky(comm.get(), CAIRN_COMPLEX128, uplo, x, nullptr, at, nullptr);
  };
  expect_message(cholesky(CAIRN_LOWER, here ? nullptr : &a, &info), CAIRN_ARGUMENT_ERROR, "a: NULL");
  expect_message(cholesky(CAIRN_LOWER, &a, here ? nullptr : &info), CAIRN_ARGUMENT_ERROR, "info: NULL");
  expect_message(cholesky(here ? static_cast<cairn_uplo>(0) : CAIRN_LOWER, &a, &info), CAIRN_ARGUMENT_ERROR,
                 "uplo: 0, expected 1..2");
  expect_message(cholesky(CAIRN_LOWER, &w, &info), CAIRN_ARGUMENT_ERROR, "A: 29x7, expected a square matrix");
  expect_message(cholesky(here ? CAIRN_UPPER : CAIRN_LOWER, &a, &info), CAIRN_ARGUMENT_ERROR, "arguments");
  const Complex one = 1;
  const auto solve = [&](cairn_side side, cairn_diag diag, const void* alpha, const cairn_matrix* y) {
    return cairn_solve_triangular(comm.get(), CAIRN_COMPLEX128, side, CAIRN_LOWER, CAIRN_NONE, diag, alpha, &a, y,
                                  nullptr, &info, nullptr);
  };
  expect_message(solve(CAIRN_LEFT, CAIRN_UNIT, here ? nullptr : &one, &b), CAIRN_ARGUMENT_ERROR, "alpha: NULL");
  expect_message(solve(here ? static_cast<cairn_side>(7) : CAIRN_LEFT, CAIRN_UNIT, &one, &b), CAIRN_ARGUMENT_ERROR,
                 "side: 7, expected 0..1");
  expect_message(solve(CAIRN_LEFT, static_cast<cairn_diag>(-1), &one, &b), CAIRN_ARGUMENT_ERROR, "diag: -1");
  expect_message(solve(CAIRN_RIGHT, CAIRN_STORED, &one, &b), CAIRN_ARGUMENT_ERROR, "A: of order 29, expected 2");
  expect_message(
      cairn_solve_spd(comm.get(), CAIRN_COMPLEX128, CAIRN_LOWER, &a, here ? nullptr : &b, nullptr, &info, nullptr),
      CAIRN_ARGUMENT_ERROR, "b: NULL");
  EXPECT_EQ(cholesky(CAIRN_LOWER, &a, &info), CAIRN_OK) << cairn_error_message();
}

TEST(CApi, WrongArgumentsHaveCodesAndMessages) {
  cairn_comm* comm = nullptr;
  expect_message(cairn_comm_create(MPI_Comm_c2f(MPI_COMM_WORLD), rank() == 1 ? nullptr : &comm), CAIRN_ARGUMENT_ERROR,
                 "comm: NULL");
  EXPECT_EQ(comm, nullptr);
  expect_message(cairn_comm_create(MPI_Comm_c2f(MPI_COMM_NULL), &comm), CAIRN_ARGUMENT_ERROR, "MPI_COMM_NULL");
  const LayoutHandle there = block_cyclic(4, 4);
  cairn_layout* layout = there.get();  // which a call that fails makes NULL
  expect_message(cairn_layout_on_one_rank(-1, 2, CAIRN_COL, &layout), CAIRN_ARGUMENT_ERROR,
                 "m: -1, expected 0 or more");
  EXPECT_EQ(layout, nullptr);
  constexpr int64_t large = int64_t{1} << 32;
  expect_message(cairn_layout_on_one_rank(large, large, CAIRN_COL, &layout), CAIRN_ARGUMENT_ERROR, "more words than");
  expect_message(cairn_layout_row_blocks(1, 2, 0, CAIRN_COL, &layout), CAIRN_ARGUMENT_ERROR, "ranks: 0, expected 1");
  expect_message(cairn_layout_block_cyclic(9, 9, 2, 2, 2, 0, 0, 0, 0, &layout), CAIRN_ARGUMENT_ERROR, "a grid of 2x0");
  expect_message(cairn_layout_arbitrary(1, 1, 1, large, &large, 1, &large, &large, CAIRN_COL, &layout),
                 CAIRN_ARGUMENT_ERROR, "row_blocks: 4294967296, expected 0 to");
  for (const int64_t outside : {-1, 2}) {
    expect_message(cairn_layout_block_cyclic(9, 9, 2, 2, 2, 1, outside, 0, 0, &layout), CAIRN_ARGUMENT_ERROR, "rsrc");
    expect_message(cairn_layout_block_cyclic(9, 9, 2, 2, 1, 2, 0, outside, 0, &layout), CAIRN_ARGUMENT_ERROR, "csrc");
  }
  const int64_t down[] = {0, 4, 3}, across[] = {0, 2}, owner[] = {0, 0};
  expect_message(cairn_layout_arbitrary(3, 2, 1, 2, down, 1, across, owner, CAIRN_COL, &layout), CAIRN_ARGUMENT_ERROR,
                 "row_bounds");
  cairn_plan* plan = nullptr;
  cairn_problem problem = {64, 64, 64, 4, CAIRN_FLOAT64, CAIRN_NONE, CAIRN_NONE, nullptr, nullptr, nullptr};
  cairn_options options;
  cairn_options_init(&options);
  options.memory_words = 100;
  expect_message(cairn_plan_create(&problem, &options, &plan), CAIRN_MEMORY_ERROR, "memory");
  cairn_options_init(&options);
  options.max_idle = NAN;
  expect_message(cairn_plan_create(&problem, &options, &plan), CAIRN_ARGUMENT_ERROR, "max_idle: nan");
  problem.type = static_cast<cairn_type>(9);
  expect_message(cairn_plan_create(&problem, nullptr, &plan), CAIRN_ARGUMENT_ERROR, "type: 9");
  expect_message(cairn_plan_create(nullptr, nullptr, &plan), CAIRN_ARGUMENT_ERROR, "problem: NULL");
}

TEST(CApi, NullKnowsNothing) {
  cairn_options_init(nullptr);
  EXPECT_EQ(cairn_layout_words(nullptr, 0), 0);
  EXPECT_EQ(cairn_layout_local_rows(nullptr, 0), 0);
  EXPECT_EQ(cairn_layout_local_cols(nullptr, 0), 0);
  EXPECT_EQ(cairn_layout_order(nullptr), CAIRN_COL);
  EXPECT_EQ(cairn_layout_global_row(nullptr, 0, 0), -1);
  EXPECT_EQ(cairn_layout_global_col(nullptr, 0, 0), -1);
  for (const auto text : {cairn_plan_algorithm, cairn_plan_explain, cairn_plan_json}) EXPECT_EQ(text(nullptr), nullptr);
  for (const auto text : {cairn_factor_plan_algorithm, cairn_factor_plan_explain, cairn_factor_plan_json})
    EXPECT_EQ(text(nullptr), nullptr);
  EXPECT_EQ(cairn_plan_predicted_seconds(nullptr), 0);
  EXPECT_EQ(cairn_factor_plan_predicted_seconds(nullptr), 0);
  EXPECT_STREQ(cairn_version(), CAIRN_VERSION);
}

TEST(CApi, NobodyNeedsToOwnNoBlocks) {
  const int64_t none[] = {0}, across[] = {0, 3};
  cairn_layout* empty = nullptr;
  ASSERT_EQ(cairn_layout_arbitrary(0, 3, 1, 0, none, 1, across, nullptr, CAIRN_COL, &empty), CAIRN_OK);
  EXPECT_EQ(cairn_layout_words(empty, 0), 0);
  cairn_layout_free(empty);
}

TEST(CApi, LayoutsSayWhatRanksHold) {
  const int64_t down[] = {0, 3, 8}, across[] = {0, 8}, owner[] = {0, 1};
  cairn_layout *blocks = nullptr, *rows = nullptr;
  ASSERT_EQ(cairn_layout_arbitrary(8, 8, 2, 2, down, 1, across, owner, CAIRN_COL, &blocks), CAIRN_OK);
  ASSERT_EQ(cairn_layout_row_blocks(5, 3, 2, CAIRN_COL, &rows), CAIRN_OK);
  EXPECT_EQ(cairn_layout_words(blocks, 1), 40);
  EXPECT_EQ(cairn_layout_m(rows), 5);
  EXPECT_EQ(cairn_layout_n(rows), 3);
  EXPECT_EQ(cairn_layout_ranks(rows), 2);
  EXPECT_EQ(cairn_layout_local_rows(blocks, 1), -1);  // blocks lie one after another
  EXPECT_EQ(cairn_layout_local_cols(blocks, 0), -1);
  EXPECT_EQ(cairn_layout_global_row(blocks, 1, 0), -1);
  EXPECT_EQ(cairn_layout_local_rows(rows, 1), 2);
  EXPECT_EQ(cairn_layout_global_row(rows, 1, 0), 3);
  for (const int64_t nobody : {-1, 2}) {
    EXPECT_EQ(cairn_layout_words(rows, nobody), 0);
    EXPECT_EQ(cairn_layout_local_rows(rows, nobody), 0);
    EXPECT_EQ(cairn_layout_global_row(rows, nobody, 0), -1);
    EXPECT_EQ(cairn_layout_global_col(rows, nobody, 0), -1);
  }
  cairn_layout_free(blocks), cairn_layout_free(rows);
  const LayoutHandle cyclic = block_cyclic(40, 30);
  const Layout same = Layout::block_cyclic(40, 30, {3, 2, size() / 2, 2, size() / 2 - 1, 0, false});
  for (const int of : {3, 0, 3}) {  // one after another, and back
    const Patch part = same.patches(of).front();
    Int row = 0, col = 0;
    for (const Range r : part.rows.pieces())
      for (Int i = r.lo; i < r.hi; ++i) EXPECT_EQ(cairn_layout_global_row(cyclic.get(), of, row++), i);
    for (const Range r : part.cols.pieces())
      for (Int j = r.lo; j < r.hi; ++j) EXPECT_EQ(cairn_layout_global_col(cyclic.get(), of, col++), j);
    for (const Int outside : {Int{-1}, row}) EXPECT_EQ(cairn_layout_global_row(cyclic.get(), of, outside), -1);
  }
}

TEST(CApi, MatricesGoToFilesAndComeBack) {
  const SharedDirectory dir;
  const CommHandle comm = world();
  const std::string path = dir / "A.npy";
  Part A(13, 7, 1), B(13, 7, 2), small(12, 7, 3);
  const cairn_matrix a = A.matrix(), b = B.matrix(), c = small.matrix();
  ASSERT_EQ(cairn_write_npy(comm.get(), CAIRN_COMPLEX128, path.c_str(), &a), CAIRN_OK) << cairn_error_message();
  cairn_file_info info;
  ASSERT_EQ(cairn_inspect_file(comm.get(), path.c_str(), &info), CAIRN_OK) << cairn_error_message();
  EXPECT_EQ(info.rows, 13);
  EXPECT_EQ(info.cols, 7);
  EXPECT_EQ(info.type, CAIRN_COMPLEX128);
  EXPECT_EQ(info.vector, 0);
  ASSERT_EQ(cairn_read_matrix(comm.get(), CAIRN_COMPLEX128, path.c_str(), &b), CAIRN_OK) << cairn_error_message();
  EXPECT_EQ(B.data, A.data);
  const auto read = [&](cairn_type type, const char* from, const cairn_matrix* to) {
    return cairn_read_matrix(comm.get(), type, from, to);
  };
  expect_message(read(CAIRN_FLOAT64, path.c_str(), &b), CAIRN_ARGUMENT_ERROR, "complex128");
  expect_message(read(CAIRN_COMPLEX128, path.c_str(), &c), CAIRN_ARGUMENT_ERROR, "13 x 7");
  expect_message(read(rank() == 1 ? CAIRN_FLOAT64 : CAIRN_COMPLEX128, path.c_str(), &b), CAIRN_ARGUMENT_ERROR, "type");
  expect_message(read(CAIRN_COMPLEX128, rank() == 1 ? nullptr : path.c_str(), &b), CAIRN_ARGUMENT_ERROR, "path: NULL");
  expect_message(read(CAIRN_COMPLEX128, (dir / "none").c_str(), &b), CAIRN_FILE_ERROR, "none");
  cairn_matrix narrow = b;
  narrow.words = rank() == 1 ? 0 : b.words;
  expect_message(read(CAIRN_COMPLEX128, path.c_str(), &narrow), CAIRN_ARGUMENT_ERROR, "B: ");
  EXPECT_EQ(B.data, A.data);
  expect_message(cairn_write_npy(comm.get(), CAIRN_COMPLEX128, path.c_str(), nullptr), CAIRN_ARGUMENT_ERROR, "a: NULL");
  expect_message(cairn_inspect_file(comm.get(), path.c_str(), nullptr), CAIRN_ARGUMENT_ERROR, "info: NULL");
}

TEST(CApi, PlansSayWhatTheCxxPlansSay) {
  const cairn_problem problem = {100, 90, 80, 12, CAIRN_FLOAT32, CAIRN_NONE, CAIRN_NONE, nullptr, nullptr, nullptr};
  cairn_plan* made = nullptr;
  ASSERT_EQ(cairn_plan_create(&problem, nullptr, &made), CAIRN_OK);
  const PlanHandle handle(made);
  GemmProblem p;
  p.m = 100, p.n = 90, p.k = 80, p.ranks = 12, p.type = ScalarType::float32;
  const Plan same = plan(p);
  EXPECT_EQ(cairn_plan_algorithm(made), same.algorithm());
  EXPECT_EQ(cairn_plan_explain(made), same.explain());
  EXPECT_EQ(cairn_plan_json(made), same.json());
  EXPECT_EQ(cairn_plan_predicted_seconds(made), same.predicted_seconds());
  cairn_count count;
  ASSERT_EQ(cairn_plan_count(made, 3, &count), CAIRN_OK);
  EXPECT_EQ(count.received, same.count(3).received);
  EXPECT_EQ(count.peak_words, same.count(3).peak_words);
  expect_message(cairn_plan_count(made, 12, &count), CAIRN_ARGUMENT_ERROR, "rank: 12");
  ASSERT_EQ(cairn_plan_max_count(made, &count), CAIRN_OK);
  EXPECT_EQ(count.received, same.max_count().received);
  expect_message(cairn_plan_max_count(made, nullptr), CAIRN_ARGUMENT_ERROR, "count: NULL");
  cairn_plan* again = nullptr;
  ASSERT_EQ(cairn_plan_from_json(cairn_plan_json(made), &again), CAIRN_OK) << cairn_error_message();
  EXPECT_EQ(cairn_plan_json(again), same.json());
  cairn_plan_free(again);
}

TEST(CApi, PlansFromOtherTextsAreRefused) {
  cairn_plan* product = nullptr;
  expect_message(cairn_plan_from_json("{}", &product), CAIRN_ARGUMENT_ERROR, "plan: no key 'problem'");
  expect_message(cairn_plan_from_json(nullptr, &product), CAIRN_ARGUMENT_ERROR, "json: NULL");
  expect_message(cairn_plan_from_json("{}", nullptr), CAIRN_ARGUMENT_ERROR, "plan: NULL");
  const std::string factorises = plan(FactoriseProblem{.n = 50, .ranks = 4}).json();
  expect_message(cairn_plan_from_json(factorises.c_str(), &product), CAIRN_ARGUMENT_ERROR,
                 "json: a plan of another kind, expected one of a product");
  EXPECT_EQ(product, nullptr);
}

TEST(CApi, PlansOnACommunicatorAreThoseOfTheCxxLibrary) {
  const CommHandle comm = world();
  cairn_problem problem = {100, 90, 80, 1, CAIRN_FLOAT32, CAIRN_NONE, CAIRN_NONE, nullptr, nullptr, nullptr};
  cairn_plan* made = nullptr;
  ASSERT_EQ(cairn_plan_create_on(comm.get(), &problem, nullptr, &made), CAIRN_OK) << cairn_error_message();
  GemmProblem p;
  p.m = 100, p.n = 90, p.k = 80, p.type = ScalarType::float32;
  EXPECT_EQ(cairn_plan_json(made), plan(Comm::world(), p).json());
  cairn_plan_free(made);
  if (rank() == 1) problem.op_a = static_cast<cairn_op>(7);
  expect_message(cairn_plan_create_on(comm.get(), &problem, nullptr, &made), CAIRN_ARGUMENT_ERROR, "op_a: 7");
  EXPECT_EQ(made, nullptr);
  cairn_factor_plan* factor = nullptr;
  const cairn_cholesky_problem factorises = {50, 1, CAIRN_FLOAT64, CAIRN_LOWER, nullptr};
  ASSERT_EQ(cairn_cholesky_plan_create_on(comm.get(), &factorises, nullptr, &factor), CAIRN_OK);
  EXPECT_EQ(cairn_factor_plan_json(factor), plan(Comm::world(), FactoriseProblem{.n = 50}).json());
  cairn_factor_plan_free(factor);
  const cairn_triangular_problem solves = {50,         20,           1,       CAIRN_FLOAT64, CAIRN_LEFT, CAIRN_LOWER,
                                           CAIRN_NONE, CAIRN_STORED, nullptr, nullptr};
  ASSERT_EQ(cairn_triangular_plan_create_on(comm.get(), &solves, nullptr, &factor), CAIRN_OK);
  EXPECT_EQ(cairn_factor_plan_json(factor), plan(Comm::world(), SolveProblem{.m = 50, .n = 20}).json());
  cairn_factor_plan_free(factor);
}

TEST(CApi, PlansAssumeTheKernelsThatTheyAreTold) {
  const CommHandle comm = world();
  const char* kernels = nullptr;
  ASSERT_EQ(cairn_kernels_in_use(comm.get(), &kernels), CAIRN_OK);
  EXPECT_EQ(kernels, kernels_in_use(Comm::world()));
  expect_message(cairn_kernels_in_use(comm.get(), nullptr), CAIRN_ARGUMENT_ERROR, "kernels: NULL");
  const cairn_problem problem = {100, 90, 80, 12, CAIRN_FLOAT32, CAIRN_NONE, CAIRN_NONE, nullptr, nullptr, nullptr};
  cairn_options options;
  cairn_options_init(&options);
  const auto seconds = [&](const char* name) {
    options.kernels = name;
    cairn_plan* made = nullptr;
    EXPECT_EQ(cairn_plan_create(&problem, &options, &made), CAIRN_OK) << cairn_error_message();
    return cairn_plan_predicted_seconds(PlanHandle(made).get());
  };
  EXPECT_EQ(seconds("Haswell"), seconds(nullptr));
  EXPECT_GT(seconds("Nehalem"), seconds("Haswell"));
  options.kernels = "Skylark";
  cairn_plan* none = nullptr;
  expect_message(cairn_plan_create(&problem, &options, &none), CAIRN_ARGUMENT_ERROR, "kernels: 'Skylark'");
}

}  // namespace
}  // namespace cairn::testing::capi_dense
