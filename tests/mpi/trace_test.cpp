// The timeline of a run: valid trace-event JSON, every rank's steps under the schedule's labels.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "distributed.hpp"

namespace cairn {
namespace {

Multiplication<double> traced(const Comm& comm, const std::string& path) {
  GemmProblem p;
  p.m = p.n = p.k = 40, p.ranks = comm.size();
  Options options;
  options.algorithm = "cosma pm4,pn4,sk2";
  options.trace = path;
  return Multiplication<double>(comm, plan(p, options));
}

void run(Multiplication<double>& multiplication) {
  const Comm& comm = multiplication.comm();
  const Plan& p = multiplication.plan();
  multiplication.run(1, testing::filled<double>(p.layout_a(), comm.rank(), 1),
                     testing::filled<double>(p.layout_b(), comm.rank(), 2), 0,
                     testing::filled<double>(p.layout_c(), comm.rank(), 3));
}

TEST(Trace, HoldsEveryRanksStepsUnderTheirLabels) {
  const Comm world(MPI_COMM_WORLD);
  const std::string path = "cairn_trace_test.json";
  auto multiplication = traced(world, path);
  run(multiplication);
  if (world.rank() == 0) {
    const auto trace = nlohmann::json::parse(std::ifstream(path));
    std::set<int> ranks;
    Int gemms = 0;
    for (const auto& e : trace.at("traceEvents")) {
      if (e.at("ph") != "X") continue;
      ranks.insert(e.at("pid").get<int>());
      EXPECT_GE(e.at("ts").get<double>(), 0);
      EXPECT_GE(e.at("dur").get<double>(), 0);
      const auto name = e.at("name").get<std::string>();
      EXPECT_EQ(name.rfind("step ", 0), 0U) << name;
      EXPECT_NE(name.find("(cosma_rounds.cpp:"), name.npos) << name;
      gemms += e.at("cat") == "gemm";
    }
    EXPECT_EQ(ranks.size(), 16U);
    EXPECT_EQ(gemms, 16 * 2);
    std::remove(path.c_str());
  }
}

TEST(Trace, OfASolveThatFindsAZeroIsThereToo) {
  const Comm world(MPI_COMM_WORLD);
  const auto A = DistMatrix<double>::own(Layout::row_blocks(6, 6, world.size()), world.rank());
  const auto B = DistMatrix<double>::own(Layout::row_blocks(6, 2, world.size()), world.rank());
  A.for_each([](Int, Int, double& a) { a = 0; });
  B.for_each([](Int, Int, double& b) { b = 3; });
  const std::string path = "cairn_trace_of_no_solve_test.json";
  const RunReport report =
      solve_triangular(world, Side::left, Uplo::lower, Op::none, Diag::stored, 1.0, A, B, {.trace = path});
  EXPECT_EQ(report.info, 1);
  B.for_each([](Int, Int, double& b) { EXPECT_EQ(b, 3); });
  if (world.rank() != 0) return;
  std::ifstream file(path);
  ASSERT_TRUE(file.is_open());
  EXPECT_TRUE(nlohmann::json::parse(file).contains("traceEvents"));
  std::remove(path.c_str());
}

TEST(Trace, AFileThatCannotBeWrittenFailsOnEveryRank) {
  const Comm world(MPI_COMM_WORLD);
  auto multiplication = traced(world, "no/such/directory/trace.json");
  testing::expect_refused_alike<FileError>(
      world, [&] { run(multiplication); },
      "trace: no/such/directory/trace.json: cannot be written: no file can be made in directory no/such/directory: "
      "No such file or directory");
}

}  // namespace
}  // namespace cairn
