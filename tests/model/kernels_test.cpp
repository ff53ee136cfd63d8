#include "model/kernels.hpp"

#include <gtest/gtest.h>

#include "model/machine.hpp"
#include "refusal.hpp"

namespace cairn {
namespace {

double peak(const Machine& m) { return m.gemm.flops_per_second[static_cast<std::size_t>(ScalarType::float64)]; }

TEST(Kernels, AreFoundHoweverTheyAreSpelled) {
  EXPECT_EQ(kernels_named("SKYLAKEX"), "SkylakeX");
  EXPECT_EQ(kernels_named("haswell"), "Haswell");
  EXPECT_EQ(kernels_named("Haswel"), "");
  EXPECT_EQ(kernels_named(""), "");
  EXPECT_TRUE(same_kernels("NEOVERSEN1", "neoversen1"));
  EXPECT_FALSE(same_kernels("Zen", "Zen2"));
}

TEST(Kernels, AreListedFromTheSlowestToTheFastest) {
  const std::vector<std::string_view> names = kernel_names();
  for (std::size_t i = 1; i < names.size(); ++i)
    EXPECT_LE(flops_per_cycle(names[i - 1]), flops_per_cycle(names[i])) << names[i];
  EXPECT_GT(flops_per_cycle(names.front()), 0);
  EXPECT_EQ(flops_per_cycle("none"), 0);
  EXPECT_EQ(flops_per_cycle("Zen"), flops_per_cycle("Haswell"));
}

TEST(Kernels, OfTheMachinesThatStandForAnyAreAssumed) {
  for (const char* name : {"generic", "local"}) {
    const Machine m = find_machine(name);
    EXPECT_EQ(m.with_kernels(""), m);
    EXPECT_EQ(m.with_kernels("HASWELL"), m);
    EXPECT_DOUBLE_EQ(peak(m.with_kernels("SkylakeX")), 2 * peak(m));
    EXPECT_DOUBLE_EQ(peak(m.with_kernels("Sandybridge")), peak(m) / 2);
    EXPECT_EQ(m.with_kernels("skylakex").gemm.kernels, "SkylakeX");
    EXPECT_LT(m.with_kernels("SkylakeX").gemm_seconds(500, 500, 500, ScalarType::complex64),
              m.gemm_seconds(500, 500, 500, ScalarType::complex64));
  }
}

TEST(Kernels, ChangeNothingOfTheMachinesOfPapers) {
  for (const Machine& m : built_in_machines())
    if (m.name != "generic" && m.name != "local") {
      EXPECT_EQ(m.with_kernels("SkylakeX"), m) << m.name;
    }
}

TEST(Kernels, ThatWereMeasuredScaleRatesAsTheyWereMeasured) {
  Machine m = find_machine("local");
  m.gemm.kernels = "SkylakeX";
  m.gemm.kernel_rates = {{"Haswell", 50e9}, {"SkylakeX", 80e9}, {"POWER12", 200e9}};
  EXPECT_DOUBLE_EQ(peak(m.with_kernels("Haswell")), peak(m) * 50 / 80);
  EXPECT_DOUBLE_EQ(peak(m.with_kernels("power12")), peak(m) * 200 / 80);
  EXPECT_DOUBLE_EQ(peak(m.with_kernels("Nehalem")), peak(m) * 4 / 32);
  EXPECT_EQ(m.with_kernels("Haswell").with_kernels("SkylakeX").gemm.kernels, "SkylakeX");
  EXPECT_NEAR(peak(m.with_kernels("Haswell").with_kernels("SkylakeX")), peak(m), 1);
}

TEST(Kernels, ThatNobodyKnowsAreRefused) {
  const std::string says =
      testing::refusal<ArgumentError>([] { (void)find_machine("piz-daint").with_kernels("Skylark"); });
  EXPECT_EQ(says.find("kernels: 'Skylark' is unknown, expected one of Prescott, "), 0U) << says;
  // A machine whose BLAS is another may name kernels that Cairn does not know; then nothing is scaled.
  Machine m = find_machine("local");
  m.gemm.kernels = "POWER12";
  EXPECT_EQ(m.with_kernels("Haswell"), m);
}

}  // namespace
}  // namespace cairn
