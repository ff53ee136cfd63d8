// Totals beside what each rank counts for itself.
#pragma once
#include <gtest/gtest.h>

#include "interpret/count.hpp"

namespace cairn::testing {

inline void expect_counts_rank_by_rank(const Totals& t, const Schedule& collective, const Schedule& wire) {
  Count least, most;
  Int touched = 0;
  double received = 0, all = 0, messages = 0, flops = 0, peaks = 0;
  for (Int r = 0; r < wire.ranks; ++r) {
    const Count c = count(collective, wire, r);
    if (r == 0) least = most = c;
    for (auto figure : {&Count::received, &Count::wire_words, &Count::messages, &Count::flops, &Count::peak_words}) {
      least.*figure = std::min(least.*figure, c.*figure);
      most.*figure = std::max(most.*figure, c.*figure);
    }
    touched = std::max(touched, c.received + callers_words(wire, r));
    received += static_cast<double>(c.received);
    all += static_cast<double>(c.wire_words), messages += static_cast<double>(c.messages);
    flops += static_cast<double>(c.flops), peaks += static_cast<double>(c.peak_words);
  }
  const auto p = static_cast<double>(wire.ranks);
  EXPECT_EQ(t.min, least);
  EXPECT_EQ(t.max, most);
  EXPECT_EQ(t.most_touched, touched);
  EXPECT_DOUBLE_EQ(t.mean_received * p, received);
  EXPECT_DOUBLE_EQ(t.mean_wire_words * p, all);
  EXPECT_DOUBLE_EQ(t.mean_messages * p, messages);
  EXPECT_DOUBLE_EQ(t.mean_peak_words * p, peaks);
  EXPECT_DOUBLE_EQ(t.total_flops, flops);
}

}  // namespace cairn::testing
