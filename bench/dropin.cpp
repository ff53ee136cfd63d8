// run: 2
// Is a program's pdgemm faster, or slower, with libcairn_scalapack in ScaLAPACK's place? Whole calls of either, in
// turn, on the very same block-cyclic matrices, whether Cairn multiplies or hands back; worst first.
//   dropin [sizes=32,64,…] [products=64x64x4096,…] [blocks=32,64,128] [grids=1x2,2x1] [pairs=4] [seconds=0.05]
// With CAIRN_SCALAPACK=always Cairn multiplies, by a cached plan, where it would otherwise hand back.
// Columns:
//   ScaLAPACK, Cairn   microseconds a call of the slowest rank, medians
//   difference         Cairn - ScaLAPACK, median over pairs
//   speed              ScaLAPACK / Cairn, median over pairs
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "block_cyclic.hpp"
#include "cairn/scalapack.h"
#include "runtime/measure/sampling.hpp"
#include "side_by_side.hpp"

namespace {

using cairn::Int;
using cairn::median;
using Gemm = decltype(&cairn_pdgemm);

class Bench {
 public:
  Bench(const Library& library, const Arguments& a)
      : library_(library),
        scalapack_(library.find<Gemm>("pdgemm_")),
        pairs_(a.number("pairs", "4")),
        seconds_(a.decimal("seconds", "0.05")) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  }

  Compared run(const std::vector<Int>& mnk, Int block, const std::vector<Int>& shape) const {
    const BlacsGrid grid(library_, shape[0], shape[1]);
    const int m = static_cast<int>(mnk[0]), n = static_cast<int>(mnk[1]), k = static_cast<int>(mnk[2]), first = 1;
    BlockCyclic A(grid, rank_, m, k, block), B(grid, rank_, k, n, block), C(grid, rank_, m, n, block);
    for (BlockCyclic* x : {&A, &B, &C}) x->fill([](Int, Int) { return 1.0 / 3; });
    const double one = 1, zero = 0;
    Int calls = 1;
    const auto us = [&](Gemm gemm) {
      const auto call = [&] {
        for (Int c = 0; c < calls; ++c)
          gemm("N", "N", &m, &n, &k, &one, A.elements.data(), &first, &first, A.desc.data(), B.elements.data(), &first,
               &first, B.desc.data(), &zero, C.elements.data(), &first, &first, C.desc.data());
      };
      return 1e6 * slowest_seconds(call) / static_cast<double>(calls);
    };
    constexpr int first_calls = 8;  // at which Cairn makes ready what serves all calls on a grid
    for (int i = 0; i < first_calls; ++i) small_product(grid);
    us(&cairn_pdgemm), us(scalapack_);
    constexpr double least_us = 500;  // of a sample, below which starting together would blur it
    calls = std::max<Int>(1, static_cast<Int>(least_us / us(scalapack_)));
    MPI_Bcast(&calls, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    std::vector<double> theirs, ours, difference, speed;
    double spent = 0;
    for (Int i = 0; i < pairs_ || (spent < 1e6 * seconds_ && i < 1000); ++i) {
      for (const bool cairn : {i % 2 == 0, i % 2 != 0})
        (cairn ? ours : theirs).push_back(us(cairn ? &cairn_pdgemm : scalapack_));
      difference.push_back(ours.back() - theirs.back()), speed.push_back(theirs.back() / ours.back());
      spent += static_cast<double>(calls) * (ours.back() + theirs.back());
    }
    return {fmt::format("{},{},{},{},{}x{},{:.2f},{:.2f},{:.2f}", m, n, k, block, shape[0], shape[1], median(theirs),
                        median(ours), median(difference)),
            median(speed)};
  }

 private:
  void small_product(const BlacsGrid& grid) const {
    const int one = 1;
    const double number = 1;
    const BlockCyclic x(grid, rank_, 1, 1, 1);
    std::vector<double> c(1);
    cairn_pdgemm("N", "N", &one, &one, &one, &number, x.elements.data(), &one, &one, x.desc.data(), x.elements.data(),
                 &one, &one, x.desc.data(), &number, c.data(), &one, &one, x.desc.data());
  }

  const Library& library_;
  Gemm scalapack_;
  Int pairs_;
  double seconds_;
  int rank_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return side_by_side(argc, argv, {"sizes=", "products=", "blocks=", "grids=", "pairs=", "seconds="},
                      "m,n,k,block,grid,ScaLAPACK,Cairn,difference",
                      [](const Arguments& a, const Library& library, int ranks) {
                        const Bench bench(library, a);
                        std::vector<Compared> all;
                        for (const auto& grid : a.grids(ranks))
                          for (Int block : a.numbers("blocks", "32,64,128"))
                            for (const auto& mnk : a.products()) all.push_back(bench.run(mnk, block, grid));
                        return all;
                      });
}
