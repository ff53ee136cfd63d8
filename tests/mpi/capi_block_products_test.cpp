// The C API of block-sparse matrices: limits and reports of products, distributions to choose from, and plans.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "capi_blocks.hpp"

namespace cairn {
namespace {

using namespace testing::capi;

struct FreeWhere {
  void operator()(cairn_block_distribution* x) const { cairn_block_distribution_free(x); }
};
using Where = std::unique_ptr<cairn_block_distribution, FreeWhere>;
struct FreePlan {
  void operator()(cairn_block_plan* x) const { cairn_block_plan_free(x); }
};
using Plan = std::unique_ptr<cairn_block_plan, FreePlan>;

cairn_status multiplied(const Matrix& a, const Matrix& b, const Matrix& c, const cairn_block_product_options& options,
                        cairn_block_product_report* report) {
  const double one = 1, zero = 0;
  return cairn_block_multiply(CAIRN_NONE, CAIRN_NONE, &one, a.get(), b.get(), &zero, c.get(), &options, report);
}

TEST(CApiBlockProducts, AreChecked) {
  const CommHandle comm = world();
  const Matrix a = filled<double>(comm, 1), b = filled<double>(comm, 2), c = filled<double>(comm, 3),
               before = filled<double>(comm, 3);
  const double alpha = 2, beta = -1;
  EXPECT_DONE(
      cairn_block_multiply(CAIRN_TRANSPOSE, CAIRN_NONE, &alpha, a.get(), b.get(), &beta, c.get(), nullptr, nullptr));
  cairn_check_result result;
  const auto check = [&](const cairn_block_sparse* c0, double eps, cairn_check_result* to) {
    return cairn_check_block_multiply(CAIRN_TRANSPOSE, CAIRN_NONE, &alpha, a.get(), b.get(), &beta, c0, c.get(), eps, 8,
                                      to);
  };
  EXPECT_DONE(check(before.get(), 0, &result));
  EXPECT_LE(result.ratio, 1);
  const double shift = 1e-6;
  EXPECT_DONE(cairn_block_sparse_add_to_diagonal(c.get(), &shift));
  EXPECT_DONE(check(before.get(), 0, &result));
  EXPECT_GT(result.ratio, 1);
  EXPECT_DONE(check(before.get(), 1e-6, &result));  // a filter may have left that out
  EXPECT_LE(result.ratio, 1);
  expect_message(check(rank() == 1 ? nullptr : before.get(), 0, &result), CAIRN_ARGUMENT_ERROR, "C0");
  expect_message(check(before.get(), -1, &result), CAIRN_ARGUMENT_ERROR, "filter_eps");
  expect_message(check(before.get(), 0, rank() == 1 ? nullptr : &result), CAIRN_ARGUMENT_ERROR, "result: NULL");
}

TEST(CApiBlockProducts, LimitsAreThoseOfTheLibraryAndReportsSayHow) {
  const CommHandle comm = world();
  const Matrix a = filled<double>(comm, 1), b = filled<double>(comm, 2), c = filled<double>(comm, 3);
  const cairn_block_range rows = {0, 3}, cols = {2, 4}, inner = {0, 1};
  cairn_block_product_options options = {};
  options.rows = &rows, options.cols = &cols, options.inner = &inner;
  options.threads = 1;
  options.algorithm = "fetch25d 2x2";
  cairn_block_product_report report;
  EXPECT_DONE(multiplied(a, b, c, options, &report));
  EXPECT_STREQ(report.algorithm, "fetch25d 2x2");
  EXPECT_STREQ(report.transport, "two-sided");
  EXPECT_GE(report.multiply_seconds, 0);
  EXPECT_GE(report.wait_seconds, 0);
  EXPECT_LE(report.multiply_seconds + report.wait_seconds, report.seconds);
  for (int32_t i = 0; i < blocks; ++i)
    for (int32_t j = 0; j < blocks; ++j) {
      const int32_t height = sizes[static_cast<std::size_t>(i)], width = sizes[static_cast<std::size_t>(j)];
      if (!cairn_block_sparse_here(c.get(), i, j) || height * width == 0) continue;
      void* found = nullptr;
      EXPECT_DONE(cairn_block_sparse_find(c.get(), i, j, &found));
      const bool computed = i < 3 && j >= 2, product = computed && i != 3 && j != 3;
      ASSERT_EQ(found != nullptr, computed ? product : i + j != 3) << i << ' ' << j;
      if (!found) continue;
      double expected = computed ? 0 : value<double>(i, j, 0, 0, 3);
      for (int32_t l = 0; computed && l < sizes[0]; ++l)
        expected += value<double>(i, 0, 0, l, 1) * value<double>(0, j, l, 0, 2);
      EXPECT_EQ(*static_cast<double*>(found), expected) << i << ' ' << j;
    }
}

TEST(CApiBlockProducts, WrongLimitsOnOneRankAreReportedOnAll) {
  const CommHandle comm = world();
  const Matrix a = filled<double>(comm, 1), b = filled<double>(comm, 2), c = filled<double>(comm, 3);
  const bool here = rank() == ranks() - 1;
  const cairn_block_range all = {0, 4}, outside = {1, 5}, some = {1, 2};
  const auto refused = [&](auto set, const char* part) {
    cairn_block_product_options options = {};
    set(options);
    expect_message(multiplied(a, b, c, options, nullptr), CAIRN_ARGUMENT_ERROR, part);
  };
  refused([&](auto& o) { o.rows = here ? &outside : &all; }, "rows: blocks 1 to 5, expected a range of 0 to 4");
  refused([&](auto& o) { o.cols = here ? &outside : nullptr; }, "cols: blocks 1 to 5");
  refused([&](auto& o) { o.inner = here ? &outside : nullptr; }, "inner: blocks 1 to 5");
  refused([&](auto& o) { o.inner = here ? &some : nullptr; }, "arguments of the product");
  refused([&](auto& o) { o.threads = here ? -1 : 1; }, "threads: -1, expected 1 to 1024, or 0");
}

/// So many elements on a diagonal, and those beside them.
Matrix chain_of(const CommHandle& comm, int64_t count) {
  const std::vector<int32_t> ones(static_cast<std::size_t>(count), 1);
  cairn_block_sparse* made = nullptr;
  EXPECT_DONE(
      cairn_block_sparse_create(comm.get(), CAIRN_FLOAT64, count, ones.data(), count, ones.data(), nullptr, &made));
  const double one = 1;
  for (int32_t i = 0; i < count; ++i)
    for (int32_t j = std::max(0, i - 1); j <= i + 1; ++j)
      if (cairn_block_sparse_here(made, i, j)) {
        EXPECT_DONE(cairn_block_sparse_put(made, i, j, &one));
      }
  return Matrix(made);
}

TEST(CApiBlockProducts, DistributionsAreMadeAndChosen) {
  const CommHandle comm = world();
  const int64_t count = 12;
  std::vector<double> places;
  for (int64_t i = 0; i < count; ++i) places.insert(places.end(), {static_cast<double>(i), 0, 0});
  cairn_block_distribution *dealt = nullptr, *near = nullptr, *square = nullptr;
  EXPECT_DONE(cairn_block_distribution_dealt(count, count, ranks(), 1, &dealt));
  EXPECT_DONE(cairn_block_distribution_by_region(count, places.data(), ranks(), 1, &near));
  EXPECT_DONE(cairn_block_distribution_by_region(count, places.data(), ranks(), 0, &square));
  const Where freed_dealt(dealt), freed_near(near), freed_square(square);
  EXPECT_EQ(dealt->pr, ranks());
  EXPECT_EQ(square->pr, 2);
  EXPECT_EQ(square->pc, 2);
  const BlockDistribution same = BlockDistribution::dealt(count, count, ranks(), 1);
  EXPECT_TRUE(std::equal(same.row.begin(), same.row.end(), dealt->row));
  EXPECT_TRUE(std::is_sorted(near->row, near->row + count) ||
              std::is_sorted(near->row, near->row + count, std::greater<>()));

  const Matrix chain = chain_of(comm, count);
  cairn_block_sparse* const made = chain.get();
  const std::array candidates{*dealt, *near};
  std::array<cairn_distribution_cost, 2> costs;
  int64_t chosen = -1;
  EXPECT_DONE(cairn_distribution_costs(made, 2, candidates.data(), costs.data()));
  EXPECT_LT(costs[1].received, costs[0].received);
  EXPECT_GE(costs[0].busiest, 1);
  EXPECT_DONE(cairn_choose_distribution(made, 2, candidates.data(), &chosen));
  EXPECT_EQ(chosen, costs[1].busiest <= 1.1 * costs[0].busiest ? 1 : 0);

  cairn_block_distribution* usual = nullptr;
  EXPECT_DONE(cairn_block_distribution_chosen(made, &usual));
  const Where freed_usual(usual);
  EXPECT_EQ(usual->pr, ranks());  // three words meet each of the chain's ends: strips
  EXPECT_TRUE(std::is_sorted(usual->row, usual->row + count));

  const bool here = rank() == 1;
  expect_message(cairn_block_distribution_chosen(made, here ? nullptr : &usual), CAIRN_ARGUMENT_ERROR, "where: NULL");
  const auto choose = [&](int64_t number, const cairn_block_distribution* from, int64_t* to) {
    return cairn_choose_distribution(made, number, from, to);
  };
  expect_message(choose(here ? 1 : 2, candidates.data(), &chosen), CAIRN_ARGUMENT_ERROR, "number of distributions");
  expect_message(choose(2, here ? nullptr : candidates.data(), &chosen), CAIRN_ARGUMENT_ERROR, "candidates: NULL");
  expect_message(choose(2, candidates.data(), here ? nullptr : &chosen), CAIRN_ARGUMENT_ERROR, "chosen: NULL");
  expect_message(choose(0, nullptr, &chosen), CAIRN_ARGUMENT_ERROR, "candidates: none");
  expect_message(choose(here ? -1 : 2, candidates.data(), &chosen), CAIRN_ARGUMENT_ERROR, "count: -1, expected 0 to");
  expect_message(cairn_distribution_costs(made, 2, candidates.data(), here ? nullptr : costs.data()),
                 CAIRN_ARGUMENT_ERROR, "costs: NULL");
  EXPECT_DONE(cairn_distribution_costs(made, 0, nullptr, nullptr));
  expect_message(cairn_block_distribution_dealt(-1, 1, 1, 1, &dealt), CAIRN_ARGUMENT_ERROR, "block_rows: -1");
  expect_message(cairn_block_distribution_dealt(1, 1, 0, 0, &dealt), CAIRN_ARGUMENT_ERROR, "ranks: 0");
  expect_message(cairn_block_distribution_dealt(1, 1, 1, -1, &dealt), CAIRN_ARGUMENT_ERROR, "pc: -1");
  expect_message(cairn_block_distribution_dealt(1, 1, 1, 1, nullptr), CAIRN_ARGUMENT_ERROR, "where: NULL");
  expect_message(cairn_block_distribution_by_region(1, nullptr, 1, 1, &near), CAIRN_ARGUMENT_ERROR, "places: NULL");
  places[4] = std::numeric_limits<double>::infinity();
  expect_message(cairn_block_distribution_by_region(2, places.data(), 1, 1, &near), CAIRN_ARGUMENT_ERROR, "places");
}

TEST(CApiBlockProducts, PlansAreThoseOfTheLibrary) {
  cairn_block_problem problem;
  cairn_block_problem_init(&problem);
  problem.m = problem.n = problem.k = {48, 5};
  problem.occupancy_a = 0.2, problem.occupancy_b = 0.1;
  problem.ranks = 16;
  cairn_block_plan* made = nullptr;
  ASSERT_EQ(cairn_block_plan_create(&problem, nullptr, &made), CAIRN_OK) << cairn_error_message();
  const Plan freed(made);
  const BlockPlan same = plan(BlockProblem{{48, 5}, {48, 5}, {48, 5}, 0.2, 0.1, {}, 16});
  EXPECT_EQ(cairn_block_plan_algorithm(made), same.algorithm());
  EXPECT_EQ(cairn_block_plan_explain(made), same.explain());
  EXPECT_EQ(cairn_block_plan_json(made), same.json());
  cairn_block_plan* again = nullptr;
  ASSERT_EQ(cairn_block_plan_from_json(cairn_block_plan_json(made), &again), CAIRN_OK) << cairn_error_message();
  const Plan freed_again(again);
  EXPECT_EQ(cairn_block_plan_json(again), same.json());
  EXPECT_EQ(cairn_block_plan_predicted_seconds(made), same.predicted_seconds());
  EXPECT_EQ(cairn_block_plan_mean_received(made), same.mean_received());
  EXPECT_EQ(cairn_block_plan_exact(made), 0);
  int64_t pr = 0, pc = 0;
  EXPECT_DONE(cairn_block_plan_grid(made, &pr, &pc));
  EXPECT_EQ(pr * pc, 16);
  cairn_block_count count;
  EXPECT_DONE(cairn_block_plan_count(made, 3, &count));
  EXPECT_EQ(count.received_a + count.received_b + count.received_c, same.count(3).words());
  EXPECT_EQ(count.received_index, same.count(3).received_index);
  EXPECT_EQ(count.flops, same.count(3).flops);
  EXPECT_EQ(count.peak_words, same.count(3).peak_words);
  EXPECT_DONE(cairn_block_plan_max_count(made, &count));
  EXPECT_EQ(count.peak_words, same.max_count().peak_words);
  for (const auto text : {cairn_block_plan_algorithm, cairn_block_plan_explain, cairn_block_plan_json})
    EXPECT_EQ(text(nullptr), nullptr);
  for (const auto number : {cairn_block_plan_predicted_seconds, cairn_block_plan_mean_received})
    EXPECT_EQ(number(nullptr), 0);
  EXPECT_EQ(cairn_block_plan_exact(nullptr), 0);
  cairn_block_problem_init(nullptr);
  expect_message(cairn_block_plan_count(made, 16, &count), CAIRN_ARGUMENT_ERROR, "rank: 16, expected 0..15");
  expect_message(cairn_block_plan_grid(made, &pr, nullptr), CAIRN_ARGUMENT_ERROR, "pc: NULL");
}

TEST(CApiBlockProducts, PlansOfMatricesAreThoseOfTheLibrary) {
  const CommHandle comm = world();
  const double one = 1, zero = 0;
  const Matrix a = filled<double>(comm, 1), c = filled<double>(comm, 3);
  cairn_block_product_options options = {};
  options.algorithm = "fetch25d 2x2";
  cairn_block_plan* made = nullptr;
  EXPECT_DONE(
      cairn_block_plan_multiply(CAIRN_NONE, CAIRN_TRANSPOSE, &one, a.get(), a.get(), &zero, c.get(), &options, &made));
  const Plan freed(made);
  cairn_block_product_report report;
  EXPECT_DONE(
      cairn_block_multiply(CAIRN_NONE, CAIRN_TRANSPOSE, &one, a.get(), a.get(), &zero, c.get(), &options, &report));
  cairn_block_count count;
  EXPECT_DONE(cairn_block_plan_count(made, rank(), &count));
  EXPECT_STREQ(cairn_block_plan_algorithm(made), report.algorithm);
  EXPECT_EQ(cairn_block_plan_exact(made), 1);
  EXPECT_EQ(count.received_a + count.received_b, report.received);
  EXPECT_NE(std::string(cairn_block_plan_explain(made)).find("patterns that are there"), std::string::npos);
  expect_message(
      cairn_block_plan_multiply(CAIRN_NONE, CAIRN_NONE, &zero, a.get(), a.get(), &zero, c.get(), nullptr, &made),
      CAIRN_ARGUMENT_ERROR, "alpha: 0");
  expect_message(cairn_block_plan_multiply(CAIRN_NONE, CAIRN_NONE, &one, a.get(), a.get(), &zero, c.get(), nullptr,
                                           rank() == 0 ? nullptr : &made),
                 CAIRN_ARGUMENT_ERROR, "plan: NULL");
}

TEST(CApiBlockProducts, PlansRefuseWhatTheLibraryRefuses) {
  cairn_block_plan* made = nullptr;
  const auto refused = [&](auto set, cairn_status status, const char* part) {
    cairn_block_problem problem;
    cairn_options options;
    cairn_block_problem_init(&problem), cairn_options_init(&options);
    problem.m = problem.n = problem.k = {48, 5};
    problem.ranks = 16;
    set(problem, options);
    expect_message(cairn_block_plan_create(&problem, &options, &made), status, part);
  };
  refused([](auto& p, auto&) { p.occupancy_a = 2; }, CAIRN_ARGUMENT_ERROR, "occupancy of A");
  refused([](auto& p, auto&) { p.occupancy_c = -2; }, CAIRN_ARGUMENT_ERROR, "occupancy of C");
  refused([](auto& p, auto&) { p.m.size = -1; }, CAIRN_ARGUMENT_ERROR, "m");
  refused([](auto& p, auto&) { p.ranks = 0; }, CAIRN_ARGUMENT_ERROR, "ranks: 0");
  refused([](auto& p, auto&) { p.seed = -7; }, CAIRN_ARGUMENT_ERROR, "seed: -7, expected 0 or more, or -1");
  refused([](auto& p, auto&) { p.type = static_cast<cairn_type>(9); }, CAIRN_ARGUMENT_ERROR, "type: 9, expected 0..3");
  refused([](auto&, auto& o) { o.memory_words = 100; }, CAIRN_MEMORY_ERROR, "words");
  refused([](auto&, auto& o) { o.algorithm = "cosmo 4x4"; }, CAIRN_ARGUMENT_ERROR, "cosmo");
  expect_message(cairn_block_plan_create(nullptr, nullptr, &made), CAIRN_ARGUMENT_ERROR, "problem: NULL");
}

}  // namespace
}  // namespace cairn
