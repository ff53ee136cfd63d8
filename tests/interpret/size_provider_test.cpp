// Matrices that have fewer words than elements: all interpreters ask the provider, and so agree with each other.
#include "schedule/size_provider.hpp"

#include <gtest/gtest.h>

#include "cases.hpp"
#include "interpret/clock.hpp"
#include "interpret/count.hpp"
#include "interpret/replay/replay.hpp"
#include "program/program.hpp"
#include "schedule/passes/passes.hpp"
#include "triangular.hpp"

namespace cairn {
namespace {

constexpr std::size_t one_in = 48;

struct Times : SizeProvider {
  explicit Times(Int factor) : factor_(factor) {}
  Int words(const IndexSet& rows, const IndexSet& cols) const override { return factor_ * rows.size() * cols.size(); }

 private:
  Int factor_;
};

/// Blocks of 3 x 2 elements, of which about a third are there.
struct Pattern : SizeProvider {
  Int words(const IndexSet& rows, const IndexSet& cols) const override {
    Int sum = 0;
    for_each(rows, [&](Int i) { for_each(cols, [&](Int j) { sum += (i / 3 * 5 + j / 2 * 7) % 3 == 0; }); });
    return sum;
  }
  template <class F>
  static void for_each(const IndexSet& set, F f) {
    for (const Range& r : set.pieces())
      for (Int i = r.lo; i < r.hi; ++i) f(i);
  }
};

Schedule with(Schedule s, std::shared_ptr<const SizeProvider> sizes) {
  for (SlotInfo& slot : s.slots) slot.sizes = sizes;
  return s;
}

template <class F>
void for_all_cases(F f) {
  for (const testing::Case& c : testing::cases(one_in)) {
    SCOPED_TRACE(testing::text(c));
    f(make_algorithm(testing::problem(c.shape, c.ranks), c.spelling).schedule);
  }
  for (const testing::CholeskyCase& c : testing::cholesky_cases()) f(c.schedule());
  for (const testing::SolveCase& c : testing::solve_cases()) f(c.schedule());
}

TEST(SizeProvider, TwiceAsManyWordsAreCountedMovedAndHeld) {
  Machine machine;  // on which nothing but words takes time
  machine.levels = {{"network", 0, 0, 1e-9}};
  machine.gemm.flops_per_second.fill(1e40);
  machine.gemm.half_size = 0;
  machine.step_seconds = machine.copy_seconds_per_byte = machine.read_seconds_per_byte = 0;
  for_all_cases([&](const Schedule& dense) {
    const Schedule s = with(dense, std::make_shared<Times>(1)), twice = with(dense, std::make_shared<Times>(2));
    const Schedule wire = expand_collectives(look_ahead(s, 1)), wire2 = expand_collectives(look_ahead(twice, 1));
    ASSERT_FALSE(wire.dense() || wire2.dense());
    const Totals once = count_all(s, wire), both = count_all(twice, wire2);
    EXPECT_EQ(both.max.received, 2 * once.max.received);
    EXPECT_EQ(both.max.wire_words, 2 * once.max.wire_words);
    EXPECT_EQ(both.max.peak_words, 2 * once.max.peak_words);
    EXPECT_DOUBLE_EQ(both.mean_received, 2 * once.mean_received);
    EXPECT_EQ(both.max.messages, once.max.messages);
    EXPECT_EQ(both.max.flops, once.max.flops);
    const double clocked = clock(wire, machine, ScalarType::float64).seconds,
                 replayed = replay(wire, machine, ScalarType::float64).last.seconds;
    EXPECT_NEAR(clock(wire2, machine, ScalarType::float64).seconds, 2 * clocked, 1e-15);
    EXPECT_NEAR(replay(wire2, machine, ScalarType::float64).last.seconds, 2 * replayed, 1e-15);
  });
}

TEST(SizeProvider, ProgramsReceiveWhatIsCountedOfAPattern) {
  for_all_cases([](const Schedule& dense) {
    const Schedule s = with(dense, std::make_shared<Pattern>());
    for (Transport transport : {Transport::two_sided, Transport::one_sided}) {
      const Schedule wire = expand_collectives(look_ahead(s, 1));
      const Totals totals = count_all(s, wire, transport);
      Count max;
      double wired = 0;
      for (Int r = 0; r < s.ranks; ++r) {
        const Count n = count(s, wire, r, transport);
        const Program p = compile(wire, r, transport);
        ASSERT_EQ(n.wire_words, p.words_received);
        ASSERT_EQ(n.messages, p.messages_received);
        ASSERT_EQ(n.peak_words, callers_words(wire, r) + p.placement.words);
        max = {std::max(max.received, n.received), std::max(max.wire_words, n.wire_words),
               std::max(max.messages, n.messages), std::max(max.flops, n.flops),
               std::max(max.peak_words, n.peak_words)};
        wired += static_cast<double>(n.wire_words);
      }
      EXPECT_EQ(totals.max, max);
      EXPECT_DOUBLE_EQ(totals.mean_wire_words * static_cast<double>(s.ranks), wired);
    }
  });
}

}  // namespace
}  // namespace cairn
