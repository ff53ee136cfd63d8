// Runs of a part of a plan, from which the hidden share of communication is told.
#include <gtest/gtest.h>

#include "distributed.hpp"

namespace cairn {
namespace {

constexpr const char* rounds = "cosma pm2,pn2,pk4,sk3";

struct Prepared {
  explicit Prepared(const Comm& comm) : run(comm, plan(problem(comm), {.algorithm = rounds, .look_ahead = 1})) {
    const Plan& p = run.plan();
    A = testing::filled<double>(p.layout_a(), comm.rank(), 1);
    B = testing::filled<double>(p.layout_b(), comm.rank(), 2);
  }
  static GemmProblem problem(const Comm& comm) {
    GemmProblem p;
    p.m = 50, p.n = 40, p.k = 60, p.ranks = comm.size();
    return p;
  }
  DistMatrix<double> product() { return DistMatrix<double>::own(run.plan().layout_c(), run.comm().rank()); }

  Multiplication<double> run;
  DistMatrix<double> A = DistMatrix<double>::own(Layout::on_one_rank(0, 0), 0), B = A;
};

TEST(Parts, ProductsAloneReceiveNothing) {
  const Comm world(MPI_COMM_WORLD);
  Prepared p(world);
  p.run.restrict_to(RunPart::products);
  const RunReport report = p.run.run(1, p.A, p.B, 0, p.product());
  EXPECT_EQ(report.received, 0);
  EXPECT_EQ(report.messages, 0);
  EXPECT_GT(report.gemm_seconds, 0);
}

TEST(Parts, AllButTheProductsReceivesWhatThePlanCounts) {
  const Comm world(MPI_COMM_WORLD);
  Prepared p(world);
  p.run.restrict_to(RunPart::all_but_the_products);
  const RunReport report = p.run.run(1, p.A, p.B, 0, p.product());
  const Count count = p.run.plan().count(world.rank());
  EXPECT_EQ(report.received, count.wire_words);
  EXPECT_EQ(report.messages, count.messages);
  EXPECT_EQ(report.gemm_seconds, 0);
}

TEST(Parts, TheWholeIsRightAfterwards) {
  const Comm world(MPI_COMM_WORLD);
  Prepared p(world);
  const DistMatrix<double> before = p.product(), after = p.product();
  p.run.run(1, p.A, p.B, 0, before);
  for (RunPart part : {RunPart::products, RunPart::all_but_the_products}) {
    p.run.restrict_to(part);
    p.run.run(1, p.A, p.B, 0, after);
  }
  p.run.restrict_to(RunPart::all);
  p.run.run(1, p.A, p.B, 0, after);
  for (Int i = 0; i < before.words(); ++i) ASSERT_EQ(before.data()[i], after.data()[i]);
}

}  // namespace
}  // namespace cairn
