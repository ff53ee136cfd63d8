// run: 2
// Is Cairn's product of block-cyclic matrices faster than ScaLAPACK's p?gemm on the very same matrices?
// Whole calls, in turn: cairn::gemm on borrowed block-cyclic layouts, redistribution included, and pdgemm.
//   scalapack [words=6000000] [blocks=32,64,128,256] [grids=1x2,2x1] [pairs=5] [seconds=0.05] [algorithm=…]
//     the four shapes of [cosma-sc19 §8], ScaLAPACK with each block size; Cairn against the best of them
//   scalapack table [sizes=32,64,…] …
//     every m × n × k of the sizes (or products=64x64x4096,…) that the drop-in takes, worst first; `all`: those that it
//     hands back, too. bench/dropin calls the drop-in itself.
// Columns:
//   scalapack, cairn  seconds of the slowest rank, medians
//   speed             scalapack / cairn, median over pairs of runs
//   best              the same of the shortest runs of either
//   products, waits, copies, moves   seconds of rank 0's last run: local products, waiting, copies, redistribution
#include "runtime/measure/scalapack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "cairn/cairn.hpp"
#include "runtime/comm_state.hpp"
#include "runtime/measure/sampling.hpp"
#include "scalapack/thresholds.hpp"
#include "timing.hpp"

namespace {

using cairn::Comm;
using cairn::DistMatrix;
using cairn::Int;
using cairn::Layout;
using cairn::median;
using cairn::Op;

struct Result {
  Int m, n, k, block;
  Int pr, pc;
  double scalapack, cairn, speed, best;
  cairn::RunReport report;
  std::string algorithm;
};

class Bench {
 public:
  Bench(const Comm& comm, const Arguments& a)
      : comm_(comm), pairs_(a.number("pairs", "5")), seconds_(a.decimal("seconds", "0.05")) {
    options_.algorithm = a.text("algorithm", "");
    std::replace(options_.algorithm.begin(), options_.algorithm.end(), '_', ' ');
    options_.kernels = cairn::kernels_in_use(comm);
  }

  Result run(Int m, Int n, Int k, Int block, Int pr, Int pc) {
    const cairn::Scalapack<double> theirs(comm_, m, n, k, pr, pc, block);
    const std::array<Layout, 3> layouts{theirs.layout_a(), theirs.layout_b(), theirs.layout_c()};
    std::vector<DistMatrix<double>> X;
    for (std::size_t x = 0; x < 3; ++x) {
      const Int words = layouts[x].words(comm_.rank());
      if (static_cast<Int>(memory_[x].size()) < words) memory_[x].assign(static_cast<std::size_t>(words), 1.0 / 3);
      X.push_back(DistMatrix<double>::borrow(layouts[x], comm_.rank(), memory_[x].data(), words));
    }
    cairn::RunReport report;
    const auto mine = [&] { report = cairn::gemm(comm_, Op::none, Op::none, 1.0, X[0], X[1], 0.0, X[2], options_); };
    const auto others = [&] { theirs.run(X[0].data(), X[1].data(), X[2].data()); };
    mine();
    others();
    std::vector<double> t_mine, t_others, speed;
    double spent = 0;
    for (Int i = 0; i < pairs_ || (spent < seconds_ && i < 1000); ++i) {
      for (const bool first : {i % 2 == 0, i % 2 != 0})
        (first ? t_mine : t_others).push_back(first ? slowest_seconds(mine) : slowest_seconds(others));
      speed.push_back(t_others.back() / t_mine.back());
      spent += t_others.back() + t_mine.back();
    }
    comm_.state().cache.clear();
    const auto least = [](const std::vector<double>& t) { return *std::min_element(t.begin(), t.end()); };
    return {m,
            n,
            k,
            block,
            pr,
            pc,
            median(t_others),
            median(t_mine),
            median(speed),
            least(t_others) / least(t_mine),
            report,
            algorithm(m, n, k, layouts)};
  }

 private:
  std::string algorithm(Int m, Int n, Int k, const std::array<Layout, 3>& l) const {
    if (comm_.rank() != 0) return {};
    cairn::GemmProblem p{m, n, k, comm_.size(), cairn::ScalarType::float64, Op::none, Op::none, l[0], l[1], l[2]};
    return cairn::plan(p, options_).algorithm();
  }

  Comm comm_;
  Int pairs_;
  double seconds_;
  cairn::Options options_;
  std::array<std::vector<double>, 3> memory_;
};

void print(const Result& r) {
  fmt::print("{},{},{},{},{}x{},{:.4g},{:.4g},{:.3f},{:.3f},{:.2g},{:.2g},{:.2g},{:.2g},{}\n", r.m, r.n, r.k, r.block,
             r.pr, r.pc, r.scalapack, r.cairn, r.speed, r.best, r.report.gemm_seconds, r.report.wait_seconds,
             r.report.other_seconds, r.report.redistribute_seconds, r.algorithm);
}

void table(const Comm& comm, const Arguments& a) {
  Bench bench(comm, a);
  std::vector<Result> all;
  for (const auto& grid : a.grids(comm.size()))
    for (Int block : a.numbers("blocks", "32,64,128"))
      for (const auto& p : a.products())
        if (a.given.count("all") || (p[2] > block && cairn::scalapack::worth_it(p[0], p[1], p[2], comm.size())))
          all.push_back(bench.run(p[0], p[1], p[2], block, grid[0], grid[1]));
  if (comm.rank() != 0) return;
  std::sort(all.begin(), all.end(), [](const Result& x, const Result& y) { return x.speed < y.speed; });
  fmt::print("m,n,k,block,grid,scalapack,cairn,speed,best,products,waits,copies,moves,algorithm\n");
  std::vector<double> speeds;
  for (const Result& r : all) {
    print(r);
    speeds.push_back(r.speed);
  }
  fmt::print("# geometric mean {:.3f} of {} cases\n", geometric_mean(speeds), all.size());
}

// mn + mk + nk = `words`; long dimensions 3,735,552 : 17,408 as many times the short ones, flat ones 512 thin.
std::vector<std::array<Int, 3>> shapes(double words) {
  constexpr double longer = 3735552.0 / 17408.0;
  const auto whole = [](double x) { return std::max<Int>(1, std::llround(x)); };
  const Int square = whole(std::sqrt(words / 3)), small = whole(std::sqrt(words / (1 + 2 * longer)));
  const Int large = whole(longer * std::sqrt(words / (1 + 2 * longer)));
  const Int flat = whole(std::sqrt(words + 512.0 * 512) - 512);
  return {{square, square, square}, {small, small, large}, {large, small, small}, {flat, flat, 512}};
}

void four_shapes(const Comm& comm, const Arguments& a) {
  Bench bench(comm, a);
  if (comm.rank() == 0)
    fmt::print("m,n,k,block,grid,scalapack,cairn,speed,best,products,waits,copies,moves,algorithm\n");
  std::vector<double> speeds;
  for (const auto& grid : a.grids(comm.size()))
    for (const auto& [m, n, k] : shapes(a.decimal("words", "6000000", 1))) {
      std::vector<Result> all;
      for (Int block : a.numbers("blocks", "32,64,128,256")) {
        all.push_back(bench.run(m, n, k, block, grid[0], grid[1]));
        if (comm.rank() == 0) print(all.back());
      }
      const auto best = std::min_element(all.begin(), all.end(),
                                         [](const Result& x, const Result& y) { return x.scalapack < y.scalapack; });
      speeds.push_back(best->speed);
    }
  if (comm.rank() == 0)
    fmt::print("# geometric mean {:.3f}, where ScaLAPACK's block is its best\n", geometric_mean(speeds));
}

}  // namespace

int main(int argc, char** argv) {
  const cairn::MpiSession session(&argc, &argv);
  const Comm comm = Comm::world();
  return run_benchmark(argv[0], comm.rank() == 0, [&] {
    std::vector<std::string> known{"table", "words=", "blocks=", "grids=", "pairs=", "seconds=", "algorithm="};
    const bool whole = std::find(argv, argv + argc, std::string("table")) != argv + argc;
    if (whole) known = {"table", "all", "sizes=", "products=", "blocks=", "grids=", "pairs=", "seconds=", "algorithm="};
    (whole ? table : four_shapes)(comm, Arguments(argc, argv, known));
  });
}
