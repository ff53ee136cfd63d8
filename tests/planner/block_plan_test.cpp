// Plans of block-sparse products: what they choose, and that their figures are those of their schedules.
#include "cairn/block_plan.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cairn/blocks.hpp"
#include "cairn/error.hpp"
#include "cairn/plan_json.hpp"
#include "cairn/simulate.hpp"
#include "interpret/count.hpp"
#include "model/bounds.hpp"
#include "model/dealt_blocks.hpp"
#include "narrow_lines.hpp"
#include "planner/dbcsr_panels.hpp"
#include "planner/plan_blocks.hpp"
#include "refusal.hpp"

namespace cairn {
namespace {

BlockProblem square(Int blocks, Int size, double occupancy, Int ranks) {
  const BlockDim d{blocks, size};
  return {.m = d, .n = d, .k = d, .occupancy_a = occupancy, .occupancy_b = occupancy, .ranks = ranks};
}

Options asked(const std::string& algorithm) {
  Options o;
  o.algorithm = algorithm;
  return o;
}

TEST(Dealt, CountsWhatTheDistributionDeals) {
  for (Int blocks : {0, 1, 5, 24, 35})
    for (const auto& [pr, pc] : {std::pair<Int, Int>{1, 1}, {2, 3}, {4, 4}, {6, 4}, {1, 7}}) {
      const BlockDistribution d = BlockDistribution::dealt(blocks, blocks, pr, pc);
      const std::vector<Int> order = panel_order(pr, pc);
      std::vector<Int> rows(static_cast<std::size_t>(pr)), cols(static_cast<std::size_t>(pc));
      for (BlockIndex r : d.row) ++rows[static_cast<std::size_t>(r)];
      for (BlockIndex c : d.col) ++cols[static_cast<std::size_t>(c)];
      EXPECT_EQ(dealt_blocks(blocks, pr, order), rows);
      EXPECT_EQ(dealt_blocks(blocks, pc, order), cols);
    }
}

// As even as dealing them round would be, or by one block less so.
TEST(Dealt, RowsAndColumnsOfTheGridGetAboutAsManyEach) {
  for (Int pr = 1; pr <= 12; ++pr)
    for (Int pc = pr; pc <= 16; ++pc) {
      const std::vector<Int> order = panel_order(pr, pc);
      for (Int blocks = 0; blocks <= 2 * std::lcm(pr, pc); blocks += 1 + blocks / 7)
        for (Int parts : {pr, pc}) {
          const std::vector<Int> dealt = dealt_blocks(blocks, parts, order);
          EXPECT_LE(*std::max_element(dealt.begin(), dealt.end()), (blocks + parts - 1) / parts + 1)
              << blocks << " on " << pr << 'x' << pc;
        }
    }
  const std::vector<Int> rows = dealt_blocks(256, 15, panel_order(15, 16));
  EXPECT_EQ(*std::max_element(rows.begin(), rows.end()), 18);
}

// All blocks of size 1, as many as panels: a dense product of panels, which the general interpreters count.
TEST(BlockPlan, CountsWhatADenseScheduleCounts) {
  for (const char* algorithm : {"fetch25d 4x4", "fetch25d 4x4 layers=2x2", "fetch25d 2x3", "fetch25d 6x4 layers=3x2",
                                "cannon 4x4", "summa 2x4 b=1", "fetch25d 1x5 layers=1x5"}) {
    const Int ranks = std::string_view(algorithm) == "fetch25d 6x4 layers=3x2" ? 24 : 16;
    const BlockPlan p = plan(square(24, 1, 1, ranks), asked(algorithm));
    GemmProblem g{.m = 24, .n = 24, .k = 24, .ranks = ranks};
    const BlockPlan::Data& d = p.data();
    Schedule dense = make_panel_schedule({{d.grid()[0], d.grid()[1]}}, algorithm).collective;
    const double pr = static_cast<double>(d.grid()[0]), pc = static_cast<double>(d.grid()[1]);
    const Totals t = count_all(dense, expand_collectives(dense));
    EXPECT_TRUE(p.exact());
    if (d.layers() == 1) {
      EXPECT_EQ(p.max_count().messages, t.max.messages) << algorithm;
    }
    if (24 % std::lcm(d.grid()[0], d.grid()[1]) != 0 || pr != pc) continue;
    const double words = 24.0 / pr * 24.0 / pc;  // of a panel, all alike
    EXPECT_DOUBLE_EQ(p.mean_received(), t.mean_received * words * (pr * pc) / static_cast<double>(ranks)) << algorithm;
  }
}

TEST(BlockPlan, ReceivesTheClosedFormInTheMean) {
  for (double occupancy : {0.002, 0.05, 1.0})
    for (const Fetch25d f :
         {Fetch25d{4, 4}, Fetch25d{4, 4, 2, 2}, Fetch25d{2, 8, 1, 4}, Fetch25d{6, 4, 3, 2}, Fetch25d{12, 12, 2, 2}}) {
      const BlockProblem problem = square(960, 4, occupancy, f.pr * f.pc);
      const PanelProblem words = panel_problem(problem, {f.pr, f.pc});
      const double closed = received(f, words.a, words.b, words.sums),
                   found = plan(problem, asked(print(f))).mean_received();
      EXPECT_LE(found, closed * 1.001) << print(f);
      EXPECT_GE(found, closed * (f.layers() == 1 ? 0.999 : 0.9)) << print(f);
    }
}

// Sums over a part of the inner dimension have fewer blocks where these are few, and as many where all are there.
TEST(BlockPlan, SumsOfAPartHaveFewerBlocks) {
  const auto sums = [](double occupancy) {
    return static_cast<double>(
        plan(square(480, 4, occupancy, 16), asked("fetch25d 4x4 layers=2x2")).max_count().received[2]);
  };
  const double panel = 480.0 * 4 / 4 * 480 * 4 / 4;
  EXPECT_EQ(sums(1), 3 * panel);
  EXPECT_LT(sums(0.001), 1.02 * (2 * 0.25 + 0.5) * panel * 480 * 1e-6);
  EXPECT_GT(sums(0.001), 0.98 * (2 * 0.25 + 0.5) * panel * 480 * 1e-6);
}

TEST(BlockPlan, NoRankHoldsMoreThanTheFullest) {
  for (const char* algorithm : {"fetch25d 3x4", "fetch25d 4x4 layers=2x2", "fetch25d 6x2 layers=3x1", "fetch25d 2x5"})
    for (Int blocks : {7, 50, 61}) {
      const BlockPlan p = plan(square(blocks, 3, 0.3, 16), asked(algorithm));
      for (Int r = 0; r < 16; ++r) EXPECT_LE(p.count(r).peak_words, p.max_count().peak_words) << algorithm << " " << r;
    }
}

// In panels, all alike. On one layer: three of its own, copies of two, and four that came for this step and the next.
// In layers, while sums over rows are added up: sums of four and of two, two that are sent, one that arrives.
TEST(BlockPlan, HoldsWhatAProductHolds) {
  constexpr Int panel = 4 * 4 * 3 * 3;
  EXPECT_EQ(plan(square(16, 3, 1, 16), asked("fetch25d 4x4")).max_count().peak_words, (3 + 2 + 4) * panel);
  EXPECT_EQ(plan(square(16, 3, 1, 16), asked("fetch25d 4x4 layers=2x2")).max_count().peak_words,
            (3 + 2 + 4 + 2 + 2 + 1) * panel);
}

// Own panels, copies of A and B, the rest of A, all panels of B with own ones that come back from others, and sums.
TEST(BlockPlan, PanelsThatComeBackAreHeldTwice) {
  EXPECT_EQ(plan(square(3, 3, 1, 3), asked("cosma pm3")).max_count().peak_words, (9 + 6 + 6 + 9 + 9) * 9);
}

TEST(BlockPlan, OneRankHoldsTheMatricesAlone) {
  EXPECT_EQ(plan(square(16, 3, 1, 1)).max_count().peak_words, 3 * 48 * 48);
}

TEST(BlockPlan, TheMemoryThatARefusalNamesSuffices) {
  for (const BlockProblem& problem : {square(200, 5, 0.05, 12), square(30, 23, 1, 16), square(3, 2, 0.5, 7)})
    for (const char* algorithm : {"", "fetch25d 2x3"}) {
      Options o = asked(algorithm);
      o.memory_words = 1;
      const std::string said = testing::refusal<MemoryError>([&] { plan(problem, o); });
      const std::size_t at = said.find("at least ");
      ASSERT_NE(at, std::string::npos) << said;
      o.memory_words = std::stoll(said.substr(at + 9));
      const BlockPlan fits = plan(problem, o);
      EXPECT_EQ(fits.max_count().peak_words, *o.memory_words);
      --*o.memory_words;
      EXPECT_THROW(plan(problem, o), MemoryError);
    }
}

TEST(BlockPlan, AMemoryLimitKeepsToFewerLayers) {
  Options o;
  o.prefer = "words";
  const BlockProblem problem = square(2000, 6, 1, 64);
  const BlockPlan free = plan(problem, o);
  o.memory_words = free.max_count().peak_words - 1;
  const BlockPlan limited = plan(problem, o);
  EXPECT_LE(limited.max_count().peak_words, *o.memory_words);
  EXPECT_GE(limited.max_count().words(), free.max_count().words());
  EXPECT_LT(limited.data().layers(), free.data().layers());
}

TEST(BlockPlan, PrefersWhatItIsAskedToPrefer) {
  Options words, balanced;
  words.prefer = "words", balanced.prefer = "balanced";
  for (Int ranks : {12, 64, 100}) {
    const BlockProblem problem = square(1000, 23, 0.01, ranks);
    const BlockPlan by_time = plan(problem), by_words = plan(problem, words), both = plan(problem, balanced);
    EXPECT_LE(by_time.predicted_seconds(), by_words.predicted_seconds());
    EXPECT_LE(by_words.max_count().words(), both.max_count().words());
    EXPECT_LE(both.max_count().words(), by_time.max_count().words());
    EXPECT_LE(both.predicted_seconds(), 1.1 * by_time.predicted_seconds());
  }
}

// The plan is the fastest of all that were compared, and of the squarest grid on one layer or four. Panels of k are
// shared evenly by layers, as they are of every plan that is chosen.
void expect_no_square_to_be_faster(const BlockProblem& p) {
  const BlockPlan chosen = plan(p);
  for (const RunnerUp& other : chosen.data().others)
    EXPECT_LE(chosen.predicted_seconds(), other.seconds) << other.algorithm << " instead of " << chosen.algorithm();
  const auto [pr, pc] = squarest_grid(p.ranks);
  for (const auto& [lr, lc] : {std::pair<Int, Int>(1, 1), {2, 2}, {1, 4}, {4, 1}}) {
    const Fetch25d f{pr, pc, lr, lc};
    if (pr % lr != 0 || pc % lc != 0 || std::lcm(pr, pc) % f.layers() != 0) continue;
    EXPECT_LE(chosen.predicted_seconds(), plan(p, asked(print(f))).predicted_seconds())
        << print(f) << " instead of " << chosen.algorithm();
  }
}

TEST(BlockPlan, NoSquarestGridIsFasterOnOneLayerOrFour) {
  const BlockDim atoms{6912, 23}, few{400, 13}, many{20000, 6};
  for (Int ranks : {16, 18, 64, 144, 240})
    for (BlockProblem p : {square(20000, 6, 0.0005, ranks), square(6912, 23, 0.1, ranks), square(300, 6, 1, ranks),
                           BlockProblem{.m = many, .n = few, .k = atoms, .occupancy_a = 0.01, .occupancy_b = 0.05},
                           BlockProblem{.m = few, .n = few, .k = many, .occupancy_a = 0.1, .occupancy_b = 0.1}}) {
      p.ranks = ranks;
      expect_no_square_to_be_faster(p);
    }
  expect_no_square_to_be_faster(square(6912, 23, 0.1, 1936));  // on one layer 170,000 panels travel
}

// On many ranks messages take longer than words, and the busiest rank's words are far from the mean.
TEST(BlockPlan, NoCandidateIsFasterWhereThereAreFewBlocks) {
  const auto expect_fastest = [](const char* machine, const BlockProblem& p) {
    Options o;
    o.machine = machine;
    const BlockPlan chosen = plan(p, o);
    for (Int pr = 1; pr <= p.ranks; ++pr)
      if (p.ranks % pr == 0)
        for (const PanelCandidate& c : panel_candidates(panel_problem(p, {pr, p.ranks / pr}))) {
          o.algorithm = print(c.form);
          EXPECT_LE(chosen.predicted_seconds(), plan(p, o).predicted_seconds()) << o.algorithm;
        }
  };
  const auto blocks = [](Int m, Int n, Int k, Int size) {
    return BlockProblem{.m = {m, size}, .n = {n, size}, .k = {k, size}};
  };
  BlockProblem flat = blocks(10, 4, 74, 11), tall = blocks(1068, 27, 6, 19), tiny = blocks(6, 63, 6, 1);
  flat.occupancy_a = 0.086, flat.occupancy_b = 0.035, flat.ranks = 114;
  tall.occupancy_a = 0.01, tall.occupancy_b = 0.178, tall.ranks = 88;
  tiny.occupancy_a = 0.187, tiny.occupancy_b = 0.351, tiny.ranks = 100;
  expect_fastest("local", flat);
  expect_fastest("hopper", tall);
  expect_fastest("generic", tiny);
}

TEST(BlockPlan, OccupancyOfCIsExpectedOrSaid) {
  BlockProblem p = square(100, 4, 0.1, 4);
  EXPECT_NEAR(expected_occupancy(p), 1 - std::pow(0.99, 100), 1e-12);
  const double random = expected_occupancy(p);
  const auto half = [](const BlockProblem& x) { return panel_problem(x, {2, 2}).sums(0.5) / 160000; };
  EXPECT_NEAR(half(p), 1 - std::pow(0.99, 50), 1e-9);
  p.occupancy_c = random;  // says nothing new
  EXPECT_NEAR(half(p), 1 - std::pow(0.99, 50), 1e-9);
  p.occupancy_c = 0.1;  // ten products for each block: half of them reach nearly all blocks
  EXPECT_NEAR(panel_problem(p, {2, 2}).sums(1), 0.1 * 160000, 1e-6);
  EXPECT_NEAR(half(p), 0.1 * (1 - std::exp(-5)), 2e-4);
  EXPECT_NEAR(plan(p, asked("fetch25d 2x2")).data().sizes.of(2).words(), 0.1 * 160000, 4);
  p.occupancy_c = 1;  // a block for each product
  EXPECT_LE(half(p), 0.51);
  EXPECT_EQ(panel_problem(square(100, 4, 1, 4), {2, 2}).sums(0.01), 160000);
  p.occupancy_a = 0;
  EXPECT_EQ(expected_occupancy(p), 0);
}

// Means over many seeds are near what is expected.
TEST(BlockPlan, PatternsOfSeedsAreLikeTheExpectedOne) {
  BlockProblem p = square(64, 5, 0.1, 16);
  const Options o = asked("fetch25d 4x4 layers=2x2");
  const BlockPlan expected = plan(p, o);
  double words = 0, flops = 0;
  constexpr int seeds = 40;
  for (int seed = 0; seed < seeds; ++seed) {
    p.seed = static_cast<std::uint64_t>(seed);
    const BlockPlan drawn = plan(p, o);
    words += drawn.mean_received() / seeds;
    flops += drawn.data().mean(&BlockCount::flops) / seeds;
    EXPECT_NE(drawn.max_count().words(), expected.max_count().words());
  }
  EXPECT_NEAR(words / expected.mean_received(), 1, 0.01);
  EXPECT_NEAR(flops / expected.data().mean(&BlockCount::flops), 1, 0.02);
  p.seed = 5;
  EXPECT_EQ(plan(p, o).json(), plan(p, o).json());
}

TEST(BlockPlan, BoundsOfDrawnPatternsPromiseNothing) {
  for (const auto& [blocks, size] : {std::pair<Int, Int>{2, 5}, {3, 1}, {6, 4}})
    for (int seed = 0; seed < 20; ++seed) {
      BlockProblem p = square(blocks, size, 1, 1);
      p.occupancy_b = 0.3, p.seed = static_cast<std::uint64_t>(seed);
      EXPECT_EQ(plan(p).received_bound(), 0) << blocks << " blocks, seed " << seed;  // one rank receives nothing
    }
}

TEST(BlockPlan, FlopsAreThoseOfAllProducts) {
  const BlockPlan p = plan(square(120, 6, 0.2, 9));
  EXPECT_NEAR(9 * p.data().mean(&BlockCount::flops), 2 * std::pow(720, 3) * 0.04, 2 * std::pow(720, 3) * 0.04 * 1e-4);
}

TEST(BlockPlan, BlocksThatDifferAreAsLargeAsTheirMean) {
  std::vector<BlockIndex> sizes(400, 1);
  for (std::size_t i = 0; i < sizes.size(); i += 2) sizes[i] = 2;
  const BlockDim d = BlockDim::of(sizes);  // of 600 rows in all, which is not 400 times a whole number
  const BlockPlan p = plan(BlockProblem{.m = d, .n = d, .k = d, .ranks = 4});
  EXPECT_FALSE(p.exact());
  EXPECT_NEAR(4 * p.data().mean(&BlockCount::flops), 2 * std::pow(600, 3), 1);
  EXPECT_GE(p.mean_received(), p.received_bound());
  EXPECT_LT(p.mean_received(), 600 * 600);  // about half of that, and an index
  EXPECT_EQ(std::get<BlockPlan>(plan_from_json(p.json())).json(), p.json());
}

// On 2 x 2 ranks there are two panels of k.
TEST(BlockPlan, SumsWithoutTermsAreNotExact) {
  EXPECT_TRUE(plan(square(45, 4, 1, 4), asked("cosma pm2,pk2")).exact());
  EXPECT_FALSE(plan(square(45, 4, 1, 4), asked("cosma pk4")).exact());
}

TEST(BlockPlan, SmallProblemsAndManyRanks) {
  for (Int blocks : {0, 1, 3})
    for (Int size : {0, 1, 4})
      for (Int ranks : {1, 2, 7, 16, 64}) {
        const BlockPlan p = plan(square(blocks, size, 0.5, ranks));
        EXPECT_GE(p.predicted_seconds(), 0);
        testing::expect_narrow_lines(p.explain());
        EXPECT_EQ(nlohmann::json::parse(p.json())["algorithm"], p.algorithm());
        if (ranks == 1) {
          EXPECT_EQ(p.max_count().words(), 0);
        }
      }
}

TEST(BlockPlan, TheBoundOfFullMatricesIsThatOfDenseOnes) {
  for (const auto& [m, n, k] : {std::array<Int, 3>{100, 100, 100}, {1000, 30, 20}, {7, 5000, 3}})
    for (Int ranks : {1, 3, 16, 1000}) {
      const auto x = static_cast<double>(m), y = static_cast<double>(n), z = static_cast<double>(k);
      EXPECT_NEAR(received_bound(x * y * z, {x * z, z * y, x * y}, ranks), received_bound(m, n, k, ranks),
                  1e-9 * x * y * z);
    }
}

TEST(BlockPlan, ReceivesNoLessThanTheBound) {
  Options words;
  words.prefer = "words";
  for (double occupancy : {0.01, 0.1, 1.0})
    for (Int ranks : {4, 16, 64})
      for (const Options& o : {Options{}, words}) {
        const BlockPlan p = plan(square(640, 3, occupancy, ranks), o);
        EXPECT_GE(static_cast<double>(p.max_count().words()) * 1.01, p.received_bound()) << p.algorithm();
      }
}

// [dbcsr-25d-rma-2017, Equations 6 and 7]
TEST(BlockPlan, ThePapersEquationsBesideIt) {
  const DbcsrPanels even = dbcsr_panels(panel_problem(square(400, 10, 1, 400), {20, 20}));
  EXPECT_DOUBLE_EQ(even.S_A, 40000);
  EXPECT_DOUBLE_EQ(even.volume(4), 20.0 / 2 * 80000 + 3 * 40000);
  EXPECT_DOUBLE_EQ(even.memory(1), 1);
  EXPECT_DOUBLE_EQ(even.memory(4), 4.0 / 6 + 1);
  const DbcsrPanels flat = dbcsr_panels(panel_problem(square(400, 10, 1, 200), {10, 20}));
  EXPECT_DOUBLE_EQ(flat.S_A, 2 * flat.S_B);
  EXPECT_DOUBLE_EQ(flat.memory(2), 2 * flat.S_C / (3 * (flat.S_A + flat.S_B)) + 1);
}

TEST(BlockPlan, SimulationSaysWhatThePlanSays) {
  const BlockProblem problem = square(300, 6, 0.05, 16);
  const Options o = asked("fetch25d 4x4 layers=2x2");
  const BlockPlan p = plan(problem, o);
  const Simulation s = simulate(problem, o);
  EXPECT_EQ(s.algorithm, p.algorithm());
  EXPECT_EQ(s.received.mean, p.mean_received());
  EXPECT_EQ(s.received.max, static_cast<double>(p.max_count().words()));
  EXPECT_EQ(s.memory.max, static_cast<double>(p.max_count().peak_words));
  EXPECT_EQ(s.seconds, p.predicted_seconds());
  EXPECT_NEAR(s.path.computation + s.path.communication + s.path.other, s.seconds, 1e-12);
  const auto events = nlohmann::json::parse(simulate_timeline(problem, o, {3}))["traceEvents"];
  EXPECT_GT(events.size(), 4U);
}

// By hand: two ranks, each of which fetches the other's panel of A before it multiplies what it has.
TEST(BlockPlan, TheClockOfTwoRanks) {
  Machine m = find_machine("generic");
  m.levels = {{"network", 0, 1e-3, 1e-6, 0, 0}};
  m.gemm.efficiency = {}, m.gemm.half_size = 0, m.gemm.flops_per_second.fill(1e9);
  m.step_seconds = 0, m.copy_seconds_per_byte = 0;
  const BlockPlan p = plan_on(m, square(2, 50, 1, 2), asked("fetch25d 1x2"));
  const double product = 2.0 * 100 * 50 * 50 / 1e9, index = 4.0 * (2 + 2 * 2 + 2),
               arrives = 1e-3 + (100.0 * 50 * 8 + index) * 1e-6;
  EXPECT_NEAR(p.predicted_seconds(), std::max(arrives, product) + product, 1e-9);
}

TEST(BlockPlan, BlanksAroundASpellingMeanNothing) {
  const BlockProblem p = square(40, 3, 0.5, 4);
  for (const char* spelled : {"fetch25d 1x4", " fetch25d 1x4", "  fetch25d   1x4 "})
    EXPECT_EQ(plan(p, {.algorithm = spelled}).grid(), (std::array<Int, 2>{1, 4})) << spelled;
  for (const char* name : {" fetch25d", "fetch25d ", " "})
    EXPECT_EQ(plan(p, {.algorithm = name}).algorithm(), plan(p).algorithm()) << name;
}

TEST(BlockPlan, RefusesWhatNoPlanCanHave) {
  const auto refused = [](const BlockProblem& p, const Options& o, const char* part) {
    const std::string said = testing::refusal([&] { plan(p, o); });
    EXPECT_NE(said.find(part), std::string::npos) << said;
  };
  const BlockProblem good = square(10, 3, 0.5, 4);
  BlockProblem p = good;
  p.occupancy_a = 1.5;
  refused(p, {}, "occupancy of A: 1.5, expected 0 to 1");
  p = good, p.occupancy_b = std::nan("");
  refused(p, {}, "occupancy of B: nan, expected 0 to 1");
  p = good, p.occupancy_c = -1;
  refused(p, {}, "occupancy of C: -1, expected 0 to 1");
  p = square(100, 4, 0.01, 4), p.occupancy_c = 0.02;
  refused(p, {}, "occupancy of C: 0.02, expected at most 0.01: there are no more products of blocks");
  p = square(100, 4, 0.5, 4), p.occupancy_c = 0.24;
  refused(p, {}, "occupancy of C: 0.24, expected at least 0.25, that of A times that of B: on no block");
  p = good, p.m.blocks = -1;
  refused(p, {}, "blocks of m: -1, expected 0 to");
  p = good, p.ranks = 8191;  // prime
  refused(p, {}, "ranks: 8191, whose grids are so long that more than 1e+07 panels travel");
  Options little;
  little.memory_words = 1;
  for (Int ranks : {61 * 59, 33 * 83})  // on many layers fewer do
    for (const Options& o : {Options{}, little})
      refused(square(6912, 23, 0.1, ranks), o, "whose grids are so long that more than 1e+07 panels travel");
  p = good, p.n.total = -1;
  refused(p, {}, "elements of n: -1, expected 0 to 21474836470");
  p = good, p.k.size = -2;
  refused(p, {}, "size of the blocks of k: -2, expected 0 to");
  p = good, p.ranks = 0;
  refused(p, {}, "ranks: 0, expected 1 to");
  p = good, p.m = p.k = {1100000000, 1};
  refused(p, {}, "1100000000 x 1100000000 elements: expected at most 2^60 of them");
  refused(good, asked("cannon"), "algorithm: 'cannon', expected fetch25d, or a whole spelling");
  refused(good, asked("nobody 2x2"), "'nobody' is unknown");
  refused(good, asked("fetch25d 3x3"), "needs");
  refused(good, asked("fetch25d 2x2 layers=3x1"), "expected divisors of 2 and 2");
  Options o;
  o.look_ahead = 2;
  refused(good, o, "look-ahead: 2, expected 1");
  o = {}, o.collectives = "bcast=ring";
  refused(good, o, "collectives: bcast=ring, expected none");
  o = {}, o.transport = "node-shared";
  refused(good, o, "transport: node-shared, expected two-sided or one-sided");
  o = {}, o.max_idle = 0.1;
  refused(good, o, "max_idle: expected none");
  o = {}, o.ranks_per_node = 2;
  refused(good, o, "ranks_per_node: 2, expected 0");
  o = {}, o.trace = "t.json";
  refused(good, o, "trace: expected none");
  o = {}, o.verify_counts = true;
  refused(good, o, "verify_counts: expected none");
  o = {}, o.machine = "abacus";
  refused(good, o, "abacus");
}

// Of machines that say what fetching costs; others are planned by messages. Words are the same, sums are messages.
TEST(BlockPlan, TransportIsTheFasterByTheClock) {
  const BlockProblem p = square(200, 6, 0.1, 16);
  const auto planned = [&](const Machine& machine, const char* transport = "") {
    Options o = asked("fetch25d 4x4 layers=2x2");
    o.transport = transport;
    return plan_on(machine, p, o);
  };
  Machine machine = find_machine("generic");
  for (Machine::Level& l : machine.levels) l.overhead_seconds = 1e-5;
  const BlockPlan by_messages = planned(machine);
  EXPECT_EQ(by_messages.data().transport(), Transport::two_sided);
  EXPECT_LT(planned(machine, "one-sided").predicted_seconds(), by_messages.predicted_seconds())
      << "owners need not send";
  machine.one_sided = machine.levels;
  EXPECT_EQ(planned(machine).data().transport(), Transport::one_sided);
  EXPECT_EQ(planned(machine, "two-sided").predicted_seconds(), by_messages.predicted_seconds());
  for (Machine::Level& l : machine.one_sided) l.latency_seconds *= 100;
  EXPECT_EQ(planned(machine).data().transport(), Transport::two_sided);
  EXPECT_GT(planned(machine, "one-sided").predicted_seconds(), by_messages.predicted_seconds());
  EXPECT_EQ(planned(machine, "one-sided").max_count().words(), by_messages.max_count().words());
}

TEST(BlockPlan, PageAndJsonSayWhatIsExactAndWhatIsExpected) {
  const auto page = [](const BlockProblem& p, const std::string& algorithm) {
    return plan(p, asked(algorithm)).explain();
  };
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  };
  has(page(square(40, 3, 1, 4), ""), "exact, as all blocks are there");
  BlockProblem p = square(40, 3, 0.5, 16);
  has(page(p, ""), "grid and steps exact; words, flops, memory as expected of random patterns");
  has(page(p, "fetch25d 4x4 layers=2x2"), "buffers over one layer's");
  p.seed = 7;
  has(page(p, ""), "as in patterns of seed 7");
  const nlohmann::json json = nlohmann::json::parse(plan(p, asked("fetch25d 4x4 layers=2x2")).json());
  EXPECT_EQ(json["problem"]["operation"], "spgemm");
  EXPECT_EQ(json["grid"], nlohmann::json({4, 4}));
  EXPECT_EQ(json["layers"], nlohmann::json({2, 2}));
  EXPECT_FALSE(json["exact"].get<bool>());
  EXPECT_EQ(json["reason"], "it was asked for");
}

}  // namespace
}  // namespace cairn
