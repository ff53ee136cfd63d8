// What programs need of MPI and BLAS beside the public API.
#include "runtime/environment.hpp"

#include <gtest/gtest.h>

#include "distributed.hpp"
#include "model/kernels.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

TEST(Environment, NamesMpiAndBlas) {
  EXPECT_TRUE(mpi_library().starts_with("Open MPI ") || mpi_library().starts_with("MPICH ")) << mpi_library();
  EXPECT_EQ(mpi_library().find('\n'), std::string::npos);
  EXPECT_GE(mpi_standard(), "3.1");
  EXPECT_FALSE(blas_info().name.empty());
}

TEST(Environment, RanksMeetWithTheCodeOfTheLowestThatFailed) {
  const Comm world = Comm::world();
  Rendezvous rendezvous(world);
  constexpr double patience = 60;
  const auto all_well = rendezvous.meet(0, patience);
  ASSERT_TRUE(all_well);
  EXPECT_EQ(all_well->code, 0);
  const int lowest = world.size() / 3;
  const auto failed = rendezvous.meet(world.rank() < lowest ? 0 : 65 + world.rank(), patience);
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->code, 65 + lowest);
  EXPECT_EQ(failed->rank, lowest);
}

TEST(Environment, LargestValuesAreTakenOneByOne) {
  const Comm world = Comm::world();
  std::vector<double> values{static_cast<double>(world.rank()), -static_cast<double>(world.rank())};
  over_ranks(world, MPI_MAX, values);
  EXPECT_EQ(values, (std::vector<double>{static_cast<double>(world.size() - 1), 0}));
}

TEST(Environment, RanksAssumeTheSameKernelsAndAskEachOtherOnce) {
  const Comm world = Comm::world();
  const std::string& kernels = kernels_in_use(world);
  EXPECT_EQ(kernels, kernels_named(blas_info().kernels));  // the ranks of a test are alike
  world.agree_same("kernels", kernels);
  if (world.rank() == 0) {
    EXPECT_EQ(&kernels_in_use(world), &kernels);
  }
}

TEST(Environment, RanksThatNameTheirKernelsAskForThoseInUseWithTheOthers) {
  const testing::Another fresh;
  const Comm comm(fresh.raw);
  const bool names = comm.rank() == 1;
  const Plan p = plan(comm, GemmProblem{.m = 8, .n = 8, .k = 8}, {.kernels = names ? "Haswell" : ""});
  EXPECT_EQ(p.options().kernels, names ? "Haswell" : kernels_in_use(comm));
}

TEST(Environment, LocalProductsHaveARate) {
  const Comm world = Comm::world();
  for (ScalarType type : {ScalarType::float32, ScalarType::float64, ScalarType::complex64, ScalarType::complex128})
    EXPECT_GT(measured_gemm_rate(world, type, 16, 16, 16, world.size(), 0.001), 0);
  EXPECT_GT(measured_gemm_rate(world, ScalarType::float64, 0, 16, 16, 1, 0.001), 0);
}

}  // namespace cairn
