// What one-sided transport needs, and what crosses nodes, before anything runs.
#include <gtest/gtest.h>

#include "cases.hpp"
#include "interpret/count.hpp"
#include "interpret/node_words.hpp"
#include "schedule/exchanges.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {
namespace {

template <class F>
void for_all_wires(F f) {
  for (const testing::Case& c : testing::cases(16)) {
    SCOPED_TRACE(testing::text(c));
    GemmProblem p;
    p.m = c.shape.m, p.n = c.shape.n, p.k = c.shape.k, p.ranks = c.ranks;
    const Schedule s = make_algorithm(p, c.spelling).schedule;
    f(s, expand_collectives(look_ahead(s, static_cast<int>(c.salt % 3))));
  }
}

TEST(Window, PeakByClassesEqualsRankByRank) {
  for_all_wires([](const Schedule& s, const Schedule& wire) {
    Int most = 0;
    for (Int r = 0; r < s.ranks; ++r) most = std::max(most, count(s, wire, r, Transport::one_sided).peak_words);
    ASSERT_EQ(count_all(s, wire, Transport::one_sided).max.peak_words, most);
  });
}

TEST(Window, EveryBlockThatOthersUseHasItsOwnPlaceBehindTheArena) {
  for_all_wires([](const Schedule&, const Schedule& wire) {
    for (Int r = 0; r < wire.grid.size(); ++r) {
      const Placement p = place_buffers(wire, r, Transport::one_sided);
      std::vector<Range> places;
      for (const Placement::Input& i : p.inputs) places.push_back({i.offset, i.offset + i.rows.size() * i.cols.size()});
      for (std::size_t t = 0; t < wire.steps.size(); ++t)
        if (p.sums[t] >= 0) {
          const Slot dst = std::get<ReduceScatter>(wire.steps[t].step).dst;
          places.push_back({p.sums[t], p.sums[t] + wire.layout(dst).words(r)});
        }
      std::sort(places.begin(), places.end(), [](Range a, Range b) { return a.lo < b.lo; });
      Int end = p.values;
      for (Range place : places) {
        ASSERT_EQ(place.lo, end);
        end = place.hi;
      }
      ASSERT_EQ(end, p.words);
    }
  });
}

TEST(Window, ABlockThatManyFetchIsCopiedOnce) {
  GemmProblem p;
  p.m = 40, p.n = 40, p.k = 40, p.ranks = 16;
  const Schedule wire = expand_collectives(make_algorithm(p, "cosma pm4,pn4,sk2").schedule);
  for (Int r = 0; r < 16; ++r) {
    const Placement placed = place_buffers(wire, r, Transport::one_sided);
    EXPECT_EQ(placed.words - placed.values,
              wire.layout(wire.find("A")).words(r) + wire.layout(wire.find("B")).words(r));
  }
}

TEST(NodeWords, AreAllWordsWhereEachRankIsANodeAndNoneWhereAllAreOne) {
  for_all_wires([](const Schedule& s, const Schedule& wire) {
    for (Int r = 0; r < s.ranks; ++r) {
      ASSERT_EQ(node_words(wire, r, 1), count(s, wire, r).wire_words);
      ASSERT_EQ(node_words(wire, r, s.ranks), 0);
    }
  });
}

TEST(NodeWords, OfAllRanksAtOnceAreThoseOfEach) {
  for_all_wires([](const Schedule& s, const Schedule& wire) {
    for (Int node : {1, 3, 4, 7}) {
      std::vector<Int> each;
      for (Int r = 0; r < s.ranks; ++r) each.push_back(node_words(wire, r, node));
      ASSERT_EQ(node_words_of_all(wire, node), each);
    }
  });
}

TEST(Exchanges, WhatOneRankReceivesAnotherSends) {
  for_all_wires([](const Schedule&, const Schedule& wire) {
    for (const Effect& e : effects(wire)) {
      std::vector<std::vector<Int>> between(static_cast<std::size_t>(wire.grid.size()));  // received less sent
      for (auto& row : between) row.assign(between.size(), 0);
      for (Int r = 0; r < wire.grid.size(); ++r) {
        const Parcels all = parcels(wire, e, r);
        const auto me = static_cast<std::size_t>(r);
        for (const Parcel& p : all.receives) between[static_cast<std::size_t>(p.peer)][me] += p.words;
        for (const Parcel& p : all.sends) between[me][static_cast<std::size_t>(p.peer)] -= p.words;
      }
      for (const auto& row : between)
        for (Int words : row) ASSERT_EQ(words, 0);
    }
  });
}

}  // namespace
}  // namespace cairn
