// Parts of which all elements count, and squares on the diagonal, with columns taken together or not.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "cairn/layout.hpp"
#include "model/problem.hpp"

namespace cairn {
namespace {

IndexSet dealt(Int n, Int block, Int parts, Int place, Int first) {
  IndexSet all;
  for (Int lo = place * block; lo < n; lo += parts * block)
    if (const Range r = intersect(Range{lo, std::min(lo + block, n)}, Range{first, n}); !r.empty()) all.push_back(r);
  return all;
}

TEST(CountedParts, CoverWhatCountsOnce) {
  for (Uplo shape : {Uplo::lower, Uplo::upper})
    for (Int pr : {1, 2, 3})
      for (Int pc : {1, 2, 3})
        for (Int block : {1, 3, 4})
          for (Int together : {0, 1, 4, 8, 100}) {
            const IndexSet rows = dealt(23, block, pr, pr - 1, 2), cols = dealt(23, block, pc, 0, 2);
            std::map<std::pair<Int, Int>, int> times;
            for (const CountedPart& p : counted_parts(shape, rows, cols, together)) {
              ASSERT_TRUE(!p.on_diagonal || p.rows == p.cols);
              for (Range r : p.rows.pieces())
                for (Range c : p.cols.pieces())
                  for (Int i = r.lo; i < r.hi; ++i)
                    for (Int j = c.lo; j < c.hi; ++j)
                      if (!p.on_diagonal || counts(shape, i, j)) ++times[{i, j}];
            }
            Int all = 0;
            for (const auto& [at, n] : times) {
              ASSERT_TRUE(counts(shape, at.first, at.second)) << at.first << ", " << at.second;
              ASSERT_EQ(n, 1) << at.first << ", " << at.second;
              ++all;
            }
            ASSERT_EQ(all, counted(shape, rows, cols));
          }
}

TEST(CountedParts, TakeColumnsTogetherUpToALimit) {
  const IndexSet all = dealt(512, 32, 1, 0, 0);
  Int widest = 0, below = 0;
  for (const CountedPart& p : counted_parts(Uplo::lower, all, dealt(512, 32, 2, 0, 0), 128)) {
    widest = std::max(widest, p.cols.size());
    if (p.cols.size() == 128) below += p.rows.size();
  }
  EXPECT_EQ(widest, 128);
  EXPECT_EQ(below, 512 - 224 + 512 - 480);  // below each flight of four blocks
}

}  // namespace
}  // namespace cairn
