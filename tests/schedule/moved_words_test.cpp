// What a change of layout moves, counted for all ranks together, is what the lists of transfers add up to.
#include "schedule/moved_words.hpp"

#include <gtest/gtest.h>

#include <random>

#include "algorithms/triangle_blocks.hpp"
#include "layouts.hpp"
#include "schedule/transfers.hpp"

namespace cairn {
namespace {

using testing::holds;

class Layouts {
 public:
  explicit Layouts(unsigned seed) : random_(seed) {}
  Int pick(Int lo, Int hi) { return lo + static_cast<Int>(random_() % static_cast<unsigned>(hi - lo + 1)); }

  Layout next(Int m, Int n, Int ranks) {
    switch (pick(0, 5)) {
      case 0: return Layout::row_blocks(m, n, pick(1, ranks));
      case 1: return Layout::on_one_rank(m, n);
      case 2: return overlapping(m, n, ranks);
      case 3: return Layout::arbitrary(m, n, ranks, {{0, m / 2, m}, {0, n / 3, n}, owners(ranks)});
      default: break;
    }
    const Int pr = pick(1, ranks), pc = pick(1, ranks / pr);
    Layout l =
        Layout::block_cyclic(m, n, {pick(1, 5), pick(1, 5), pr, pc, pick(0, pr - 1), pick(0, pc - 1), pick(0, 1) == 0});
    if (pick(0, 3) == 0) l.rows.cuts.clear();  // replicated
    if (pick(0, 3) == 0) {                     // all columns in one place
      l.cols.cuts.clear();
      l.where.push_back({l.grid.axis("pc"), pick(0, pc - 1)});
    }
    return l;
  }

 private:
  // Triangle blocks: some elements on several ranks.
  Layout overlapping(Int m, Int n, Int ranks) {
    const TriangleBlocks blocks = triangle_blocks(most_in_triangle_blocks(ranks));
    Layout l = Layout::on_one_rank(m, n);
    if (blocks.ranks == 0) return l;
    l.grid = Grid({{"x", blocks.ranks}});
    const Int b = pick(1, 3);
    l.rows.cuts = l.cols.cuts = {Cut::classes(l.grid, 0, b, blocks.holders)};
    return l;
  }
  std::vector<Int> owners(Int ranks) {
    return {pick(0, ranks - 1), pick(0, ranks - 1), pick(0, ranks - 1), pick(0, ranks - 1)};
  }
  std::mt19937 random_;
};

TEST(Moved, IsWhatTransfersAddUpTo) {
  Layouts layouts(4);
  for (int turn = 0; turn < 300; ++turn) {
    const Int m = layouts.pick(0, 30), n = layouts.pick(1, 30), ranks = layouts.pick(1, 12);
    const Layout src = layouts.next(m, n, ranks), dst = layouts.next(m, n, ranks);
    for (Int r = 0; r < ranks; ++r) {
      const Moved x = moved(src, dst, ranks, r);
      Int received = 0, sent = 0;
      const std::vector<Transfer> in = incoming(src, dst, r, ranks), out = outgoing(src, dst, r, ranks);
      for (const Transfer& t : in) received += t.words();
      for (const Transfer& t : out) sent += t.words();
      ASSERT_EQ(x.received, received) << turn << " rank " << r;
      ASSERT_EQ(x.receives, static_cast<Int>(in.size())) << turn << " rank " << r;
      ASSERT_EQ(x.sent, sent) << turn << " rank " << r;
      ASSERT_EQ(x.sends, static_cast<Int>(out.size())) << turn << " rank " << r;
      ASSERT_EQ(x.kept, transfer(src, dst, r, r).words()) << turn << " rank " << r;
      ASSERT_EQ(x.received + x.kept, dst.words(r)) << turn << " rank " << r;
    }
  }
}

// The triangle itself up to order 64; of larger ones, the rest of the blocks on the diagonal, 1/64 of the order wide.
TEST(Moved, OfATriangleNothingElseTravels) {
  Layouts layouts(5);
  for (int turn = 0; turn < 200; ++turn) {
    const Int n = turn % 10 == 0 ? layouts.pick(65, 150) : layouts.pick(0, 30), ranks = layouts.pick(1, 9);
    const Stairs stairs{layouts.pick(0, 1) == 0 ? Uplo::lower : Uplo::upper, n};
    const Layout src = layouts.next(n, n, ranks), dst = layouts.next(n, n, ranks);
    Int received = 0, sent = 0;
    for (Int r = 0; r < ranks; ++r) {
      Int kept = 0, lacking = 0;
      for (Int i = 0; i < n; ++i)
        for (Int j = 0; j < n; ++j)
          if ((counts(stairs.shape, i, j) || i / stairs.width() == j / stairs.width()) && holds(dst, r, i, j))
            ++(holds(src, r, i, j) ? kept : lacking);
      const Moved x = moved(src, dst, ranks, r, stairs);
      ASSERT_EQ(x.kept, kept) << turn << " rank " << r;
      ASSERT_EQ(x.received, lacking) << turn << " rank " << r;
      Int listed = 0;
      for (const Transfer& t : incoming(src, dst, r, ranks, stairs)) listed += t.words();
      ASSERT_EQ(listed, lacking) << turn << " rank " << r;
      received += x.received, sent += x.sent;
    }
    ASSERT_EQ(received, sent) << turn;
  }
}

TEST(Moved, BeyondTogetherEachRankAlone) {
  const Int ranks = 144;
  const Layout src = Layout::block_cyclic(100, 90, {3, 4, 12, 12}), dst = Layout::row_blocks(100, 90, ranks);
  for (Int r : {0, 1, 77, 143}) {
    Int received = 0;
    for (const Transfer& t : incoming(src, dst, r, ranks)) received += t.words();
    EXPECT_EQ(moved(src, dst, ranks, r).received, received);
  }
}

}  // namespace
}  // namespace cairn
