// run: 2
// Is one-sided transport slower or faster than two-sided here, and node-shared than both? The same plan with each, run
// in turn; CSV.
//   seconds     of the slowest rank, median
//   two_sided   seconds of two-sided / seconds, median over the turns
//   waited      the largest share of its time that a rank waits or copies for others, median
#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "cairn/cairn.hpp"
#include "runtime/measure/sampling.hpp"

namespace {

using cairn::Int;
using cairn::median;

struct Way {
  Way(const cairn::Comm& comm, const cairn::GemmProblem& problem, const std::string& algorithm, const char* transport)
      : run(comm, cairn::plan(problem, {.algorithm = algorithm, .transport = transport})),
        A(run.own_a()),
        B(run.own_b()),
        C(run.own_c()) {
    A.for_each([](Int i, Int j, double& x) { x = static_cast<double>((i + j) % 7); });
    B.for_each([](Int i, Int j, double& x) { x = static_cast<double>((i - j) % 5); });
  }
  void turn() {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    const cairn::RunReport r = run.run(1.0, A, B, 0.0, C);
    std::array<double, 2> mine{MPI_Wtime() - start, (r.wait_seconds + r.other_seconds) / r.seconds};
    MPI_Allreduce(MPI_IN_PLACE, mine.data(), 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    seconds.push_back(mine[0]);
    waited.push_back(mine[1]);
  }
  cairn::Multiplication<double> run;
  cairn::DistMatrix<double> A, B, C;
  std::vector<double> seconds, waited;
};

void bench(const cairn::Comm& comm, Int m, Int n, Int k, int turns, const std::string& algorithm) {
  cairn::GemmProblem problem;
  problem.m = m, problem.n = n, problem.k = k, problem.ranks = comm.size();
  std::vector<std::unique_ptr<Way>> ways;
  for (const char* transport : {"two-sided", "one-sided", "node-shared"})
    ways.push_back(std::make_unique<Way>(comm, problem, algorithm, transport));
  for (int t = -1; t < turns; ++t)  // the first turn touches the memory
    for (auto& w : ways) {
      w->turn();
      if (t < 0) w->seconds.clear(), w->waited.clear();
    }
  for (auto& w : ways) {
    std::vector<double> ratio;
    for (std::size_t t = 0; t < w->seconds.size(); ++t) ratio.push_back(ways[0]->seconds[t] / w->seconds[t]);
    if (comm.rank() == 0)
      fmt::print("{},{},{},{},\"{}\",{},{:.3g},{:.3f},{:.3f}\n", m, n, k, comm.size(), w->run.plan().algorithm(),
                 w->run.transport(), median(w->seconds), median(ratio), median(w->waited));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const cairn::MpiSession session(&argc, &argv);
  const cairn::Comm comm = cairn::Comm::world();
  if (comm.rank() == 0) fmt::print("m,n,k,ranks,algorithm,transport,seconds,two_sided,waited\n");
  bench(comm, 64, 64, 64, 501, "cosma pm2");
  bench(comm, 256, 256, 256, 201, "cosma pm2");
  bench(comm, 1024, 1024, 1024, 21, "cosma pm2");
  bench(comm, 1024, 1024, 1024, 21, "cosma pk2");
  bench(comm, 1024, 1024, 1024, 21, "cosma pm2,sk4");
  bench(comm, 2048, 2048, 256, 21, "cosma pn2");
  bench(comm, 2048, 2048, 2048, 7, "");
}
