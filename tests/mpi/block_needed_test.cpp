// Products on lines of ranks, which say which blocks they need: of a chain, the few at the ends of the others' parts.
#include <gtest/gtest.h>

#include <array>
#include <set>

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

// Words that a rank receives, found from the patterns. What moves is X, the other factor stays where it is.
template <class T>
struct Recount {
  double words = 0, expected = 0, of_whole_panels = 0, of_all_panels = 0;

  Recount(const Comm& comm, const Whole<T>& A, const Whole<T>& B, bool b_moves, const std::vector<BlockIndex>& part,
          double alpha, double eps) {
    const Whole<T>&X = b_moves ? B : A, &stays = b_moves ? A : B;
    const auto part_of = [&](BlockIndex k) { return part[static_cast<std::size_t>(k)]; };
    const auto inner_of_x = [&](const auto& b) { return b_moves ? b.first.first : b.first.second; };
    const auto inner_of_stays = [&](const auto& b) { return b_moves ? b.first.second : b.first.first; };
    const auto is_mine = [&](const auto& b) {
      return part_of(b_moves ? b.first.first : b.first.second) == comm.rank();
    };
    std::map<BlockIndex, double> in_row;
    for (const auto& a : A.blocks) ++in_row[a.first.first];
    for (BlockIndex s = 0; s < comm.size(); ++s) {
      if (s == comm.rank()) continue;
      std::set<BlockIndex> met, inner;
      for (const auto& y : stays.blocks)
        if (is_mine(y) && part_of(inner_of_stays(y)) == s) met.insert(inner_of_stays(y));
      double all = 0, needed = 0;
      for (const auto& x : X.blocks) {
        if (part_of(inner_of_x(x)) != s) continue;
        inner.insert(inner_of_x(x));
        const auto size = static_cast<double>(x.second.size());
        all += size;
        needed += size * std::any_of(stays.blocks.begin(), stays.blocks.end(), [&](const auto& y) {
                    const BlockIndex row = b_moves ? y.first.first : x.first.first;
                    return is_mine(y) && inner_of_stays(y) == inner_of_x(x) &&
                           !(alpha * testing::frobenius(x.second) * testing::frobenius(y.second) < eps / in_row[row]);
                  });
      }
      of_all_panels += all;
      if (met.empty() || all == 0) continue;
      const auto meet = static_cast<double>(met.size());
      const double share = std::min(1.0, meet / static_cast<double>(inner.size()));
      const bool asked = all * (1 - share) > 2 * meet + 256;
      words += asked ? needed : all, expected += asked ? share * all : all, of_whole_panels += all;
    }
  }
};

template <class T>
struct Case {
  Filtered filter{};
  T alpha = T(2);
  std::string algorithm{}, transport{};
  bool passes_on = false;  ///< which is what the algorithm does with panels
};

// The share of the words of whole panels that ranks received.
template <class T>
double expect_product(const Comm& comm, bool b_moves, const Case<T>& c, Whole<T> A = chain<T>(3, 1)) {
  const Whole<T> B = chain<T>(4, 2);
  const BlockDistribution where = b_moves ? on_a_line(comm.size(), 1) : on_a_line(1, comm.size());
  Whole<T> whole = chain<T>(1, 3);
  BlockSparse<T> C = testing::distributed(comm, whole, where);
  BlockProductOptions options;
  options.filter_eps = c.filter.eps, options.retain_sparsity = c.filter.retain;
  options.algorithm = c.algorithm, options.transport = c.transport;
  const BlockProductReport report = multiply(Op::none, Op::none, c.alpha, testing::distributed(comm, A, where),
                                             testing::distributed(comm, B, where), T(-1), C, options);
  Int products = report.products;
  MPI_Allreduce(MPI_IN_PLACE, &products, 1, MPI_INT64_T, MPI_SUM, comm.raw());
  EXPECT_EQ(products, testing::multiply(c.alpha, A, B, T(-1), whole, c.filter));
  EXPECT_TRUE(testing::equal(C, whole));
  Recount<T> recount(comm, A, B, b_moves, b_moves ? where.row : where.col, std::abs(c.alpha), c.filter.eps);
  if (c.passes_on) recount.words = recount.expected = recount.of_all_panels;
  EXPECT_EQ(static_cast<double>(report.received), recount.words);
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
