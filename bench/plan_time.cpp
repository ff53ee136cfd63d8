// How long does planning take? Goals: below 1 ms for p = 2 … 64, below 50 ms for p = 1,000,000 with explain().
#include <benchmark/benchmark.h>

#include "cairn/error.hpp"
#include "cairn/factor_plan.hpp"
#include "cairn/plan.hpp"

namespace {

using namespace cairn;

GemmProblem problem(Int m, Int n, Int k, Int ranks) {
  GemmProblem p;
  p.m = m, p.n = n, p.k = k, p.ranks = ranks;
  return p;
}

void plan_anew(benchmark::State& state) {
  const GemmProblem p = problem(4096, 4096, 4096, state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(plan(p));
}
BENCHMARK(plan_anew)->RangeMultiplier(2)->Range(2, 64)->Arg(61)->Unit(benchmark::kMicrosecond);

void plan_small(benchmark::State& state) {
  const GemmProblem p = problem(64, 64, 64, 2);
  for (auto _ : state) benchmark::DoNotOptimize(plan(p));
}
BENCHMARK(plan_small)->Unit(benchmark::kMicrosecond);

void plan_with_layouts(benchmark::State& state) {
  GemmProblem p = problem(4096, 4096, 4096, state.range(0));
  p.a = p.b = p.c = Layout::row_blocks(4096, 4096, state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(plan(p));
}
BENCHMARK(plan_with_layouts)->Arg(2)->Arg(16)->Unit(benchmark::kMicrosecond);

// Below 10 ms up to 64 ranks.
void plan_block_cyclic(benchmark::State& state) {
  const Int pr = state.range(0), pc = state.range(1);
  GemmProblem p = problem(4096, 4096, 4096, pr * pc);
  p.a = p.b = p.c = Layout::block_cyclic(4096, 4096, {.mb = 32, .nb = 32, .pr = pr, .pc = pc});
  for (auto _ : state) benchmark::DoNotOptimize(plan(p));
}
BENCHMARK(plan_block_cyclic)->Args({1, 2})->Args({2, 2})->Args({4, 4})->Args({8, 8})->Unit(benchmark::kMicrosecond);

void plan_a_million(benchmark::State& state, Int m, Int n, Int k, Int memory) {
  const GemmProblem p = problem(m, n, k, 1000000);
  Options options;
  if (memory > 0) options.memory_words = memory;
  for (auto _ : state) benchmark::DoNotOptimize(plan(p, options).explain());
}
BENCHMARK_CAPTURE(plan_a_million, square, 100000, 100000, 100000, 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_a_million, square_limited, 100000, 100000, 100000, 1000000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_a_million, small, 4096, 4096, 4096, 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_a_million, tall, 1000000, 1000, 1000, 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_a_million, large_k, 10000, 10000, 10000000, 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(plan_a_million, large_k_limited, 10000, 10000, 10000000, 1000000)->Unit(benchmark::kMillisecond);

void memory_needed_by_a_million(benchmark::State& state) {
  Options options;
  options.memory_words = 10;
  for (auto _ : state) try {
      benchmark::DoNotOptimize(plan(problem(100000, 100000, 100000, 1000000), options));
    } catch (const MemoryError&) {
    }
}
BENCHMARK(memory_needed_by_a_million)->Unit(benchmark::kMillisecond);

// Factorisations and solves, of order n on so many ranks.
void plan_factorisation(benchmark::State& state) {
  const FactoriseProblem p{.n = state.range(0), .ranks = state.range(1)};
  for (auto _ : state) benchmark::DoNotOptimize(plan(p));
}
void plan_solve(benchmark::State& state, Side side) {
  const SolveProblem p{.m = state.range(0), .n = state.range(0), .side = side, .ranks = state.range(1)};
  for (auto _ : state) benchmark::DoNotOptimize(plan(p));
}
// Of a plan, with its page: words and seconds of all ranks.
void explain_factorisation(benchmark::State& state) {
  const FactoriseProblem p{.n = state.range(0), .ranks = state.range(1)};
  for (auto _ : state) benchmark::DoNotOptimize(plan(p).explain());
}
void explain_solve(benchmark::State& state) {
  const SolveProblem p{.m = state.range(0), .n = state.range(0), .ranks = state.range(1)};
  for (auto _ : state) benchmark::DoNotOptimize(plan(p).explain());
}
void orders_and_ranks(benchmark::internal::Benchmark* b) {
  b->Args({8192, 4})->Args({8192, 16})->Args({8192, 64})->Args({32768, 1024})->Unit(benchmark::kMillisecond);
}
BENCHMARK(plan_factorisation)->Apply(orders_and_ranks);
BENCHMARK_CAPTURE(plan_solve, left, Side::left)->Apply(orders_and_ranks);
BENCHMARK_CAPTURE(plan_solve, right, Side::right)->Apply(orders_and_ranks);
BENCHMARK(explain_factorisation)->Args({32768, 1024})->Unit(benchmark::kMillisecond);
BENCHMARK(explain_solve)->Args({32768, 1024})->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
