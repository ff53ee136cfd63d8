#include "cairn/simulate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <regex>
#include <set>

#include "cairn/error.hpp"
#include "cairn/factor_plan.hpp"
#include "interpret/replay/replay.hpp"
#include "model/machine.hpp"
#include "planner/plan_data.hpp"
#include "planner/plan_factor.hpp"

namespace cairn {
namespace {

GemmProblem cube(Int n, Int ranks) {
  GemmProblem p;
  p.m = p.n = p.k = n, p.ranks = ranks;
  return p;
}

TEST(Simulate, SaysWhatThePlanSays) {
  const Simulation s = simulate(cube(960, 12));
  const Plan p = plan(cube(960, 12));
  EXPECT_EQ(s.algorithm, p.algorithm());
  EXPECT_TRUE(s.replayed);
  EXPECT_NEAR(s.seconds, p.predicted_seconds(), 0.01 * s.seconds);
  EXPECT_EQ(s.received.max, static_cast<double>(p.max_count().received));
  EXPECT_EQ(s.memory.max, static_cast<double>(p.max_count().peak_words));
}

// Also of algorithms that are spelled out, whose look-ahead is left open.
TEST(Simulate, LooksAheadAsThePlanDoes) {
  const auto depths = [](const auto& p, const std::string& algorithm) {
    const Options o{.algorithm = algorithm};
    EXPECT_EQ(simulate(p, o).look_ahead, plan(p, o).data().look_ahead) << algorithm;
    Options none = o;
    none.look_ahead = 0;
    EXPECT_EQ(simulate(p, none).look_ahead, 0) << algorithm;
    return simulate(p, o).look_ahead;
  };
  EXPECT_EQ(depths(FactoriseProblem{.n = 2048, .ranks = 16}, "cholesky 4x4 b=64"), 2);
  EXPECT_EQ(depths(SolveProblem{.m = 1024, .n = 1024, .ranks = 16}, "trsm 4x4 b=64"), 4);
  EXPECT_EQ(depths(cube(1024, 16), "summa 4x4 b=64"), 1);
}

// On a machine where waits for shared memory cost nothing plan() would share it, and might choose another schedule.
TEST(Simulate, MessagesAreTwoSidedWhateverTheMachineKnows) {
  Machine m = find_machine("generic");
  m.levels = {{"network", 0, 1e-2, 1e-6}};
  m.shared = Machine::Shared{};
  const std::string file = ::testing::TempDir() + "sharing_machine.json";
  std::ofstream(file) << print_machine(m);
  const GemmProblem p = cube(256, 8);
  Options o;
  o.machine = file;
  EXPECT_EQ(plan(p, o).transport(), "node-shared");
  EXPECT_NE(plan(p, o).algorithm(), simulate(p, o).algorithm);
  o.transport = "two-sided";
  EXPECT_EQ(plan(p, o).algorithm(), simulate(p, o).algorithm);
  EXPECT_NEAR(plan(p, o).predicted_seconds(), simulate(p, o).seconds, 0.01 * simulate(p, o).seconds);
}

TEST(Simulate, TheCriticalPathIsAsLongAsTheRun) {
  Options o;
  for (const char* algorithm : {"summa 3x4 b=80", "summa 4x3 b=40", "cosma pm3,pn2,pk2"})
    for (int depth : {0, 1}) {
      o.algorithm = algorithm;
      o.look_ahead = depth;
      const Simulation s = simulate(cube(960, 12), o);
      ASSERT_FALSE(s.path.ranks.empty());
      EXPECT_NEAR(s.path.computation + s.path.communication + s.path.other, s.seconds, 1e-9 * s.seconds) << algorithm;
      EXPECT_EQ(s.path.ranks.back(), s.last_rank);
      EXPECT_GE(s.path.other, -1e-9 * s.seconds);
    }
}

// Where ranks act in each other's place, since less moves so.
TEST(Simulate, TellsOfRanksNotOfTheirPositions) {
  GemmProblem p{.m = 999, .n = 1001, .k = 1003, .ranks = 6};
  p.c = Layout::block_cyclic(p.m, p.n, {.mb = 500, .nb = 334, .pr = 2, .pc = 3, .row_major = false});
  const Options o{.algorithm = "cosma pm2,pn3"};
  const Plan chosen = plan(p, o);
  const Plan::Data& d = chosen.data();
  ASSERT_FALSE(d.relabelling.labels.empty());
  const Simulation s = simulate(p, o);
  const Labels& labels = d.relabelling.labels;
  EXPECT_NE(labels.rank(3), 3);
  EXPECT_EQ(s.path.ranks, (std::vector<Int>{labels.rank(3), labels.rank(0)}));
  EXPECT_EQ(s.last_rank, labels.rank(replay(d.wire, d.machine, p.type).last.rank));
}

TEST(Simulate, LookAheadHidesCommunication) {
  Options o;
  o.algorithm = "summa 4x4 b=64";
  o.look_ahead = 0;
  const Simulation apart = simulate(cube(2048, 16), o);
  o.look_ahead = 1;
  const Simulation together = simulate(cube(2048, 16), o);
  EXPECT_LT(together.seconds, apart.seconds);
  EXPECT_LT(together.exposed.mean, apart.exposed.mean);
  EXPECT_EQ(together.wire_words.max, apart.wire_words.max);
}

TEST(Simulate, JsonAndTimelineAreWellFormed) {
  Options o;
  o.algorithm = "cosma pm2,pn2";
  const nlohmann::json j = nlohmann::json::parse(simulate(cube(100, 4), o).json());
  EXPECT_EQ(j["problem"]["ranks"], 4);
  EXPECT_GT(j["seconds"].get<double>(), 0);
  const nlohmann::json t = nlohmann::json::parse(simulate_timeline(cube(100, 4), o, {0, 3}));
  EXPECT_FALSE(t["traceEvents"].empty());
  for (const auto& e : t["traceEvents"]) EXPECT_TRUE(e["pid"] == 0 || e["pid"] == 3);
  EXPECT_THROW(simulate_timeline(cube(100, 4), o, {4}), ArgumentError);
}

TEST(Simulate, ReceivesOfOneTrackFollowOneAnother) {
  const nlohmann::json t =
      nlohmann::json::parse(simulate_timeline(cube(600, 16), {.algorithm = "summa 4x4 b=50"}, {0, 5}));
  std::map<std::pair<int, std::string>, double> end;
  std::set<std::string> tracks;
  for (const auto& e : t["traceEvents"]) {
    if (e["name"] != "receive") continue;
    const auto track = e["tid"].get<std::string>();
    const double start = e["ts"].get<double>();
    double& last = end[{e["pid"].get<int>(), track}];
    EXPECT_GE(start, last * (1 - 1e-12)) << track;
    last = start + e["dur"].get<double>(), tracks.insert(track);
  }
  EXPECT_TRUE(tracks.contains("network") && tracks.contains("network 2"));
}

TEST(Simulate, CountsManyRanksWithoutLookingAtEach) {
  Options o;
  o.algorithm = "summa 64x64 b=8";
  o.look_ahead = 0;
  const Simulation s = simulate(cube(4096, 4096), o);
  EXPECT_FALSE(s.replayed);
  EXPECT_EQ(s.received.max, 2 * 64 * 64 * 63.0);
  EXPECT_EQ(s.flops.mean, 2.0 * 64 * 64 * 4096);
  EXPECT_EQ(s.computation.min, s.computation.max);
}

TEST(Simulate, FactorisationsAndSolvesSayWhatTheirPlansSay) {
  const auto expect_alike = [](const auto& problem) {
    const Simulation s = simulate(problem);
    const FactorPlan p = plan(problem);
    EXPECT_EQ(s.algorithm, p.algorithm());
    EXPECT_EQ(s.seconds, replay(p.data().wire, find_machine("generic"), ScalarType::float64).last.seconds);
    EXPECT_EQ(s.received.max, static_cast<double>(p.max_count().received));
    EXPECT_EQ(s.memory.max, static_cast<double>(p.max_count().peak_words));
    EXPECT_NEAR(s.path.computation + s.path.communication + s.path.other, s.seconds, 1e-9 * s.seconds);
    const nlohmann::json said = nlohmann::json::parse(s.json())["problem"];
    EXPECT_EQ(said, nlohmann::json::parse(p.json())["problem"]);
  };
  expect_alike(FactoriseProblem{.n = 500, .ranks = 6});
  expect_alike(SolveProblem{.m = 300, .n = 100, .side = Side::right, .triangle = Uplo::upper, .ranks = 6});
}

TEST(Simulate, TimelinesNameWhatRanksCompute) {
  Options o;
  o.algorithm = "cholesky 2x2 b=32";
  std::set<std::string> names;
  const nlohmann::json t = nlohmann::json::parse(simulate_timeline(FactoriseProblem{.n = 200, .ranks = 4}, o, {0, 3}));
  for (const auto& e : t["traceEvents"]) names.insert(e["name"]);
  EXPECT_EQ(names, (std::set<std::string>{"gemmt", "potrf", "receive", "trsm", "wait"}));
}

// Which share of all parts of panels travels while the receiver updates the rest with the panel before, along the rows
// of ranks and down their columns: in the first half of a factorisation, as long as there is enough to update, without
// the first panel.
struct Hidden {
  double along_rows, down_columns;
};
Hidden hidden(int look_ahead) {
  Options o;
  o.algorithm = "cholesky 4x4 b=256", o.look_ahead = look_ahead, o.machine = "hopper";
  constexpr Int n = 12288, panels = n / 256, receivers = 12;
  std::vector<Int> ranks(16);
  std::iota(ranks.begin(), ranks.end(), 0);
  using Spans = std::vector<std::pair<double, double>>;
  std::map<int, Spans> updates;
  std::map<std::pair<Int, int>, Spans> along_rows, down_columns;  // by panel and rank
  const nlohmann::json trace =
      nlohmann::json::parse(simulate_timeline(FactoriseProblem{.n = n, .ranks = 16}, o, ranks));
  const std::regex part("A\\[([0-9]+):.*, ([0-9]+):.* along ([ij]) ");
  for (const auto& e : trace["traceEvents"]) {
    const auto step = e["args"]["step"].get<std::string>(), name = e["name"].get<std::string>();
    const int rank = e["pid"].get<int>();
    const double start = e["ts"].get<double>();
    const std::pair span(start, start + e["dur"].get<double>());
    std::smatch of;
    if (name == "gemmt") updates[rank].push_back(span);
    if (name != "receive" || !std::regex_search(step, of, part) || of[1] == of[2]) continue;  // a block of the diagonal
    (of[3] == "j" ? along_rows : down_columns)[{std::stoll(of[2]) / 256, rank}].push_back(span);
  }
  const auto share = [&](const auto& arriving) {
    double meanwhile = 0;
    for (const auto& [of, spans] : arriving)
      if (0 < of.first && of.first < panels / 2) {
        const auto updating = [&](const std::pair<double, double>& span) {
          return std::any_of(updates[of.second].begin(), updates[of.second].end(),
                             [&](const auto& u) { return u.first < span.second && span.first < u.second; });
        };
        meanwhile += std::any_of(spans.begin(), spans.end(), updating);
      }
    return meanwhile / ((panels / 2 - 1) * receivers);
  };
  return {share(along_rows), share(down_columns)};
}

TEST(Simulate, PanelsTravelWhileTheRestIsUpdated) {
  const Hidden one = hidden(1), two = hidden(2);
  EXPECT_GE(one.along_rows, 0.97);
  EXPECT_GE(two.along_rows, 0.95);
  EXPECT_GE(two.down_columns, 0.45);
  EXPECT_GE(two.down_columns, 2 * one.down_columns);
}

TEST(Simulate, RefusesWhatPlansOfTrianglesRefuse) {
  Options o;
  o.algorithm = "trsm 2x2 b=32";
  EXPECT_THROW(simulate(FactoriseProblem{.n = 200, .ranks = 4}, o), ArgumentError);
  EXPECT_THROW(simulate(SolveProblem{.m = -1, .n = 2, .ranks = 4}, o), ArgumentError);
  EXPECT_THROW(simulate(SolveProblem{.m = 200, .n = 200, .ranks = 3}, o), ArgumentError);
  o.memory_words = 10;
  EXPECT_THROW(simulate(SolveProblem{.m = 200, .n = 200, .ranks = 4}, o), MemoryError);
}

TEST(Simulate, RefusesWhatPlanRefuses) {
  Options o;
  o.algorithm = "sumo 4x4";
  EXPECT_THROW(simulate(cube(100, 16), o), ArgumentError);
  o.algorithm = "summa 4x4 b=10";
  o.memory_words = 10;
  EXPECT_THROW(simulate(cube(100, 16), o), MemoryError);
  o = {};
  o.algorithm = "summa 4x4 b=10";
  EXPECT_THROW(simulate(cube(-1, 16), o), ArgumentError);
  o.collectives = "bcast=pigeon";
  EXPECT_THROW(simulate(cube(100, 16), o), ArgumentError);
}

}  // namespace
}  // namespace cairn
