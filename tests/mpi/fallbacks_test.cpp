// Where MPI does not do what it should: every rank takes the same way out, says the same why, and the result is right;
// or every rank throws the same error.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cairn/block_sparse.hpp"
#include "distributed.hpp"
#include "interpret/count.hpp"
#include "planner/plan_data.hpp"
#include "planner/plan_factor.hpp"
#include "refusal.hpp"
#include "runtime/prepared_schedule.hpp"
#include "runtime/shared/shared_file.hpp"
#include "runtime/transport/lone_messages.hpp"
#include "runtime/window_pool.hpp"
#include "spoiled_mpi.hpp"

namespace cairn {
namespace {

using testing::spoiled;

class Fallbacks : public ::testing::Test {
 protected:
  Fallbacks() { WindowPool::of(comm.raw()).release(); }  // of the same ranks, from other tests
  ~Fallbacks() override { spoiled = {}; }

  Plan plan_of(const Options& options) const { return plan(testing::problem(50, 52, 54, comm.size()), options); }
  Plan planned(const std::string& transport, Int ranks_per_node = 4) const {
    return plan_of({.algorithm = "cosma pm2,pn2,pk4,sk2",
                    .look_ahead = 1,
                    .transport = transport,
                    .ranks_per_node = ranks_per_node});
  }
  Multiplication<double> prepared(const Plan& p) const { return Multiplication<double>(comm, p); }

  RunReport expect_right(Multiplication<double>& run) const {
    const DistMatrix<double> A = run.own_a(), B = run.own_b(), C = run.own_c();
    testing::fill(A, 1), testing::fill(B, 2);
    const RunReport report = run.run(1, A, B, 0, C);
    testing::expect_product(C, run.plan().problem());
    testing::expect_counted(report, run.count());
    return report;
  }

  // The plan's transport cannot be had, for this reason, and two-sided does as well as if it had been planned.
  void expect_two_sided(const Plan& p, const std::string& why) const {
    Multiplication<double> run = prepared(p);
    EXPECT_EQ(run.transport(), "two-sided");
    EXPECT_NE(run.obstacle().find(why), std::string::npos) << run.obstacle();
    EXPECT_NO_THROW(comm.agree_same("obstacle", run.obstacle()));
    EXPECT_EQ(run.count(), planned("two-sided", p.options().ranks_per_node).count(comm.rank()));
    expect_right(run);
  }

  // Every rank throws it, in the same words.
  template <class F>
  void expect_error(F f, const std::string& part) const {
    const std::string what = testing::refusal<RuntimeError>(f);
    EXPECT_NE(what.find(part), what.npos) << what;
    EXPECT_NO_THROW(comm.agree_same("message", what));
  }

  const testing::Another another;
  const Comm comm{another.raw};
};

// --- node-shared

TEST_F(Fallbacks, ANodeOfRanksOnTwoMachinesCannotShare) {
  spoiled.machine = [this] { return comm.rank() / 8; };
  expect_two_sided(planned("node-shared", 16), "ranks of one node are on different machines");
}

TEST_F(Fallbacks, OneNodeWithoutSharedMemoryMakesAllSendMessages) {
  if (comm.rank() / 4 == 1) spoiled.shared_files_failing = 1;
  expect_two_sided(planned("node-shared"), "the ranks of a node cannot map memory of one of them");
}

TEST_F(Fallbacks, OneRankWithoutRoomInSharedMemoryMakesAllSendMessages) {
  if (comm.rank() == 7) spoiled.reservations_failing = 1;
  expect_two_sided(planned("node-shared"), "the ranks of a node cannot map memory of one of them");
}

// A process of another container may have the number of the one that made the memory.
TEST(SharedFile, IsNotTakenForAnotherOne) {
  const SharedFile made = SharedFile::make(4096), other = SharedFile::make(4096);
  SharedFile::Name name = made.name();
  ASSERT_TRUE(SharedFile::find(name).is_open());
  name.descriptor = other.name().descriptor;
  EXPECT_FALSE(SharedFile::find(name).is_open());
  EXPECT_FALSE(SharedFile::find({}).is_open());
}

TEST_F(Fallbacks, SignalsDoNotKeepRanksFromSharingMemory) {
  constexpr Int bytes = (Int{5} << 20) + 3;
  spoiled.most_uninterrupted = 1 << 20;
  const SharedFile made = SharedFile::make(bytes);
  EXPECT_TRUE(made.reserve(0, bytes));
  struct stat status {};
  ASSERT_EQ(fstat(made.name().descriptor, &status), 0);
  EXPECT_GE(status.st_blocks * 512, bytes);
}

// Where MPI finds smaller nodes than the machine that was planned for has, a rank's share of a node's memory is larger.
TEST_F(Fallbacks, AShareOfTheNodesMemoryBeyondTheLimitIsNotTaken) {
  spoiled.machine = [this] { return comm.rank(); };
  Options o{.algorithm = "summa 4x4 b=27", .transport = "node-shared"};
  o.memory_words = plan_of(o).max_count().peak_words;
  Multiplication<double> run = prepared(plan_of(o));
  EXPECT_EQ(run.transport(), "two-sided");
  EXPECT_TRUE(run.obstacle().starts_with("a rank's share of its node's memory needs ")) << run.obstacle();
  EXPECT_TRUE(run.obstacle().ends_with(" words, " + std::to_string(*o.memory_words) + " are allowed"));
}

TEST_F(Fallbacks, WithoutMemoryToShareOperandsLieInTheirRanksOwn) {
  Multiplication<double> run = prepared(planned("node-shared", 16));
  const RunReport shared = expect_right(run);
  Multiplication<double> other = prepared(planned("node-shared", 16));
  spoiled.reservations_failing = 2;  // of A and of B
  const RunReport own = expect_right(other);
  EXPECT_EQ(other.transport(), "node-shared");
  EXPECT_LE(shared.copied_bytes, own.copied_bytes);
  Int copied[] = {shared.copied_bytes, own.copied_bytes};
  MPI_Allreduce(MPI_IN_PLACE, copied, 2, MPI_INT64_T, MPI_SUM, comm.raw());
  EXPECT_LT(copied[0], copied[1]);
}

TEST_F(Fallbacks, WithoutMemoryForANodesValuesARunIsAnErrorThatMayPass) {
  Multiplication<double> run = prepared(planned("node-shared"));
  const DistMatrix<double> A = run.own_a(), B = run.own_b(), C = run.own_c();
  if (comm.rank() == 5) spoiled.reservations_failing = 1;
  expect_error([&] { run.run(1, A, B, 0, C); }, "no memory for the values of a node that all of its ranks can map");
  expect_right(run);
}

// Nodes need not be consecutive ranks, nor of one size.
TEST_F(Fallbacks, NodesAreTheMachinesThatMpiFinds) {
  for (int kind = 0; kind < 3; ++kind) {
    const testing::Another fresh;
    spoiled.machine = [&] { return kind == 0 ? comm.rank() % 3 : kind == 1 ? comm.rank() * 7 % 5 : comm.rank() / 15; };
    for (const char* algorithm : {"cosma pm2,pn2,pk4,sk2", "summa 4x4 b=9", "hsumma 4x4 groups=2x2 M=16 b=4",
                                  "cannon 4x4", "cannon 4x2x2", "summa25d 2x4x2 b=5", "agarwal3d 2x2x4"}) {
      Multiplication<double> run(Comm(fresh.raw), plan_of({.algorithm = algorithm, .transport = "node-shared"}));
      EXPECT_EQ(run.transport(), "node-shared") << run.obstacle();
      Int crossed = expect_right(run).from_other_nodes;
      MPI_Allreduce(MPI_IN_PLACE, &crossed, 1, MPI_INT64_T, MPI_SUM, comm.raw());
      EXPECT_GT(crossed, 0) << algorithm;
    }
  }
}

// --- one-sided

struct Measuring {
  Measuring() { unsetenv("CAIRN_MEASURE_NODE"); }
  ~Measuring() { setenv("CAIRN_MEASURE_NODE", "0", 1); }
};
void let_nothing_arrive(int cores) {
  spoiled = {};
  spoiled.cores = cores, spoiled.nothing_arrives = true;
}

// Of ranks that are busy; where there is little to be busy with, where memory is limited, and where windows are wrong,
// they stay messages.
TEST_F(Fallbacks, PanelsAreFetchedWhereMessagesNeedTheirSender) {
  const auto transport = [](const Comm& of, Int n, Options options) {
    options.algorithm = fmt::format("cholesky 1x{} b=128", of.size());  // no search, which would take seconds
    return plan(of, FactoriseProblem{.n = n}, options).data().transport;
  };
  constexpr Int large = 1500, small = 200;
  let_nothing_arrive(comm.size());
  const testing::Another unasked, in_turns;
  EXPECT_FALSE(messages_need_sender(Comm(unasked.raw))) << "CAIRN_MEASURE_NODE is 0 in tests";
  const Measuring allowed;
  let_nothing_arrive(comm.size() - 1);
  EXPECT_FALSE(messages_need_sender(Comm(in_turns.raw))) << "more ranks than cores";
  let_nothing_arrive(comm.size());
  EXPECT_FALSE(messages_need_sender(comm, comm.rank() != 0)) << "rank 0 does not want to know";
  EXPECT_TRUE(messages_need_sender(comm, comm.rank() == 0));
  spoiled = {};
  EXPECT_TRUE(messages_need_sender(comm, false));
  EXPECT_EQ(transport(comm, large, {}), Transport::one_sided);
  EXPECT_EQ(transport(comm, small, {}), Transport::two_sided);
  EXPECT_EQ(transport(comm, large, {.memory_words = large * large}), Transport::two_sided);
  EXPECT_EQ(transport(comm, large, {.transport = "two-sided"}), Transport::two_sided);
  const testing::Another fresh;
  const Comm without_windows(fresh.raw);
  let_nothing_arrive(comm.size());
  spoiled.no_windows = true;
  EXPECT_TRUE(messages_need_sender(without_windows));
  EXPECT_EQ(transport(without_windows, large, {}), Transport::two_sided);
}

TEST_F(Fallbacks, PanelsOfBlocksAreFetchedWhereMessagesNeedTheirSender) {
  const Measuring allowed;
  let_nothing_arrive(comm.size());
  ASSERT_TRUE(messages_need_sender(comm));
  spoiled = {};
  const auto transport = [this](BlockIndex block, const BlockProductOptions& options) {
    const BlockSizes sizes(8, block);
    BlockSparse<double> A(comm, sizes, sizes), C(comm, sizes, sizes);
    const std::vector<double> ones(static_cast<std::size_t>(block * block), 1);
    for (BlockIndex i = 0; i < 8; ++i)
      for (BlockIndex j = 0; j < 8; ++j)
        if (A.here(i, j)) A.put(i, j, ones.data());
    const BlockProductReport report = multiply(Op::none, Op::none, 1.0, A, A, 0.0, C, options);
    EXPECT_EQ(C.norm(Norm::max), 8.0 * block);
    return report.transport;
  };
  constexpr BlockIndex large = 64, small = 4;
  EXPECT_EQ(transport(large, {}), "one-sided");
  EXPECT_EQ(transport(small, {}), "two-sided");
  EXPECT_EQ(transport(large, {.memory_words = Int{1} << 24}), "two-sided");
  EXPECT_EQ(transport(large, {.transport = "two-sided"}), "two-sided");
}

TEST_F(Fallbacks, AWrongWordOnOneRankMakesAllRanksSendMessages) {
  spoiled.fetches_beside = comm.rank() == 3;
  expect_two_sided(planned("one-sided"), "MPI_Rget brought a wrong word, number 1007 of rank 4's (rank 3)");
  spoiled = {};
  const testing::Another fresh;  // what was found is kept with the communicator
  Multiplication<double> elsewhere(Comm(fresh.raw), planned("one-sided"));
  EXPECT_EQ(elsewhere.transport(), "one-sided") << elsewhere.obstacle();
}

TEST_F(Fallbacks, AFetchThatFailsOnOneRankMakesAllRanksSendMessages) {
  spoiled.fetches_fail = comm.rank() == 5;
  expect_two_sided(planned("one-sided"), "MPI_Rget failed: ");
}

TEST_F(Fallbacks, AWrongSumOfOneTypeMakesAllRanksSendMessages) {
  spoiled.no_sum_of = MPI_C_FLOAT_COMPLEX;
  expect_two_sided(planned("one-sided"), "MPI_Accumulate made a wrong sum of complex float, number ");
}

TEST_F(Fallbacks, WindowsWithAMemoryOfTheirOwnAreNotUsed) {
  spoiled.separate_memory = comm.rank() == 7;
  expect_two_sided(planned("one-sided"), "windows have a memory of their own (MPI_WIN_SEPARATE)");
}

TEST_F(Fallbacks, NoWindowIsAskedForWhereThereIsNoRoom) {
  const Plan p = planned("one-sided");
  ASSERT_EQ(prepared(p).transport(), "one-sided");  // after the self-test
  WindowPool::of(comm.raw()).release();
  spoiled.full = comm.rank() == 2;
  expect_two_sided(p, " bytes of /dev/shm, which has room for ");
}

TEST_F(Fallbacks, WithoutWindowsMessagesAreSent) {
  spoiled.no_windows = true;
  expect_two_sided(planned("one-sided"), "MPI_Win_allocate failed: ");
}

TEST_F(Fallbacks, AWindowThatCannotBeMadeAfterTheSelfTestIsNotMissed) {
  Multiplication<double> first = prepared(planned("one-sided"));
  ASSERT_EQ(first.transport(), "one-sided") << first.obstacle();
  spoiled.no_windows = true;
  expect_two_sided(planned("one-sided"), "MPI_Win_allocate failed: ");
}

TEST_F(Fallbacks, MoreNoticesThanTagsAreNotSent) {
  spoiled.largest_tag = 32768 + 3;
  expect_two_sided(planned("one-sided"), " steps, for which this MPI library has too few tags");
}

// The blocks of B are half of 2³³ words, in four parts; nobody makes them.
TEST_F(Fallbacks, LongerMessagesThanAnIntCountsAreNotFetched) {
  const Plan p = plan(testing::problem(4, Int{1} << 17, Int{1} << 16, 2), {.algorithm = "cosma pm2"});
  const Schedule& s = p.data().wire;
  const auto why = [&](const Schedule& of, Transport t) {
    return too_much_for_one_sided(compile(of, 0, t), of.steps.size());
  };
  EXPECT_EQ(why(s, Transport::one_sided),
            "a message of more than 2147483647 words, which one-sided transport does not cut");
  EXPECT_EQ(why(planned("one-sided").data().wire, Transport::one_sided), std::nullopt);
  const Program program = compile(s, 0);
  const TypedMessages typed(program, ScalarType::float64);
  for (const Operation& op : program.operations)
    if (const auto* e = std::get_if<Exchange>(&op.what))
      for (std::size_t i = 0; i < e->receives.size(); ++i) {
        const TypedBuffer& buffer = typed.exchanged(e->first_request + i);
        MPI_Count bytes = 0;
        MPI_Type_size_x(buffer.type, &bytes);
        EXPECT_EQ(bytes * buffer.count, 8 * e->receives[i].words);  // two-sided messages are cut
      }
}

// --- runs

TEST_F(Fallbacks, AnErrorOfMpiNamesItsStep) {
  for (const char* transport : {"two-sided", "node-shared"}) {
    Multiplication<double> run = prepared(planned(transport));
    const DistMatrix<double> A = run.own_a(), B = run.own_b(), C = run.own_c();
    spoiled.receives_fail = true;
    const std::string what = testing::refusal<RuntimeError>([&] { run.run(1, A, B, 0, C); });
    EXPECT_TRUE(what.starts_with("step ")) << what;
    EXPECT_NE(what.find(": MPI_Irecv failed: "), what.npos) << what;
    spoiled.receives_fail = false;
  }
}

TEST_F(Fallbacks, WordsThatThePlanDoesNotCountAreAnErrorWhereTheyAreVerified) {
  for (const char* transport : {"two-sided", "node-shared"}) {
    Options o = planned(transport).options();
    o.verify_counts = true;
    Multiplication<double> run = prepared(plan_of(o));
    expect_right(run);
    const DistMatrix<double> A = run.own_a(), B = run.own_b(), C = run.own_c();
    spoiled.words_more = comm.rank() == 6 ? 1 : 0;
    expect_error([&] { run.run(1, A, B, 0, C); }, "where the plan counts ");
    spoiled.words_more = 0;
    expect_right(run);
  }
}

}  // namespace
}  // namespace cairn
