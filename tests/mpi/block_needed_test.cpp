// Products on lines of ranks, which say which blocks they need: of a chain, the few at the ends of the others' parts.
#include <gtest/gtest.h>

#include <array>

#include "block_needed_recount.hpp"
#include "block_sparse.hpp"
#include "distributed.hpp"
#include "runtime/transport/self_test.hpp"

namespace cairn {
namespace {

using testing::Filtered;
using testing::Whole;
constexpr BlockIndex blocks = 48;

// On lines of a few ranks: where there are more, parts have too few blocks to be asked for.
template <class F>
void on_lines(F f) {
  for (const Int ranks : {4, 3, 2, 1}) {
    const testing::Group group({ranks});
    if (group.member()) f(Comm(group.raw()));
  }
}

// Blocks that are at most `reach` apart.
template <class T>
Whole<T> chain(BlockIndex reach, std::uint64_t seed) {
  BlockSizes sizes = testing::some_sizes(blocks, 1);
  for (BlockIndex& size : sizes) size *= 3;
  Whole<T> x = testing::some_blocks<T>(sizes, sizes, 90, seed);
  std::erase_if(x.blocks, [&](const auto& b) { return std::abs(b.first.first - b.first.second) > reach; });
  return x;
}

BlockDistribution on_a_line(Int pr, Int pc) {
  std::vector<std::array<double, 3>> places;
  for (BlockIndex i = 0; i < blocks; ++i) places.push_back({static_cast<double>(i), 0, 0});
  return BlockDistribution::by_region(places, pr, pc);
}

template <class T>
struct Case {
  Filtered filter{};
  T alpha = T(2);
  std::string algorithm{}, transport{};
  bool passes_on = false;  ///< which is what the algorithm does with panels
  std::optional<Int> memory{};
};

double sum_of(const Comm& comm, double x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, comm.raw());
  return x;
}

// The share of the words of whole panels that ranks received.
template <class T>
double expect_product(const Comm& comm, bool b_moves, const Case<T>& c, Whole<T> A = chain<T>(3, 1)) {
  const Whole<T> B = chain<T>(4, 2);
  const BlockDistribution where = b_moves ? on_a_line(comm.size(), 1) : on_a_line(1, comm.size());
  Whole<T> whole = chain<T>(1, 3);
  BlockSparse<T> C = testing::distributed(comm, whole, where);
  BlockProductOptions options;
  options.filter_eps = c.filter.eps, options.retain_sparsity = c.filter.retain;
  options.algorithm = c.algorithm, options.transport = c.transport, options.memory_words = c.memory;
  const BlockProductReport report = multiply(Op::none, Op::none, c.alpha, testing::distributed(comm, A, where),
                                             testing::distributed(comm, B, where), T(-1), C, options);
  Int products = report.products;
  MPI_Allreduce(MPI_IN_PLACE, &products, 1, MPI_INT64_T, MPI_SUM, comm.raw());
  EXPECT_EQ(products, testing::multiply(c.alpha, A, B, T(-1), whole, c.filter));
  EXPECT_TRUE(testing::equal(C, whole));
  testing::NeededRecount<T> recount(comm, A, B, where, std::abs(c.alpha), c.filter.eps);
  const auto received = static_cast<double>(report.received);
  if (c.passes_on) {  // ranks in the middle of a tree get what they have no use for, others do not
    EXPECT_LE(recount.of_whole_panels, received);
    EXPECT_LE(received, recount.of_all_panels);
    EXPECT_LT(sum_of(comm, received), sum_of(comm, recount.of_all_panels));
    recount.words = recount.expected = received;
  }
  EXPECT_EQ(received, recount.words);
  EXPECT_NEAR(report.predicted, recount.expected, 1e-9 * recount.expected) << report.algorithm;
  std::array<double, 2> words{recount.words, recount.of_whole_panels};
  MPI_Allreduce(MPI_IN_PLACE, words.data(), 2, MPI_DOUBLE, MPI_SUM, comm.raw());
  return words[1] > 0 ? words[0] / words[1] : 1;
}

TEST(BlockNeeded, OnlyBlocksThatMeetSomethingTravel) {
  on_lines([](const Comm& comm) {
    for (const bool b_moves : {true, false})
      for (const char* transport : {"two-sided", "one-sided"})
        for (const Filtered& filter : {Filtered{}, Filtered{3000.7}, Filtered{0, true}}) {
          const double share = expect_product<double>(comm, b_moves, {filter, 2, "", transport});
          if (comm.size() == 4) {
            EXPECT_LT(share, filter.eps > 0 ? 0.35 : 0.6);
          }
        }
    expect_product<std::complex<float>>(comm, true, {Filtered{3000.7}, {1, -2}});
    expect_product<std::complex<double>>(comm, false, {Filtered{3000.7}, {1, -2}});
    expect_product<float>(comm, true, {});
    const double ample = expect_product<float>(comm, false, {.memory = 1'000'000});
    if (comm.size() == 4) {
      EXPECT_LT(ample, 0.6);
    }
  });
}

// Panels that are passed on travel as a whole, those that are not are asked for, whatever the schedule.
TEST(BlockNeeded, IsTheSameByOtherAlgorithms) {
  const testing::Group group({4});
  if (!group.member()) return;
  const Comm comm(group.raw());
  expect_product<double>(comm, true, {Filtered{3000.7}, 2, "cosma pm4"});
  expect_product<double>(comm, true, {Filtered{3000.7}, 2, "summa 4x1 b=1", "", true});
}

// Products with NaN are never left out, and so its neighbours are needed, however small.
TEST(BlockNeeded, NothingThatMeetsNanIsLeftOut) {
  on_lines([](const Comm& comm) {
    for (const bool b_moves : {true, false}) {
      Whole<double> A = chain<double>(3, 1);
      const Whole<double> B = chain<double>(4, 2);
      for (auto& [place, block] : A.blocks)
        if (place.first % 12 == 2) block.front() = std::numeric_limits<double>::quiet_NaN();
      const BlockDistribution where = b_moves ? on_a_line(comm.size(), 1) : on_a_line(1, comm.size());
      Whole<double> whole{A.rows, A.cols, {}};
      BlockSparse<double> C = testing::distributed(comm, whole, where);
      Int products = multiply(Op::none, Op::none, 1.0, testing::distributed(comm, A, where),
                              testing::distributed(comm, B, where), 0.0, C, {.filter_eps = 1e9})
                         .products;
      MPI_Allreduce(MPI_IN_PLACE, &products, 1, MPI_INT64_T, MPI_SUM, comm.raw());
      const Int expected = testing::multiply(1.0, A, B, 0.0, whole, Filtered{1e9});
      EXPECT_GT(expected, 0);
      EXPECT_EQ(products, expected);
    }
  });
}

}  // namespace
}  // namespace cairn
