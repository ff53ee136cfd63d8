// Pending requests are found as if each of them were looked at.
#include "program/pending.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace cairn {
namespace {

using Pending = PendingRequests::Pending;

class Draw {
 public:
  Int number(Int below) { return std::uniform_int_distribution<Int>(0, below - 1)(random_); }
  /// None to three intervals, which may wrap around.
  IndexSet set() {
    std::vector<Range> pieces;
    const Int most = number(4);
    for (Int lo = number(8), i = 0; i < most; ++i) {
      pieces.push_back({lo, lo + 1 + number(6)});
      lo = pieces.back().hi + 1 + number(8);
    }
    if (!pieces.empty()) std::rotate(pieces.begin(), pieces.begin() + number(std::ssize(pieces)), pieces.end());
    IndexSet all;
    for (Range r : pieces) all.push_back(r);
    return all;
  }
  /// Of a caller's array, of one of three slots in the arena, two of which overlap and one of which is empty, or of a
  /// buffer.
  Span span() {
    const std::array arena{Range{0, 50}, Range{30, 70}, Range{80, 80}};
    const auto slot = static_cast<Slot>(number(5));
    if (slot == 0) return {0, {0, 1}, 0, set(), set()};
    if (slot == 4) {
      const Int lo = number(90);
      return {-1, {lo, lo + number(12)}};
    }
    return {-1, arena[static_cast<std::size_t>(slot - 1)], slot, set(), set()};
  }

 private:
  std::mt19937_64 random_{70};
};

bool meet(const Span& a, const Span& b) {
  if (a.storage >= 0 && a.storage == b.storage) return a.rows.meets(b.rows) && a.cols.meets(b.cols);
  return a.same_place(b);
}

TEST(PendingRequests, AreFoundWhereTheyTouchAPart) {
  Draw draw;
  PendingRequests pending;
  std::vector<Pending> all;  // the same
  std::size_t found = 0;
  for (Int i = 0; i < 3000; ++i) {
    if (draw.number(3) > 0) {
      const Range requests{i, i + 1 + draw.number(2)};
      const bool writes = draw.number(2) == 0;
      for (Int times = 1 + draw.number(2); times > 0; --times) {  // an exchange may read two parts
        all.push_back({requests, draw.span(), writes, static_cast<std::size_t>(i)});
        pending.add(all.back());
      }
    } else if (!all.empty()) {
      const Pending gone = all[static_cast<std::size_t>(draw.number(std::ssize(all)))];
      EXPECT_EQ(pending.complete(gone.requests), gone.operation);
      EXPECT_EQ(pending.complete(gone.requests), std::nullopt);
      std::erase_if(all, [&](const Pending& p) { return p.requests == gone.requests; });
    }
    const Span asked = draw.span();
    for (bool written : {false, true}) {
      std::vector<Range> requests, expected;
      pending.touching(asked, written, requests);
      for (const Pending& p : all)
        if ((written || p.writes) && meet(p.span, asked)) expected.push_back(p.requests);
      std::ranges::sort(requests);
      ASSERT_EQ(requests, expected) << i;
      found += requests.size();
    }
  }
  EXPECT_GT(found, 10000U);
}

}  // namespace
}  // namespace cairn
