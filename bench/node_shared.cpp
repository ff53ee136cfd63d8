// run: 2
// Does sharing memory within a node beat messages? The same plans with two-sided messages, node-shared in matrices that
// lie in shared memory (own), and node-shared in the caller's memory (callers), run in turn. Ratios are medians of
// two-sided over node-shared of the same turn: above 1 node-shared is faster. Bytes are those of the rank with the
// most. Options: a number of turns, then shapes "MxNxK"; by default the square, flat and tall ones.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "cairn/cairn.hpp"
#include "runtime/environment.hpp"
#include "runtime/measure/sampling.hpp"
#include "runtime/over_ranks.hpp"

namespace {

using cairn::Int;
using cairn::median;

struct Shape {
  const char* name;
  Int m, n, k;
};
constexpr Shape shapes[] = {{"square", 1024, 1024, 1024},  {"square", 2048, 2048, 2048}, {"square", 4096, 4096, 4096},
                            {"flat", 4096, 4096, 256},     {"flat", 8192, 8192, 128},    {"largeK", 512, 512, 65536},
                            {"largeK", 1024, 1024, 16384}, {"largeM", 65536, 512, 512},  {"largeM", 16384, 1024, 1024}};

using Matrix = cairn::DistMatrix<double>;

struct Way {
  Way(const cairn::Comm& world, const cairn::GemmProblem& p, const cairn::Options& options, bool own)
      : run(world, cairn::plan(p, options)),
        A(own ? run.own_a() : Matrix::own(run.plan().layout_a(), world.rank())),
        B(own ? run.own_b() : Matrix::own(run.plan().layout_b(), world.rank())),
        C(own ? run.own_c() : Matrix::own(run.plan().layout_c(), world.rank())) {
    A.for_each([](Int i, Int j, double& x) { x = static_cast<double>((i + 3 * j) % 7 - 3); });
    B.for_each([](Int i, Int j, double& x) { x = static_cast<double>((2 * i + j) % 5 - 2); });
  }
  double operator()() {
    report = run.run(1.0, A, B, 0.0, C);
    return report.seconds;
  }
  cairn::Multiplication<double> run;
  Matrix A, B, C;
  cairn::RunReport report;
};

void measure(const cairn::Comm& world, const Shape& s, int turns) {
  cairn::GemmProblem p;
  p.m = s.m, p.n = s.n, p.k = s.k, p.ranks = world.size();
  cairn::Options options;
  options.transport = "two-sided";
  options.kernels = cairn::kernels_in_use(world);
  const cairn::Plan chosen = cairn::plan(p, options);
  options.algorithm = chosen.algorithm();
  Way two_sided(world, p, options, false);
  options.transport = "node-shared";
  Way own(world, p, options, true), callers(world, p, options, false);
  std::vector<double> times[3], ratios[2];
  for (int turn = -1; turn < turns; ++turn) {
    std::vector<double> t{two_sided(), own(), callers()};
    over_ranks(world, MPI_MAX, t);
    if (turn < 0) continue;  // touches the memory
    for (std::size_t w = 0; w < 3; ++w) times[w].push_back(t[w]);
    ratios[0].push_back(t[0] / t[1]);
    ratios[1].push_back(t[0] / t[2]);
  }
  std::vector<double> bytes{8.0 * static_cast<double>(two_sided.report.received)};
  for (const Way* w : {&two_sided, &own, &callers}) bytes.push_back(static_cast<double>(w->report.copied_bytes));
  over_ranks(world, MPI_MAX, bytes);
  if (world.rank() != 0) return;
  fmt::print("{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.3f},{:.3f},{:.0f},{:.0f},{:.0f},{:.0f}\n", s.name, s.m, s.n, s.k,
             chosen.algorithm(), median(times[0]), median(times[1]), median(times[2]), median(ratios[0]),
             median(ratios[1]), bytes[0], bytes[1], bytes[2], bytes[3]);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const cairn::MpiSession session(&argc, &argv);
  const cairn::Comm world = cairn::Comm::world();
  cairn::use_one_blas_thread();
  return run_benchmark(argv[0], world.rank() == 0, [&] {
    const int turns = argc > 1 ? static_cast<int>(whole_number(argv[1], argv[1])) : 11;
    std::vector<Shape> asked;
    for (int a = 2; a < argc; ++a)
      for (const auto& mnk : whole_numbers(argv[a], argv[a], 3)) asked.push_back({"asked", mnk[0], mnk[1], mnk[2]});
    if (argc <= 2) asked.assign(std::begin(shapes), std::end(shapes));
    if (world.rank() == 0)
      fmt::print(
          "shape,m,n,k,algorithm,two_sided_s,own_s,callers_s,two_sided_over_own,two_sided_over_callers,"
          "two_sided_received_bytes,two_sided_copied_bytes,own_copied_bytes,callers_copied_bytes\n");
    for (const Shape& s : asked) measure(world, s, turns);
  });
}
