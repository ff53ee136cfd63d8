// Runs after the first few do not wait for each other's arguments: wrong ones on a single rank are told on all the
// same, no rank waits for ever, and the next run is right.
#include "runtime/agreement.hpp"

#include <gtest/gtest.h>

#include "distributed.hpp"
#include "shared_directory.hpp"

static bool everyone_alone = false;
static int reductions = 0;  // for which this rank waited

extern "C" {

int MPI_Allreduce(const void* from, void* to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++reductions;
  return PMPI_Allreduce(from, to, n, type, op, comm);
}

// No two ranks share a node.
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made) {
  if (!everyone_alone) return PMPI_Comm_split_type(comm, type, key, info, made);
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return PMPI_Comm_split(comm, rank, key, made);
}

}  // extern "C"

namespace cairn {
namespace {

constexpr int warm = 10;  // runs, after which ranks go ahead

GemmProblem problem(int ranks) { return testing::problem(40, 48, 56, ranks); }

/// On one node, or on as many as there are ranks.
class Ahead : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override { everyone_alone = GetParam(); }
  void TearDown() override { everyone_alone = false; }

  struct Ready {
    Ready() {
      for (int i = 0; i < warm; ++i) run.run(1, A, B, 0, C);
    }
    testing::Another another;
    Comm comm{another.raw};
    Multiplication<double> run{comm, plan(problem(comm.size()), {.algorithm = "cosma pm4,pn2,pk2"})};
    DistMatrix<double> A = testing::filled<double>(run.plan().layout_a(), comm.rank(), 1);
    DistMatrix<double> B = testing::filled<double>(run.plan().layout_b(), comm.rank(), 2);
    DistMatrix<double> C = testing::filled<double>(run.plan().layout_c(), comm.rank(), 3);
  };

  /// The same words on every rank, and a right run after them.
  template <class F>
  static void expect_refusal(Ready& x, F f, const std::string& part) {
    testing::expect_refused_alike(x.comm, f, part);
    testing::fill(x.C, 3);
    x.run.run(1, x.A, x.B, 0, x.C);
    testing::expect_product(x.C, problem(x.comm.size()));
  }
};

DistMatrix<double> null(const DistMatrix<double>& X) {
  return DistMatrix<double>::borrow(X.layout(), X.rank(), nullptr, X.words());
}
DistMatrix<double> narrow(const DistMatrix<double>& X) {
  return DistMatrix<double>::borrow(X.layout(), X.rank(), X.data(), X.words(), 1);
}

TEST_P(Ahead, LaterRunsWaitForNoReduction) {
  Ready x;
  const auto reductions_of = [&](double beta) {
    reductions = 0;
    x.run.run(1, x.A, x.B, beta, x.C);
    return reductions;
  };
  EXPECT_EQ(reductions_of(0), 0);
  EXPECT_EQ(reductions_of(1), 0);  // waited for otherwise, as it adds to C
  testing::expect_product(x.C, problem(x.comm.size()), 2.0);
}

TEST_P(Ahead, TheFirstRunsWaitAndFewRanksOfSeveralNodesAlwaysDo) {
  for (Int ranks : {1, 4, 5}) {
    const testing::Group group({ranks});
    if (!group.member()) continue;
    const Comm comm(group.raw());
    const bool waits = ranks == 1 || (everyone_alone && ranks <= 4);  // one rank alone has nobody to ask
    for (int run = 1; run <= warm; ++run)
      EXPECT_EQ(Agreements::before_run(comm).may_go_ahead(), !waits && run >= (everyone_alone ? 2 : 8)) << run;
  }
}

TEST_P(Ahead, AWrongArgumentOnAnyOneRankIsToldOnAll) {
  Ready x;
  for (int wrong : {0, 6, x.comm.size() - 1}) {
    const bool me = x.comm.rank() == wrong;
    const std::string where = " (rank " + std::to_string(wrong) + ")";
    expect_refusal(
        x, [&] { x.run.run(1, me ? null(x.A) : x.A, x.B, 0, x.C); }, "A: null, expected room");
    expect_refusal(
        x, [&] { x.run.run(1, x.A, me ? narrow(x.B) : x.B, 0, x.C); }, "B: leading dimension 1");
    expect_refusal(
        x, [&] { x.run.run(1, x.A, x.B, 0, me ? null(x.C) : x.C); }, where);
    expect_refusal(
        x, [&] { x.run.run(1, me ? x.B : x.A, x.B, 0, x.C); }, "A: 56x48, expected 40x56" + where);
  }
}

TEST_P(Ahead, WhatIsWrongOnAllRanksIsToldOfNoRank) {
  Ready x;
  const auto wrong = [&] { x.run.run(1, x.B, x.B, 0, x.C); };
  expect_refusal(x, wrong, "A: 56x48, expected 40x56");
  EXPECT_EQ(testing::refusal(wrong).find("rank"), std::string::npos);
}

TEST_P(Ahead, ScalarsThatDifferOnOneRankAreRefused) {
  Ready x;
  const bool me = x.comm.rank() == 5;
  const auto run = [&](double alpha, double beta) { x.run.run(alpha, x.A, x.B, beta, x.C); };
  expect_refusal(
      x, [&] { run(me ? 2 : 1, 0); }, "alpha and beta: 2 and 0 here, 1 and 0 on rank 0");
  expect_refusal(
      x, [&] { run(me ? 0 : 1, 0); }, "alpha and beta: 0 and 0 here");
  expect_refusal(
      x, [&] { run(1, me ? 1 : 0); }, "alpha and beta: 1 and 1 here");
  expect_refusal(
      x, [&] { run(1, me ? 0 : 1); }, "alpha and beta: 1 and 0 here");
  expect_refusal(
      x, [&] { run(me ? 1 : 0, me ? 0 : 1); }, "alpha and beta: 1 and 0 here");
}

TEST_P(Ahead, WhatARefusedRunWouldHaveAddedToStaysAsItWas) {
  Ready x;
  const bool me = x.comm.rank() == 5;
  testing::fill(x.C, 3);
  const std::vector<double> before(x.C.data(), x.C.data() + x.C.words());
  const auto expect_kept = [&] { EXPECT_TRUE(std::equal(before.begin(), before.end(), x.C.data())); };
  EXPECT_THROW(x.run.run(1, me ? null(x.A) : x.A, x.B, 1, x.C), ArgumentError);
  expect_kept();
  EXPECT_THROW(x.run.run(1, x.A, x.B, me ? 0 : 1, x.C), ArgumentError);
  if (!me) expect_kept();
}

TEST_P(Ahead, ARefusedRunLeavesNoTrace) {
  const testing::SharedDirectory dir;
  const testing::Another another;
  const Comm comm(another.raw);
  Multiplication<double> run(comm, plan(problem(comm.size()), {.algorithm = "cosma pm4,pn2,pk2", .trace = dir / "t"}));
  const auto A = DistMatrix<double>::own(run.plan().layout_a(), comm.rank()),
             B = DistMatrix<double>::own(run.plan().layout_b(), comm.rank()),
             C = DistMatrix<double>::own(run.plan().layout_c(), comm.rank());
  for (int i = 0; i < warm; ++i) EXPECT_THROW(run.run(1, A, comm.rank() == 0 ? null(B) : B, 0, C), ArgumentError);
  EXPECT_EQ(dir.files(), 0);
  run.run(1, A, B, 0, C);
  EXPECT_EQ(dir.files(), 1);
}

TEST_P(Ahead, RunsOfSeveralPlansOnOneCommunicatorFollowEachOther) {
  Ready x;
  Multiplication<float> other(x.comm, [&] {
    GemmProblem p = problem(x.comm.size());
    p.type = ScalarType::float32;
    return plan(p, {.algorithm = "summa 4x4 b=16"});
  }());
  const int me = x.comm.rank();
  const auto A = testing::filled<float>(other.plan().layout_a(), me, 1);
  const auto B = testing::filled<float>(other.plan().layout_b(), me, 2);
  for (int i = 0; i < warm; ++i) {
    const auto C = testing::filled<float>(other.plan().layout_c(), me, 3);
    const float beta = i % 3 == 0 ? 1 : 0;
    other.run(1, A, B, beta, C);
    testing::expect_product<float>(C, problem(x.comm.size()), 1, beta);
    expect_refusal(
        x, [&] { x.run.run(1, x.A, me == i ? null(x.B) : x.B, 0, x.C); }, "B: null");
  }
}

TEST_P(Ahead, MessagesOfTheProgramMoveWhileRanksWaitForEachOther) {
  Ready x;
  const int p = x.comm.size(), me = x.comm.rank(), words = 1 << 18;  // too long to leave before they are received
  const std::vector<double> sent(static_cast<std::size_t>(words), 1);
  std::vector<double> got(sent.size());
  for (double beta : {0.0, 1.0}) {
    testing::fill(x.C, 3);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(sent.data(), words, MPI_DOUBLE, (me + 1) % p, 0, MPI_COMM_WORLD, &request);
    const auto receive = [&] {
      MPI_Recv(got.data(), words, MPI_DOUBLE, (me + p - 1) % p, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    };
    if (me % 2 == 1) receive();  // before the run, while the sender is in it
    x.run.run(1, x.A, x.B, beta, x.C);
    if (me % 2 == 0) receive();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    testing::expect_product(x.C, problem(p), 1.0, beta);
  }
}

INSTANTIATE_TEST_SUITE_P(Nodes, Ahead, ::testing::Bool(),
                         [](const auto& alone) { return alone.param ? "AsManyAsRanks" : "One"; });

}  // namespace
}  // namespace cairn
