// From measurements to a machine.
#include "runtime/measure/fit.hpp"

#include <gtest/gtest.h>

#include "runtime/measure/sampling.hpp"

namespace cairn {
namespace {

// Products at `rate`, at half of it where a dimension is the smallest; the other types at 2, 1/2 and 1/4 of it.
Measurements invented(double rate) {
  Measurements m;
  m.ranks = 2;
  m.sizes = {10, 100, 1000};
  m.products = product_shapes(m.sizes);
  for (ProductCost& p : m.products) {
    const double share = std::min({p.m, p.n, p.k}) == 10 ? 0.5 : 1;
    const double type = p.type == ScalarType::float32      ? 2
                        : p.type == ScalarType::complex64  ? 0.5
                        : p.type == ScalarType::complex128 ? 0.25
                                                           : 1;
    const bool complex = p.type == ScalarType::complex64 || p.type == ScalarType::complex128;
    p.seconds = (complex ? 8.0 : 2.0) * static_cast<double>(p.m * p.n * p.k) / (rate * share * type);
  }
  m.levels = {{{"node", 2}, {}, {}}, {{"network", 0}, {{1, 3e-6, 4e-6}, {1000, 5e-6, 6e-6}}, {1e-6, 5e-7, 1e-7, 2e-9}}};
  m.memory = {1 << 20, 1e-10, 2e-10, 3e-10, 4e-10, 5e-10};
  m.wait = 3e-7;
  m.one_sided = {{1, 0, 5e-6}, {1000, 0, 7e-6}};
  m.exchanges = {{"allgather", 1000, 1e-5}};
  m.step = 1e-7;
  return m;
}

TEST(Fit, TakesTheFastestProductForThePeakAndTheOtherTypesRelativeToIt) {
  const Machine m = machine_of(invented(1e10), "x", "here");
  EXPECT_NEAR(m.gemm.flops_per_second[static_cast<std::size_t>(ScalarType::float64)], 1e10, 1);
  EXPECT_NEAR(m.gemm.flops_per_second[static_cast<std::size_t>(ScalarType::float32)], 2e10, 1);
  EXPECT_NEAR(m.gemm.flops_per_second[static_cast<std::size_t>(ScalarType::complex128)], 0.25e10, 1);
}

TEST(Fit, PredictsTheProductsThatWereMeasured) {
  const Measurements measured = invented(1e10);
  const Machine m = machine_of(measured, "x", "here");
  for (const ProductCost& p : measured.products) {
    if (p.type != ScalarType::float64 || p.m == 512) continue;  // the cube of the types is between the table's sizes
    EXPECT_NEAR(m.gemm_seconds(p.m, p.n, p.k, p.type) / p.seconds, 1, 1e-9);
  }
}

TEST(Fit, PredictsTheMessagesThatWereMeasuredLessBothOverheads) {
  const Machine m = machine_of(invented(1e10), "x", "here");
  for (const Machine::Level& l : m.levels) {
    EXPECT_NEAR(l.message_seconds(1), 4e-6 - 2 * 5e-7, 1e-15);
    EXPECT_NEAR(l.message_seconds(1000), 6e-6 - 2 * 5e-7, 1e-15);
  }
  EXPECT_EQ(m.levels[0].name, "node");  // one rank a node there: the network's figures
  EXPECT_EQ(m.levels[0].ranks, 2);
}

TEST(Fit, WritesAMachineThatIsReadAgain) {
  const Machine m = machine_of(invented(1e10), "x", "here");
  EXPECT_EQ(parse_machine(print_machine(m), "text"), m);
  EXPECT_NEAR(m.shared->read_seconds_per_byte, 2e-10, 1e-20);
  EXPECT_EQ(m.one_sided.at(0).message_seconds(1000), 7e-6);
  EXPECT_EQ(m.collectives.at(0).bytes, 8000);
}

TEST(Fit, MoreTimeMeasuresMoreAndLargerProducts) {
  EXPECT_LT(product_sizes(0.1).back(), product_sizes(30).back());
  EXPECT_GE(product_sizes(0).size(), 3U);
  EXPECT_EQ(product_shapes({1, 2}).size(), 8U + 4U);
  EXPECT_EQ(product_shapes({4, 16, 64}).size(), 27U + 3 * 3U + 4U);  // 1024 x 4 x 4, 1024 x 4 x 16, 1024 x 16 x 4
}

TEST(Median, IsInTheMiddle) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({1, 2}), 1.5);
  EXPECT_EQ(median({4, 1, 9, 2}), 3);
  EXPECT_EQ(median({}), 0);
}

}  // namespace
}  // namespace cairn
