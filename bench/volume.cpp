// How close to the lower bounds are the planner's volumes? CSV on stdout, geometric means on stderr.
//   received:  the most that a rank receives, over the tight memory-independent bound, for p = 1 … 128 and four shapes;
//              by COSMA balanced between time and words, with ranks left idle as the planner likes (free) and with
//              none (all), of whatever algorithm is the fastest (time), and where words decide, on more than half of
//              the ranks (words)
//   limited:   COSMA's limited-memory case where every division comes out even, over Theorem 2's bound; touched counts
//              a rank's own parts of A, B and C as the theorem does
#include <cmath>
#include <cstdio>
#include <string>

#include "cairn/plan.hpp"
#include "model/bounds.hpp"

namespace {

using namespace cairn;

struct Shape {
  const char* name;
  Int m, n, k;
};
constexpr Shape shapes[] = {{"square", 4096, 4096, 4096},
                            {"largeK", 1024, 1024, 65536},
                            {"largeM", 65536, 1024, 1024},
                            {"flat", 16384, 16384, 512}};
constexpr Int most_ranks = 128;

GemmProblem problem(Int m, Int n, Int k, Int ranks) {
  GemmProblem p;
  p.m = m, p.n = n, p.k = k, p.ranks = ranks;
  return p;
}

struct Policy {
  const char* name;
  Options options;
  double log_sum = 0;
  int count = 0;
};

void received(const Shape& s, Int p, Policy& policy) {
  const Plan plan = cairn::plan(problem(s.m, s.n, s.k, p), policy.options);
  const double bound = received_bound(s.m, s.n, s.k, p);
  const auto words = static_cast<double>(plan.max_count().received);
  const double ratio = bound > 0 ? words / bound : 1;
  const auto [pm, pn, pk] = plan.grid();
  std::printf("received,%s,%s,%lld,%lld,%lld,%lld,%.0f,%.0f,%.4f\n", s.name, policy.name, static_cast<long long>(p),
              static_cast<long long>(pm), static_cast<long long>(pn), static_cast<long long>(pk), words, bound, ratio);
  policy.log_sum += std::log(ratio);
  ++policy.count;
}

// Square faces of C, and memory for them with the rank's own parts of A and B and panels `thick` columns thick.
void limited(Int side, Int k, Int across, Int thick) {
  const Int p = across * across, m = side * across;
  const GemmProblem problem_ = problem(m, m, k, p);
  Options options;
  options.look_ahead = 0;
  options.algorithm = "cosma";
  options.prefer = "balanced";
  options.memory_words = side * side + 2 * side * k / across + 2 * side * thick;
  const Plan plan = cairn::plan(problem_, options);
  const double bound = parallel_bound(m, m, k, p, static_cast<double>(*options.memory_words));
  const auto words = static_cast<double>(plan.max_count().received);
  const auto own = static_cast<double>(side * side + 2 * side * k / across);
  std::printf("limited,%lldx%lldx%lld,S=%lld,%lld,%lld,%lld,%lld,%.0f,%.0f,%.4f\n", static_cast<long long>(m),
              static_cast<long long>(m), static_cast<long long>(k), static_cast<long long>(*options.memory_words),
              static_cast<long long>(p), static_cast<long long>(plan.grid()[0]), static_cast<long long>(plan.grid()[1]),
              static_cast<long long>(plan.grid()[2]), words, bound, words / bound);
  std::fprintf(stderr, "limited memory, %lld ranks: received/bound %.4f, touched/bound %.4f\n",
               static_cast<long long>(p), words / bound, (words + own) / bound);
}

}  // namespace

int main() {
  std::puts("part,shape,policy,p,pm,pn,pk,words,bound,ratio");
  Options free, all, fastest, fewest;
  free.algorithm = all.algorithm = "cosma";
  free.prefer = all.prefer = "balanced";
  fewest.prefer = "words";
  all.max_idle = 0;
  Policy policies[] = {{"free", free}, {"all", all}, {"time", fastest}, {"words", fewest}};
  for (const Shape& s : shapes)
    for (Policy& policy : policies) {
      const double before = policy.log_sum;
      for (Int p = 1; p <= most_ranks; ++p) received(s, p, policy);
      std::fprintf(stderr, "received/tight bound, %-6s %-5s %.4f\n", s.name, policy.name,
                   std::exp((policy.log_sum - before) / static_cast<double>(most_ranks)));
    }
  for (const Policy& policy : policies)
    std::fprintf(stderr, "received/tight bound, geometric mean of all, %-5s %.4f\n", policy.name,
                 std::exp(policy.log_sum / policy.count));
  for (Int across : {16, 32, 64})
    for (Int thick : {1, 16}) limited(1024, 2048, across, thick);
}
