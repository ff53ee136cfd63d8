// Products of matrices whose block rows lie by one axis and whose block columns by another: of a sheet of places, ranks
// receive what is near their own strips, and both operands stay where they are.
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "block_sparse.hpp"
#include "cairn/block_product_plan.hpp"
#include "distributed.hpp"
#include "planner/plan_blocks.hpp"

namespace cairn {
namespace {

using testing::Filtered;
using testing::Whole;
constexpr BlockIndex side = 8, blocks = side * side;

BlockDistribution in_strips(Int pr, Int pc) {
  std::vector<std::array<double, 3>> places;
  for (BlockIndex p = 0; p < blocks; ++p)
    places.push_back({static_cast<double>(p % side), static_cast<double>(p / side), 0});
  return BlockDistribution::by_region(places, pr, pc);
}

// Blocks of places that are next to each other; among them are some without elements.
template <class T>
Whole<T> sheet(std::uint64_t seed) {
  const BlockSizes sizes = testing::some_sizes(blocks, 1);
  Whole<T> x = testing::some_blocks<T>(sizes, sizes, 90, seed);
  std::erase_if(x.blocks, [&](const auto& b) {
    const auto [p, q] = b.first;
    return std::abs(p % side - q % side) > 1 || std::abs(p / side - q / side) > 1;
  });
  return x;
}

// Words that a rank receives, found from the patterns. Of each row and column of the grid, the places there make one
// panel of A and one of B: who has nothing to multiply one with does not receive it.
template <class T>
Int recounted(const Comm& comm, const Whole<T>& A, const Whole<T>& B, const BlockDistribution& where) {
  const auto row = [&](BlockIndex p) { return where.row[static_cast<std::size_t>(p)]; };
  const auto col = [&](BlockIndex p) { return where.col[static_cast<std::size_t>(p)]; };
  std::map<std::pair<BlockIndex, BlockIndex>, std::array<Int, 2>> panels;  // by row and column of the inner places
  const Int i = comm.rank() / where.pc, j = comm.rank() % where.pc;
  for (const auto& [place, block] : A.blocks)
    if (row(place.first) == i) panels[{row(place.second), col(place.second)}][0] += static_cast<Int>(block.size());
  for (const auto& [place, block] : B.blocks)
    if (col(place.second) == j) panels[{row(place.first), col(place.first)}][1] += static_cast<Int>(block.size());
  Int words = 0;
  for (const auto& [inner, sizes] : panels)
    if (sizes[0] > 0 && sizes[1] > 0) words += (inner.second == j ? 0 : sizes[0]) + (inner.first == i ? 0 : sizes[1]);
  return words;
}

template <class T>
BlockProductReport expect_product(const Comm& comm, const BlockDistribution& where, BlockProductOptions options = {},
                                  T alpha = T(2)) {
  const Whole<T> A = sheet<T>(1), B = sheet<T>(2);
  Whole<T> whole = sheet<T>(3);
  BlockSparse<T> C = testing::distributed(comm, whole, where);
  const BlockProductReport report = multiply(Op::none, Op::none, alpha, testing::distributed(comm, A, where),
                                             testing::distributed(comm, B, where), T(-1), C, options);
  Int products = report.products;
  MPI_Allreduce(MPI_IN_PLACE, &products, 1, MPI_INT64_T, MPI_SUM, comm.raw());
  EXPECT_EQ(products,
            testing::multiply(alpha, A, B, T(-1), whole, Filtered{options.filter_eps, options.retain_sparsity}));
  EXPECT_TRUE(testing::equal(C, whole)) << report.algorithm;
  if (report.algorithm.ends_with("crossed")) {
    EXPECT_EQ(report.redistributed, 0);
    EXPECT_EQ(report.received, recounted(comm, A, B, where));
    EXPECT_EQ(report.predicted, static_cast<double>(report.received));
  }
  return report;
}

bool is_crossed(const BlockProductReport& report) { return report.algorithm.ends_with(" crossed"); }

TEST(BlockCrossed, ReceivesWhatMeetsSomething) {
  testing::in_groups([](const Comm& comm) {
    for (Int pr = 1; pr <= comm.size(); ++pr) {
      if (comm.size() % pr != 0) continue;
      const BlockDistribution where = in_strips(pr, comm.size() / pr);
      for (const double eps : {0.0, 60.0})
        for (const bool retain : {false, true}) {
          const char* const transport = (eps > 0) == retain ? "two-sided" : "one-sided";
          const BlockProductReport report = expect_product<double>(
              comm, where, {.filter_eps = eps, .retain_sparsity = retain, .transport = transport});
          EXPECT_EQ(is_crossed(report), std::min(where.pr, where.pc) > 1 && comm.size() > 6) << report.algorithm;
        }
    }
    expect_product<std::complex<double>>(comm, in_strips(comm.size(), 1), {}, {1, -2});
  });
}

// Words of all ranks, and multiplications of the busiest one over the mean, by slabs that cross, that lie alike, and
// dealt.
TEST(BlockCrossed, ReceivesLessThanIfDealtAndIsMoreEvenThanIfAlike) {
  const Comm comm = Comm::world();
  if (comm.size() != 16) return;
  const auto product = [&](const BlockDistribution& where) {
    const BlockProductReport report = expect_product<double>(comm, where);
    std::array<double, 2> sums{static_cast<double>(report.received + report.redistributed),
                               static_cast<double>(report.flops)};
    double most = sums[1];
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, comm.raw());
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, comm.raw());
    return std::pair(sums[0], 16 * most / sums[1]);
  };
  BlockDistribution alike = in_strips(4, 4);
  alike.col = alike.row;
  const auto [words, busiest] = product(in_strips(4, 4));
  EXPECT_LT(words, 0.8 * product(BlockDistribution::dealt(blocks, blocks, 16)).first);
  EXPECT_LT(busiest, 0.7 * product(alike).second);
}

// Rows and columns that are dealt by themselves: all panels meet something, so that fewer and larger ones are better.
TEST(BlockCrossed, LeavesRandomPatternsAlone) {
  const Comm comm = Comm::world();
  if (comm.size() != 16) return;
  BlockDistribution where = BlockDistribution::dealt(blocks, blocks, 16);
  std::reverse(where.col.begin(), where.col.end());
  const BlockSizes sizes(static_cast<std::size_t>(blocks), 2);
  const Whole<double> A = testing::some_blocks<double>(sizes, sizes, 30, 1);
  BlockSparse<double> C(comm, sizes, sizes, where);
  const BlockProductReport report = multiply(Op::none, Op::none, 1.0, testing::distributed(comm, A, where),
                                             testing::distributed(comm, A, where), 0.0, C);
  EXPECT_FALSE(is_crossed(report)) << report.algorithm;
  EXPECT_FALSE(is_crossed(expect_product<double>(comm, in_strips(4, 4), {.algorithm = "fetch25d 4x4"})));
  EXPECT_FALSE(is_crossed(expect_product<double>(comm, in_strips(4, 4), {.algorithm = "cosma pm4,pn2,pk2"})));
  EXPECT_TRUE(is_crossed(expect_product<double>(comm, in_strips(4, 4), {.algorithm = "fetch25d 4x4 crossed"})));
  // Where rows and columns lie alike it is a schedule like others, which has A and B redistributed.
  for (const auto& [pr, pc] : {std::pair<Int, Int>(4, 4), {2, 8}, {1, 16}}) {
    const std::string algorithm = "fetch25d " + std::to_string(pr) + "x" + std::to_string(pc) + " crossed";
    const Whole<double> X = sheet<double>(1);
    Whole<double> whole{X.rows, X.cols, {}};
    BlockSparse<double> Y(comm, X.rows, X.cols, BlockDistribution::dealt(blocks, blocks, pr, pc));
    const BlockSparse<double> x = testing::distributed(comm, X, Y.where());
    multiply(Op::none, Op::none, 1.0, x, x, 0.0, Y, {.algorithm = algorithm});
    testing::multiply(1.0, X, X, 0.0, whole, Filtered{});
    EXPECT_TRUE(testing::equal(Y, whole)) << algorithm;
  }
}

// A plan says so beforehand, and what it says is exact; half of a symmetric matrix has the same panels.
TEST(BlockCrossed, IsPlannedExactly) {
  const Comm comm = Comm::world();
  if (comm.size() != 16) return;
  const BlockDistribution where = in_strips(4, 4);
  const Whole<double> A = sheet<double>(1), B = sheet<double>(2);
  const BlockSparse<double> a = testing::distributed(comm, A, where), b = testing::distributed(comm, B, where);
  BlockSparse<double> C(comm, a.rows(), b.cols(), where);
  const BlockPlan planned = plan(Op::none, Op::none, 1.0, a, b, 0.0, C);
  EXPECT_EQ(planned.algorithm(), "fetch25d 4x4 crossed");
  EXPECT_TRUE(planned.exact());
  const BlockProductReport report = multiply(Op::none, Op::none, 1.0, a, b, 0.0, C);
  const BlockCount count = planned.count(comm.rank());
  EXPECT_EQ(report.received, count.words());
  EXPECT_EQ(report.messages, count.messages);
  EXPECT_EQ(cairn::plan(planned.problem(), {.prefer = "words"}).algorithm(), planned.algorithm());
  EXPECT_NE(planned.explain().find("crossed"), std::string::npos);

  const Int least = *planned.data().least_memory;
  const BlockProductReport limited = multiply(Op::none, Op::none, 1.0, a, b, 0.0, C, {.memory_words = least});
  EXPECT_TRUE(is_crossed(limited)) << limited.algorithm;
  testing::expect_refused_alike<MemoryError>(
      comm, [&] { multiply(Op::none, Op::none, 1.0, a, b, 0.0, C, {.memory_words = least - 1}); }, "memory");
}

}  // namespace
}  // namespace cairn
