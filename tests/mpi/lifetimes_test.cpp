// Communicators end at different times, and in different orders, on different ranks: nothing of Cairn's waits for that.
#include <gtest/gtest.h>

#include <memory>

#include "distributed.hpp"

namespace {

// As a program may have it: MPI ends after everything static that Cairn made in the meantime.
const cairn::MpiSession session(nullptr, nullptr);

int living_windows = 0, handlers_set = 0;

}  // namespace

extern "C" {

int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win) {
  ++living_windows;
  return PMPI_Win_allocate(size, unit, info, comm, base, win);
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler handler) {
  handlers_set += comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF ? 1 : 0;
  return PMPI_Comm_set_errhandler(comm, handler);
}

int MPI_Win_free(MPI_Win* win) {
  --living_windows;
  return PMPI_Win_free(win);
}

}  // extern "C"

namespace cairn {
namespace {

using testing::Another;

// A plain call, whose plan stays with the communicator.
void multiply_on(const Comm& comm, const std::string& transport) {
  const Int p = comm.size();
  const auto A = testing::filled<double>(Layout::row_blocks(50, 40, p), comm.rank(), 1);
  const auto B = testing::filled<double>(Layout::row_blocks(40, 60, p), comm.rank(), 2);
  const auto C = testing::filled<double>(Layout::row_blocks(50, 60, p), comm.rank(), 3);
  multiply(comm, A, B, C, {.transport = transport});
  testing::expect_product(C, testing::problem(50, 60, 40, p));
}

TEST(Comm, OfAFreedCommunicatorIsRefused) {
  for (const bool used : {false, true}) {
    MPI_Comm freed = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &freed);
    const MPI_Comm handle = freed;
    if (used) (void)Comm(handle);
    MPI_Comm_free(&freed);
    EXPECT_THROW(Comm{handle}, ArgumentError) << used;
  }
}

TEST(Comm, OfAKnownCommunicatorLeavesTheErrorHandlersAlone) {
  const Another comm;
  const Comm first(comm.raw);
  handlers_set = 0;
  EXPECT_EQ(Comm(comm.raw).raw(), first.raw());
  EXPECT_EQ(Comm::world().raw(), Comm::world().raw());
  EXPECT_EQ(Comm::self().size(), 1);
  EXPECT_EQ(handlers_set, 0);
}

class Lifetimes : public ::testing::TestWithParam<const char*> {};

TEST_P(Lifetimes, EndInAnyOrder) {
  auto first = std::make_unique<Another>(), second = std::make_unique<Another>();
  multiply_on(Comm(first->raw), GetParam());
  multiply_on(Comm(second->raw), GetParam());
  if (Comm::world().rank() % 2 == 1) std::swap(first, second);
  first.reset();
  MPI_Barrier(MPI_COMM_WORLD);
  second.reset();
}

TEST_P(Lifetimes, EndBeforeABarrierOnOneRankAndAfterItOnOthers) {
  auto comm = std::make_unique<Another>();
  multiply_on(Comm(comm->raw), GetParam());
  if (Comm::world().rank() == 0) comm.reset();
  MPI_Barrier(MPI_COMM_WORLD);
  comm.reset();
}

TEST_P(Lifetimes, OfWhichOneEndsLateLeaveTheOthersToWork) {
  auto late = std::make_unique<Another>();
  multiply_on(Comm(late->raw), GetParam());
  if (Comm::world().rank() != 3) late.reset();
  for (int others = 0; others < 3; ++others) {
    const Another comm;
    multiply_on(Comm(comm.raw), GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(Transports, Lifetimes, ::testing::Values("two-sided", "one-sided", "node-shared"));

TEST(Windows, OfEndedCommunicatorsServeTheSameRanksAgainOrGo) {
  int after_first = 0;
  for (int others = 0; others < 6; ++others) {
    {
      const Another comm;
      multiply_on(Comm(comm.raw), "one-sided");
    }
    if (others == 0) after_first = living_windows;
  }
  EXPECT_GT(after_first, 0);
  EXPECT_EQ(living_windows, after_first);
}

}  // namespace
}  // namespace cairn
