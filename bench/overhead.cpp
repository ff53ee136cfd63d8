// run: 2
// What the executor costs beside the work: microseconds a step of a schedule whose steps do almost nothing, and what
// a plain cached call costs beyond a prepared one.
#include <cblas.h>
#include <fmt/format.h>

#include <chrono>
#include <vector>

#include "cairn/cairn.hpp"
#include "runtime/measure/sampling.hpp"

namespace {

using cairn::Int;

template <class F>
double median_us(int runs, F f) {
  std::vector<double> us;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    f();
    us.push_back(1e6 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return cairn::median(std::move(us));
}

struct Ready {
  Ready(const cairn::Comm& comm, Int n, Int k, const std::string& algorithm)
      : run(comm, cairn::plan(problem(comm, n, k), {.algorithm = algorithm})),
        A(cairn::DistMatrix<double>::own(run.plan().layout_a(), comm.rank())),
        B(cairn::DistMatrix<double>::own(run.plan().layout_b(), comm.rank())),
        C(cairn::DistMatrix<double>::own(run.plan().layout_c(), comm.rank())) {}
  static cairn::GemmProblem problem(const cairn::Comm& comm, Int n, Int k) {
    cairn::GemmProblem p;
    p.m = n, p.n = n, p.k = k, p.ranks = comm.size();
    return p;
  }
  void operator()() { run.run(1.0, A, B, 0.0, C); }
  cairn::Multiplication<double> run;
  cairn::DistMatrix<double> A, B, C;
};

}  // namespace

int main(int argc, char** argv) {
  const cairn::MpiSession session(&argc, &argv);
  const cairn::Comm world = cairn::Comm::world(), self = cairn::Comm::self();
  if (world.rank() == 0) fmt::print("what,microseconds\n");
  if (world.rank() == 0) {  // a local step: 1 x 1 x 1 products, less the same calls of cblas_dgemm
    constexpr int steps = 2000;
    Ready many(self, 1, steps, "cosma sk" + std::to_string(steps)), one(self, 1, 1, "cosma pm1");
    double a = 1, b = 1, c = 0;
    const double blas = median_us(101, [&] {
      for (int i = 0; i < steps; ++i)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, 1, 1, 1, 1.0, &a, 1, &b, 1, 1.0, &c, 1);
    });
    const double whole = median_us(101, [&] { many(); });
    fmt::print("a local step beside BLAS,{:.3f}\n", (whole - blas) / steps);
    fmt::print("a run with one step on one rank,{:.3f}\n", median_us(1001, [&] { one(); }));
  }
  Ready prepared(world, 64, 64, "");
  const double run = median_us(2001, [&] { prepared(); });
  const double plain = median_us(2001, [&] { cairn::multiply(world, prepared.A, prepared.B, prepared.C); });
  if (world.rank() == 0)
    fmt::print("64^3 prepared on {0} ranks,{1:.2f}\n64^3 plain call on {0} ranks,{2:.2f}\n", world.size(), run, plain);
}
