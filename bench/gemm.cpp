// run: 2
// Does a distributed product run as fast as the local products it is made of?
// Each row: plain cblas_dgemm of the rank's block on every rank at once, and Cairn's product, in turn; medians.
//   share      plain seconds / Cairn's seconds, median over pairs of runs
//   beyond_us  Cairn's seconds beyond the plain product, median over pairs, in microseconds
#include <cblas.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "cairn/cairn.hpp"
#include "runtime/measure/sampling.hpp"
#include "timing.hpp"

namespace {

using cairn::Int;
using cairn::median;

void bench(const cairn::Comm& comm, Int m, Int n, Int k, int pairs, const std::string& algorithm = {}) {
  cairn::GemmProblem problem;
  problem.m = m, problem.n = n, problem.k = k, problem.ranks = comm.size();
  cairn::Multiplication<double> run(comm, cairn::plan(problem, {.algorithm = algorithm}));
  const auto A = cairn::DistMatrix<double>::own(run.plan().layout_a(), comm.rank());
  const auto B = cairn::DistMatrix<double>::own(run.plan().layout_b(), comm.rank());
  const auto C = cairn::DistMatrix<double>::own(run.plan().layout_c(), comm.rank());
  A.for_each([](Int i, Int j, double& x) { x = static_cast<double>((i + j) % 7); });
  B.for_each([](Int i, Int j, double& x) { x = static_cast<double>((i - j) % 5); });
  const auto [pm, pn, pk] = run.plan().grid();
  const int lm = static_cast<int>((m + pm - 1) / pm), ln = static_cast<int>((n + pn - 1) / pn),
            lk = static_cast<int>((k + pk - 1) / pk);
  std::vector<double> a(static_cast<std::size_t>(lm) * static_cast<std::size_t>(lk), 1.0);
  std::vector<double> b(static_cast<std::size_t>(lk) * static_cast<std::size_t>(ln), 1.0);
  std::vector<double> c(static_cast<std::size_t>(lm) * static_cast<std::size_t>(ln), 0.0);
  const auto plain = [&] {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, lm, ln, lk, 1.0, a.data(), lm, b.data(), lk, 0.0, c.data(),
                lm);
  };
  const auto cairns = [&] { run.run(1.0, A, B, 0.0, C); };
  plain();
  cairns();
  std::vector<double> t_plain, t_cairn, share, beyond;
  for (int i = 0; i < pairs; ++i) {
    t_plain.push_back(slowest_seconds(plain));
    t_cairn.push_back(slowest_seconds(cairns));
    share.push_back(t_plain.back() / t_cairn.back());
    beyond.push_back(1e6 * (t_cairn.back() - t_plain.back()));
  }
  if (comm.rank() == 0)
    fmt::print("{},{},{},{},{},{:.3g},{:.3g},{:.3f},{:.1f}\n", m, n, k, comm.size(), run.plan().algorithm(),
               median(t_plain), median(t_cairn), median(share), median(beyond));
}

}  // namespace

int main(int argc, char** argv) {
  const cairn::MpiSession session(&argc, &argv);
  const cairn::Comm comm = cairn::Comm::world();
  if (comm.rank() == 0) fmt::print("m,n,k,ranks,algorithm,plain_seconds,cairn_seconds,share,beyond_us\n");
  bench(comm, 4096, 4096, 4096, 7);
  bench(comm, 1024, 1024, 1024, 41);
  for (const char* algorithm : {"", "cosma pm2"}) {  // what the planner thinks best, and a cut among both ranks
    bench(comm, 256, 256, 256, 301, algorithm);
    bench(comm, 64, 64, 64, 2001, algorithm);
  }
}
