// How good are the sketches by which factorisations and solves are planned? All variants are made, factorisations with
// and without look-ahead and solves with one of 4, and compared with those that the sketches put first: by the clock,
// or by the replay where the plan was chosen by that. CSV on stdout, one row a case.
//   sketches [machines=generic,hopper,local] [ranks=4,16,64] [orders=1024,4096] [problems=potrf,left,right,narrow]
// left and right are solves with as many right-hand sides as the order, narrow is a solve from the left with an eighth.
// Columns:
//   variants     how many there are on all of the ranks
//   by           clock or replay
//   best         the fastest of all, or the plan if that is faster, which may use fewer ranks
//   first        the one that the sketches put first
//   first/best   seconds of the first, with look-ahead, over those of the best: all that is made of long schedules
//   four/best    the same of the fastest of the first four, with the better look-ahead
//   plan/best    the same of the plan, for which as many are made as src/planner/limits.hpp allows
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "interpret/clock.hpp"
#include "interpret/replay/replay.hpp"
#include "planner/plan_factor.hpp"
#include "planner/promising.hpp"

namespace {

using namespace cairn;

// Of all cases of one problem.
class Ratios {
 public:
  void add(double ratio) { sum_ += ratio, most_ = std::max(most_, ratio), ++count_; }
  std::string text() const { return fmt::format("at most {:.3f}, mean {:.3f}", most_, sum_ / count_); }
  int count() const { return count_; }

 private:
  double sum_ = 0, most_ = 0;
  int count_ = 0;
};
struct Quality {
  Ratios first, four, plan;
};

// Of which the planner takes the best.
std::vector<int> depths(const FactoriseProblem&) { return {1, 2, 0}; }
std::vector<int> depths(const SolveProblem&) { return {4}; }

class Bench {
 public:
  explicit Bench(const Machine& machine) : machine_(machine) {}

  void run(const std::string& problem, Int n, Int ranks, Quality& quality) {
    if (problem == "potrf")
      row(problem, n, FactoriseProblem{.n = n, .ranks = ranks}, quality);
    else if (problem == "right")
      row(problem, n, SolveProblem{.m = n, .n = n, .side = Side::right, .ranks = ranks}, quality);
    else
      row(problem, n, SolveProblem{.m = n, .n = problem == "narrow" ? std::max<Int>(1, n / 8) : n, .ranks = ranks},
          quality);
  }

 private:
  template <class P>
  void row(const std::string& name, Int order, const P& problem, Quality& quality) {
    const std::vector<Sketch> sketches = promising(machine_, problem, {}, problem.ranks);
    const FactorPlan plan = plan_on(machine_, problem, {});
    const bool replayed = plan.data().replays;
    double first = 0, four = infinity, best = infinity;
    std::string fastest;
    for (std::size_t i = 0; i < sketches.size(); ++i)
      for (int depth : depths(problem)) {
        const double now = seconds(problem, sketches[i].spelling, depth, replayed);
        if (i == 0 && depth > 0) first = now;
        if (i < 4) four = std::min(four, now);
        if (now < best) best = now, fastest = fmt::format("{} look-ahead {}", sketches[i].spelling, depth);
      }
    const double planned = plan.predicted_seconds();
    if (planned < best) best = planned, fastest = "plan " + plan.algorithm();
    fmt::print("{},{},{},{},{},{},{},{},{:.3f},{:.3f},{:.3f}\n", machine_.name, problem.ranks, name, order,
               sketches.size(), replayed ? "replay" : "clock", fastest, sketches.front().spelling, first / best,
               four / best, planned / best);
    std::fflush(stdout);
    quality.first.add(first / best), quality.four.add(four / best), quality.plan.add(planned / best);
  }

  template <class P>
  double seconds(const P& problem, const std::string& spelling, int depth, bool replayed) {
    const FactorPlan plan = plan_on(machine_, problem, {.algorithm = spelling, .look_ahead = depth});
    const Schedule& wire = plan.data().wire;
    return replayed ? replay(wire, machine_, problem.type).last.seconds : clock(wire, machine_, problem.type).seconds;
  }

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  Machine machine_;
};

void compare(const Arguments& a) {
  std::map<std::string, Quality> all;
  fmt::print("machine,ranks,problem,order,variants,by,best,first,first/best,four/best,plan/best\n");
  for (const std::string& machine : a.words("machines", "generic,hopper,local")) {
    Bench bench(find_machine(machine));
    for (Int ranks : a.numbers("ranks", "4,16,64"))
      for (Int order : a.numbers("orders", "1024,4096"))
        for (const std::string& problem :
             a.words("problems", "potrf,left,right,narrow", {"potrf", "left", "right", "narrow"}))
          bench.run(problem, order, ranks, all[problem]);
  }
  for (const auto& [problem, q] : all)
    fmt::print("# {}, {} cases: first/best {}; four/best {}; plan/best {}\n", problem, q.first.count(), q.first.text(),
               q.four.text(), q.plan.text());
}

}  // namespace

int main(int argc, char** argv) {
  return run_benchmark(argv[0], true, [&] { compare({argc, argv, {"machines=", "ranks=", "orders=", "problems="}}); });
}
