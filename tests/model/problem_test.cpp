// What is known of problems before anything is planned.
#include "model/problem.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "base/arithmetic.hpp"

namespace cairn {
namespace {

constexpr Int n = 1000;

Solve solve(Int order, Int others, Side side) {
  Solve x;
  x.m = side == Side::left ? order : others, x.n = side == Side::left ? others : order, x.side = side;
  return x;
}

TEST(Problem, IsSpelledWithAllThatMatters) {
  EXPECT_EQ(spelled(Multiply{3, 4, 5}), "m=3 n=4 k=5");
  EXPECT_EQ(spelled(Factorise{7, Uplo::upper}), "potrf n=7 uplo=upper");
  EXPECT_EQ(spelled(Solve{3, 4, Side::right, Uplo::upper, Op::adjoint, Diag::unit}),
            "trsm m=3 n=4 side=right uplo=upper op=adjoint diag=unit");
}

TEST(Problem, NamesOfWhatNoEnumeratorIsAreUnknown) {
  EXPECT_EQ(name_of(Uplo::upper), "upper");
  EXPECT_EQ(name_of(static_cast<Uplo>(9)), "unknown");
  EXPECT_EQ(name_of(Op::adjoint), "adjoint");
  EXPECT_EQ(name_of(static_cast<Op>(3)), "unknown");
}

TEST(Problem, SolutionsAndFactorsTakeTheirOperandsPlace) {
  EXPECT_TRUE(in_place(Factorise{n, Uplo::lower}));
  EXPECT_TRUE(in_place(solve(n, 5, Side::left)));
  EXPECT_FALSE(in_place(Multiply{n, n, n}));
  EXPECT_EQ(result_of(solve(n, 5, Side::left)).m, n);
  EXPECT_EQ(result_of(solve(n, 5, Side::right)).n, n);
}

TEST(Problem, FlopsAreThoseOfLapacksNote) {
  EXPECT_EQ(flops(Multiply{2, 3, 4}), 48);
  EXPECT_EQ(flops(Factorise{2, Uplo::lower}), 5);  // two roots, a division, a product and a sum
  EXPECT_EQ(flops(solve(10, 3, Side::left)), 300);
  EXPECT_EQ(flops(solve(10, 3, Side::right)), 300);
}

// In units of n², for as many right-hand sides as unknowns.
TEST(Problem, ReceivedBoundsOfTriangles) {
  for (auto [p, cholesky, trsm] : {std::tuple<Int, double, double>{4, 0.036, 0.125},
                                   {8, 0.055, 0.160},
                                   {64, 0.029, 0.079},
                                   {1024, 0.006, 0.016}}) {
    EXPECT_NEAR(received_bound(Factorise{n, Uplo::lower}, p) / real(n * n), cholesky, 0.0006) << p;
    EXPECT_NEAR(received_bound(solve(n, n, Side::left), p) / real(n * n), trsm, 0.0006) << p;
  }
  EXPECT_EQ(received_bound(solve(n, 50 * n, Side::right), 1), 0);
  EXPECT_EQ(received_bound(solve(n, 7, Side::right), 16), received_bound(solve(n, 7, Side::left), 16));
}

}  // namespace
}  // namespace cairn
