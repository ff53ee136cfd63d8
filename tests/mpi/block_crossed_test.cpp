// Products of which ranks receive what they need of panels, on grids of several rows and columns: of matrices whose
// block rows lie by one axis and whose block columns by another, where both operands stay where they are, and of
// others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "block_needed_recount.hpp"
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
  BlockSizes sizes = testing::some_sizes(blocks, 1);
  for (BlockIndex& size : sizes) size *= 2;
  Whole<T> x = testing::some_blocks<T>(sizes, sizes, 90, seed);
  std::erase_if(x.blocks, [&](const auto& b) {
    const auto [p, q] = b.first;
    return std::abs(p % side - q % side) > 1 || std::abs(p / side - q / side) > 1;
  });
  return x;
}

// C = alpha * A * B - C, with C at `where` and A and B at `from`.
template <class T>
BlockProductReport expect_product_of(const Comm& comm, const BlockDistribution& where, const BlockDistribution& from,
                                     BlockProductOptions options = {}, T alpha = T(2)) {
  const Whole<T> A = sheet<T>(1), B = sheet<T>(2);
  Whole<T> whole = sheet<T>(3);
  BlockSparse<T> C = testing::distributed(comm, whole, where);
  const BlockProductReport report = multiply(Op::none, Op::none, alpha, testing::distributed(comm, A, from),
                                             testing::distributed(comm, B, from), T(-1), C, options);
  Int products = report.products;
  MPI_Allreduce(MPI_IN_PLACE, &products, 1, MPI_INT64_T, MPI_SUM, comm.raw());
  EXPECT_EQ(products,
            testing::multiply(alpha, A, B, T(-1), whole, Filtered{options.filter_eps, options.retain_sparsity}));
  EXPECT_TRUE(testing::equal(C, whole)) << report.algorithm;
  return report;
}

template <class T>
BlockProductReport expect_product(const Comm& comm, const BlockDistribution& where, BlockProductOptions options = {},
                                  T alpha = T(2)) {
  const BlockProductReport report = expect_product_of<T>(comm, where, where, options, alpha);
  if (report.algorithm.ends_with("crossed")) {
    EXPECT_EQ(report.redistributed, 0);
    const testing::NeededRecount<T> recount(comm, sheet<T>(1), sheet<T>(2), where, std::abs(alpha), options.filter_eps);
    EXPECT_EQ(static_cast<double>(report.received), recount.words);
    EXPECT_NEAR(report.predicted, recount.expected, 1e-9 * recount.expected);
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
          EXPECT_EQ(is_crossed(report), std::min(where.pr, where.pc) > 1) << report.algorithm;
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
  // Where rows and columns lie alike, most pairs have no panels.
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

// What is spelled `crossed` multiplies crossed panels where operands lie as C, and usual ones where they have to be
// moved. On 2 x 3 ranks there are as many of either, which lie elsewhere: one communicator has plans of both.
TEST(BlockCrossed, PanelsOfOperandsThatAreMovedAreOthers) {
  const BlockDistribution where = in_strips(2, 3), elsewhere = BlockDistribution::dealt(blocks, blocks, 3, 2);
  for (const bool crossed_first : {true, false})
    for (const char* transport : {"two-sided", "one-sided"}) {
      const testing::Group group({6, 6});  // without plans
      if (!group.member()) continue;
      const Comm comm(group.raw());
      const BlockProductOptions options{.algorithm = "fetch25d 2x3 crossed", .transport = transport};
      for (const bool crossed : {crossed_first, !crossed_first})
        crossed ? expect_product<double>(comm, where, options)
                : expect_product_of<double>(comm, where, elsewhere, options);
    }
}

// On all grids the owners of what a rank multiplies tell each other what it needs, where blocks are so few that many
// rows of a panel have none. By other schedules some panels have one such owner, others several.
TEST(BlockNeededOnGrids, OwnersTellEachOther) {
  for (const Int q : {2, 4}) {
    const testing::Group group({q * q});
    if (!group.member()) continue;
    const Comm comm(group.raw());
    BlockSizes sizes = testing::some_sizes(blocks, 1);
    for (BlockIndex& size : sizes) size *= 6;
    const Whole<double> A = testing::some_blocks<double>(sizes, sizes, 15, 1),
                        B = testing::some_blocks<double>(sizes, sizes, 2, 2);
    const BlockDistribution where = BlockDistribution::dealt(blocks, blocks, q, q);
    for (const double eps : {0.0, 5000.7})
      for (const char* algorithm :
           {"fetch25d {0}x{0}", "fetch25d {0}x{0} layers=2x1", "fetch25d {0}x{0} crossed", "cosma pm{0},pn{0}",
            "cosma pm{0},pk{0}", "cosma pk{0},pn{0}", "cannon {0}x{0}", "summa {0}x{0} b=1"}) {
        BlockProductOptions options;
        options.filter_eps = eps, options.algorithm = fmt::format(fmt::runtime(algorithm), q);
        Whole<double> whole{A.rows, B.cols, {}};
        BlockSparse<double> C(comm, A.rows, B.cols, where);
        const BlockProductReport report = multiply(Op::none, Op::none, 2.0, testing::distributed(comm, A, where),
                                                   testing::distributed(comm, B, where), 0.0, C, options);
        Int products = report.products;
        MPI_Allreduce(MPI_IN_PLACE, &products, 1, MPI_INT64_T, MPI_SUM, comm.raw());
        EXPECT_EQ(products, testing::multiply(2.0, A, B, 0.0, whole, Filtered{eps})) << report.algorithm;
        EXPECT_TRUE(testing::equal(C, whole)) << report.algorithm;
        if (std::string_view(algorithm) != "fetch25d {0}x{0}") continue;
        const testing::NeededRecount<double> recount(comm, A, B, where, 2, eps);
        EXPECT_EQ(static_cast<double>(report.received), recount.words);
        EXPECT_NEAR(report.predicted, recount.expected, 1e-9 * recount.expected);
        if (q == 2) {
          EXPECT_LT(recount.words, recount.of_whole_panels);
        }
      }
  }
}

TEST(BlockCrossed, IsPlanned) {
  const Comm comm = Comm::world();
  if (comm.size() != 16) return;
  const BlockDistribution where = in_strips(4, 4);
  const Whole<double> A = sheet<double>(1), B = sheet<double>(2);
  const BlockSparse<double> a = testing::distributed(comm, A, where), b = testing::distributed(comm, B, where);
  BlockSparse<double> C(comm, a.rows(), b.cols(), where);
  const BlockPlan planned = plan(Op::none, Op::none, 1.0, a, b, 0.0, C);
  EXPECT_EQ(planned.algorithm(), "fetch25d 4x4 crossed");
  const BlockProductReport report = multiply(Op::none, Op::none, 1.0, a, b, 0.0, C);
  const BlockCount count = planned.count(comm.rank());
  EXPECT_EQ(report.messages, count.messages);
  EXPECT_NEAR(report.predicted, static_cast<double>(count.words()), static_cast<double>(count.messages));  // rounded
  EXPECT_EQ(cairn::plan(planned.problem(), {.prefer = "words"}).algorithm(), planned.algorithm());
  EXPECT_NE(planned.explain().find("crossed"), std::string::npos);

  const BlockProductOptions ample{.memory_words = 1'000'000};
  const BlockPlan limited = plan(Op::none, Op::none, 1.0, a, b, 0.0, C, ample);
  EXPECT_EQ(limited.algorithm(), planned.algorithm());
  EXPECT_EQ(multiply(Op::none, Op::none, 1.0, a, b, 0.0, C, ample).received, report.received);
  const Int least = *limited.data().least_memory;
  EXPECT_TRUE(is_crossed(multiply(Op::none, Op::none, 1.0, a, b, 0.0, C, {.memory_words = least})));
  testing::expect_refused_alike<MemoryError>(
      comm, [&] { multiply(Op::none, Op::none, 1.0, a, b, 0.0, C, {.memory_words = least - 1}); }, "memory");
}

}  // namespace
}  // namespace cairn
