// run: 2
// Do a distributed factorisation and a distributed solve run as fast as the local ones that they are made of?
// Each row: LAPACK's dpotrf of the whole matrix on every rank at once (or BLAS's dtrsm with each rank's share of the
// right-hand sides), and Cairn's in its own layout, in turn; medians.
//   factor [orders=256,1024,…] [pairs=5] ["potrf=cholesky 2x1 b=64"] ["trsm=trsm 2x1 b=64"]
//   potrf, trsm  instead of what is planned
//   share     seconds that all ranks would take together at that rate / Cairn's seconds, median over pairs
//   other_us  Cairn's seconds apart from kernels and from waiting, of the slowest rank, in microseconds
#include <cblas.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "arguments.hpp"
#include "cairn/cairn.hpp"
#include "runtime/measure/sampling.hpp"
#include "timing.hpp"

extern "C" void dpotrf_(const char* uplo, const int* n, double* A, const int* lda, int* info, std::size_t length);

namespace {

using cairn::DistMatrix;
using cairn::Int;
using cairn::median;

// Positive definite, and of a triangle that solves well.
double element(Int n, Int i, Int j) {
  return i == j ? static_cast<double>(n) : 1.0 / static_cast<double>(1 + (i + j) % 7);
}

class Rows {
 public:
  Rows(const cairn::Comm& comm, int pairs, std::string potrf, std::string trsm)
      : comm_(comm), pairs_(pairs), potrf_{.algorithm = std::move(potrf)}, trsm_{.algorithm = std::move(trsm)} {}

  // prepare() is not timed.
  template <class Prepare, class Plain, class Cairn>
  void row(std::string_view what, Int n, const cairn::FactorPlan& plan, double together, Prepare prepare, Plain plain,
           Cairn cairns) const {
    std::vector<double> t_plain, t_cairn, share, other;
    for (int i = -1; i < pairs_; ++i) {  // the first one warms up
      cairn::RunReport report;
      prepare();
      const double theirs = slowest_seconds(plain);
      prepare();
      const double ours = slowest_seconds([&] { report = cairns(); });
      double rest = 1e6 * report.other_seconds;
      MPI_Allreduce(MPI_IN_PLACE, &rest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      if (i < 0) continue;
      t_plain.push_back(theirs), t_cairn.push_back(ours), share.push_back(theirs * together / ours);
      other.push_back(rest);
    }
    if (comm_.rank() == 0)
      fmt::print("{},{},{},{},{:.3g},{:.3g},{:.3f},{:.1f}\n", what, n, comm_.size(), plan.algorithm(), median(t_plain),
                 median(t_cairn), median(share), median(other));
  }

  void potrf(Int n) const {
    cairn::Factorisation<double> run(comm_, cairn::plan(comm_, cairn::FactoriseProblem{.n = n}, potrf_));
    const auto A = DistMatrix<double>::own(run.plan().layout_a(), comm_.rank());
    std::vector<double> whole(static_cast<std::size_t>(n * n));
    const auto prepare = [&] {
      A.for_each([n](Int i, Int j, double& x) { x = element(n, i, j); });
      for (Int j = 0; j < n; ++j)
        for (Int i = 0; i < n; ++i) whole[static_cast<std::size_t>(i + j * n)] = element(n, i, j);
    };
    const int order = static_cast<int>(n);
    const auto plain = [&] {
      int info = 0;
      dpotrf_("L", &order, whole.data(), &order, &info, 1);
    };
    row("potrf", n, run.plan(), 1.0 / comm_.size(), prepare, plain, [&] { return run.run(A); });
  }

  void trsm(Int n) const {
    cairn::TriangularSolve<double> run(comm_, cairn::plan(comm_, cairn::SolveProblem{.m = n, .n = n}, trsm_));
    const auto A = DistMatrix<double>::own(run.plan().layout_a(), comm_.rank());
    const auto B = DistMatrix<double>::own(run.plan().layout_b(), comm_.rank());
    A.for_each([n](Int i, Int j, double& x) { x = element(n, i, j); });
    const Int mine = (n + comm_.size() - 1) / comm_.size();
    std::vector<double> a(static_cast<std::size_t>(n * n)), b(static_cast<std::size_t>(n * mine));
    for (Int j = 0; j < n; ++j)
      for (Int i = 0; i < n; ++i) a[static_cast<std::size_t>(i + j * n)] = element(n, i, j);
    const auto prepare = [&] {
      B.for_each([](Int, Int, double& x) { x = 1; });
      std::fill(b.begin(), b.end(), 1.0);
    };
    const int order = static_cast<int>(n);
    const auto plain = [&] {
      cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, order, static_cast<int>(mine), 1.0,
                  a.data(), order, b.data(), order);
    };
    row("trsm", n, run.plan(), 1, prepare, plain, [&] { return run.run(1.0, A, B); });
  }

 private:
  cairn::Comm comm_;
  int pairs_;
  cairn::Options potrf_, trsm_;
};

}  // namespace

int main(int argc, char** argv) {
  const cairn::MpiSession session(&argc, &argv);
  const cairn::Comm comm = cairn::Comm::world();
  return run_benchmark(argv[0], comm.rank() == 0, [&] {
    const Arguments a(argc, argv, {"orders=", "pairs=", "potrf=", "trsm="});
    const Rows rows(comm, static_cast<int>(a.number("pairs", "5")), a.text("potrf", ""), a.text("trsm", ""));
    const std::vector<Int> orders = a.numbers("orders", "256,512,1024,2048,4096,8192");
    if (comm.rank() == 0) fmt::print("what,n,ranks,algorithm,plain_seconds,cairn_seconds,share,other_us\n");
    for (Int n : orders) rows.potrf(n), rows.trsm(n);
  });
}
