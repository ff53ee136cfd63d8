// Triangles and factorisations through the interpreters.
#include <gtest/gtest.h>

#include "cairn/error.hpp"
#include "interpret/check.hpp"
#include "interpret/clock.hpp"
#include "interpret/count.hpp"
#include "interpret/reference.hpp"
#include "interpret/replay/replay.hpp"
#include "rank_by_rank.hpp"
#include "refusal.hpp"
#include "schedule/kernels.hpp"
#include "schedule/passes/passes.hpp"
#include "schedule/text.hpp"
#include "triangular.hpp"

namespace cairn {
namespace {

using testing::CholeskyCase;

template <class F>
void for_all(const std::vector<CholeskyCase>& cases, F f) {
  for (const CholeskyCase& c : cases) {
    SCOPED_TRACE(::testing::Message() << c.spelling() << " n=" << c.n << ' ' << name_of(c.triangle));
    f(c, c.schedule(1));
  }
}
template <class F>
void for_all_cases(F f) {
  for_all(testing::cholesky_cases(), f);
  for_all(testing::triangle_block_cases(), f);
  for_all(testing::fat_panel_cases(), f);
}

TEST(Cholesky, PassesTheCheckerAlsoWithPanelsThatTravelEarly) {
  for_all_cases([](const CholeskyCase&, const Schedule& s) {
    ASSERT_NO_THROW(check(s));
    for (int depth : {1, 2}) ASSERT_NO_THROW(check(expand_collectives(look_ahead(s, depth))));
  });
}

// Also of the first block, before which nothing was subtracted.
TEST(Cholesky, APanelIsNotSolvedWithWhatWasNotFactored) {
  Schedule s = make_algorithm(FactoriseProblem{.n = 4, .ranks = 4}, "cholesky 2x2 b=2");
  std::swap(s.steps[0], s.steps[1]);  // the first block travels before it is factored
  EXPECT_NE(testing::refusal<ScheduleError>([&] { check(s); }).find("is not what is to be solved with"),
            std::string::npos);
}

TEST(Cholesky, TheReferenceComputesTheFactor) {
  for_all_cases([](const CholeskyCase& c, const Schedule& s) {
    Dense A(c.n, c.n);
    for (Int j = 0; j < c.n; ++j)
      for (Int i = 0; i < c.n; ++i)
        A(i, j) = counts(c.triangle, i, j) ? testing::factored_element<double>(i, j) : testing::untouched(i, j);
    for (const Schedule& made : {s, expand_collectives(look_ahead(s, 1)), expand_collectives(look_ahead(s, 2))}) {
      const Dense L = reference(made, {&A}, 1, 0);
      for (Int j = 0; j < c.n; ++j)
        for (Int i = j; i < c.n; ++i)
          ASSERT_EQ(c.triangle == Uplo::lower ? L(i, j) : L(j, i), testing::factor_element<double>(i, j))
              << i << ' ' << j;
    }
  });
}

TEST(Cholesky, CountsFlopsOfTrianglesOnAllRanks) {
  const auto counts_them = [](const CholeskyCase&, const Schedule& s) {
    const Schedule wire = expand_collectives(s);
    Int all = 0;
    for (Int r = 0; r < s.ranks; ++r) all += count(s, wire, r).flops;
    ASSERT_EQ(static_cast<double>(all), flops(s.problem));
    ASSERT_EQ(count_all(s, wire).total_flops, flops(s.problem));
  };
  for_all(testing::cholesky_cases(), counts_them);
  for_all(testing::fat_panel_cases(), counts_them);
}

TEST(Cholesky, CountsByClassesAreTheRanksOwn) {
  for_all_cases([](const CholeskyCase&, const Schedule& s) {
    const Schedule wire = expand_collectives(look_ahead(s, 1));
    testing::expect_counts_rank_by_rank(count_all(s, wire), s, wire);
  });
}

// Exactly, where a port carries one message at a time. On larger grids the root of a broadcast along its row posts one
// along its column at once: in the replay both share its port, while the clock lets the first go first (docs/clock.md,
// "What the clock leaves out").
TEST(Cholesky, TheClockAgreesWithTheReplay) {
  Machine machine;
  machine.gemm.flops_per_second.fill(1e9);  // at any size
  machine.levels = {{"network", 0, 1e-5, 1e-9}};
  for (auto [grid, ranks, most] :
       {std::tuple<const char*, Int, double>{"1x1", 1, 1e-9}, {"1x2", 2, 1e-9}, {"2x1", 2, 0.01}, {"3x2", 6, 0.1}}) {
    const Schedule s = expand_collectives(CholeskyCase{240, grid, 24, Uplo::lower, ranks}.schedule());
    const Timing clocked = clock_all(s, machine, ScalarType::float64),
                 replayed = replay(s, machine, ScalarType::float64);
    EXPECT_NEAR(clocked.computation.mean / replayed.computation.mean, 1, 1e-9);
    EXPECT_NEAR(clocked.computation.max / replayed.computation.max, 1, 1e-9);
    EXPECT_NEAR(clocked.last.seconds / replayed.last.seconds, 1, most) << grid;
  }
}

TEST(Cholesky, TextTellsAllOfIt) {
  for_all_cases([](const CholeskyCase&, const Schedule& s) { ASSERT_EQ(parse_schedule(print(s)), s); });
  const std::string text = print(CholeskyCase{8, "1x1x2", 2, Uplo::lower, 2}.schedule(), {.sources = false});
  for (const char* line : {"problem potrf n=8 uplo=lower ranks=2", "output  A[0:8/i%b2, 0:8/(j%b4,l%b2)] col lower",
                           "= scal 0", "^H right", "+= gemmt -1 %"})
    EXPECT_NE(text.find(line), std::string::npos) << line << '\n' << text;
}

// --- what the checker refuses

void expect_refused(const Schedule& s, const std::string& why) {
  const std::string said = testing::refusal<ScheduleError>([&] { check(s); });
  EXPECT_NE(said.find(why), said.npos) << said;
}

Schedule good() { return CholeskyCase{16, "2x2", 4, Uplo::lower, 4}.schedule(); }

std::vector<std::size_t> steps_of(const Schedule& s, Kernel kernel) {
  std::vector<std::size_t> all;
  for (std::size_t t = 0; t < s.steps.size(); ++t)
    if (const auto* x = std::get_if<Compute>(&s.steps[t].step); x && x->kernel == kernel) all.push_back(t);
  return all;
}

void erase(Schedule& s, std::size_t step) { s.steps.erase(s.steps.begin() + static_cast<std::ptrdiff_t>(step)); }

TEST(Check, RefusesAFactorOfWhatWasNotUpdatedOnce) {
  Schedule s = good();
  erase(s, steps_of(s, Kernel::gemmt)[0]);
  expect_refused(s, "what comes before it was not subtracted once");
  s = good();
  const std::size_t update = steps_of(s, Kernel::gemmt)[0];
  s.steps.insert(s.steps.begin() + static_cast<std::ptrdiff_t>(update), s.steps[update]);
  expect_refused(s, "what comes before it was not subtracted once");
  s = good();
  std::get<Compute>(s.steps[update].step).factor = Factor::one;
  expect_refused(s, "what comes before it was not subtracted once");
}

TEST(Check, RefusesLayersWhoseSumsWereNotAddedOnce) {
  const Schedule layered = CholeskyCase{16, "1x1x2", 4, Uplo::lower, 2}.schedule();
  for (std::size_t t = 0; t < layered.steps.size(); ++t) {
    if (!std::holds_alternative<Reduce>(layered.steps[t].step)) continue;
    Schedule s = layered;
    s.steps.insert(s.steps.begin() + static_cast<std::ptrdiff_t>(t), s.steps[t]);
    if (t > 1) expect_refused(s, "what comes before it was not subtracted once");  // the first adds zeros
    s = layered;
    erase(s, t);
    if (t > 1) expect_refused(s, "what comes before it was not subtracted once");
  }
}

TEST(Check, RefusesPanelsThatWereNotSolvedAndTrianglesThatWereNotFactored) {
  for (Kernel kernel : {Kernel::trsm, Kernel::potrf})
    for (std::size_t which : {std::size_t{0}, std::size_t{1}}) {
      Schedule s = good();
      erase(s, steps_of(s, kernel)[which]);
      EXPECT_THROW(check(s), ScheduleError);
    }
  Schedule s = good();
  erase(s, steps_of(s, Kernel::potrf).back());
  expect_refused(s, "some elements of the result were never finished");
}

// --- triangles

TEST(Uplo, CountedPartsAreTheElementsThatCountEachOnce) {
  const std::vector<IndexSet> sets{{}, {{0, 9}}, {{0, 3}, {6, 9}}, {{3, 6}, {9, 12}}, {{2, 4}, {5, 6}, {8, 11}}};
  for (Uplo uplo : {Uplo::full, Uplo::lower, Uplo::upper})
    for (const IndexSet& rows : sets)
      for (const IndexSet& cols : sets) {
        Int expected = 0;
        for (Range r : rows.pieces())
          for (Int i = r.lo; i < r.hi; ++i)
            for (Range c : cols.pieces())
              for (Int j = c.lo; j < c.hi; ++j) {
                Int named = 0;
                for (const CountedPart& p : counted_parts(uplo, rows, cols))
                  named += p.rows.local(i) >= 0 && p.cols.local(j) >= 0 && (!p.on_diagonal || counts(uplo, i, j));
                ASSERT_EQ(named, counts(uplo, i, j) ? 1 : 0) << i << ' ' << j;
                expected += named;
              }
        ASSERT_EQ(counted(uplo, rows, cols), expected);
      }
}

}  // namespace
}  // namespace cairn
