// run: 2
// Are a program's pdpotrf, pdtrsm and pdpotrs faster, or slower, with libcairn_scalapack in ScaLAPACK's place? Whole
// calls of either, in turn, on the very same block-cyclic matrices, whether Cairn computes or hands back; worst first.
//   triangles [orders=128,256,…] [others=64,n] [blocks=32,64,128] [grids=1x2,2x1] [pairs=4] [seconds=0.1]
//             [routines=potrf,LLN,LLT,RLN,RLT,potrs]
// LLN is pdtrsm with SIDE = L, UPLO = L, TRANSA = N; others are the right-hand sides, n as many as the order. With
// CAIRN_SCALAPACK=always Cairn computes where it would otherwise hand back.
// Columns:
//   first              microseconds of the longest of the first calls of Cairn's routine, in one of which it plans
//   ScaLAPACK, Cairn   microseconds a call of the slowest rank, medians
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
using Trsm = decltype(&cairn_pdtrsm);
using Potrf = decltype(&cairn_pdpotrf);
using Potrs = decltype(&cairn_pdpotrs);

Trsm called_inside = nullptr;  // what ScaLAPACK's routines get for pdtrsm_

}  // namespace

// The program's own comes before ScaLAPACK's, for ScaLAPACK too, as a preloaded one does.
extern "C" void pdtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m,
                        const int* n, const double* alpha, const double* A, const int* ia, const int* ja, const int* da,
                        double* B, const int* ib, const int* jb, const int* db) {
  called_inside(side, uplo, trans, diag, m, n, alpha, A, ia, ja, da, B, ib, jb, db);
}

namespace {

class Bench {
 public:
  Bench(const Library& library, const Arguments& a)
      : library_(library),
        trsm_(library.find<Trsm>("pdtrsm_")),
        potrf_(library.find<Potrf>("pdpotrf_")),
        potrs_(library.find<Potrs>("pdpotrs_")),
        pairs_(a.numbers("pairs", "4")[0]),
        seconds_(std::stod(a.text("seconds", "0.1"))) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  }

  Compared run(const std::string& routine, Int order, Int others, Int block, const std::vector<Int>& shape) const {
    const BlacsGrid grid(library_, shape[0], shape[1]);
    const bool right = routine[0] == 'R';
    const int n = static_cast<int>(order), m = static_cast<int>(others);
    BlockCyclic A(grid, rank_, n, n, block), B(grid, rank_, right ? m : n, right ? n : m, block);
    for (BlockCyclic* x : {&A, &B})
      x->fill([n](Int i, Int j) { return i == j ? n + 1.0 : 1 / (1 + static_cast<double>((i + j) % 7)); });
    std::vector<double> a(A.elements), b(B.elements);
    const auto seconds = [&](bool cairn) {
      called_inside = cairn ? &cairn_pdtrsm : trsm_;
      a = A.elements, b = B.elements;
      return slowest_seconds([&] { call(routine, cairn, n, m, a, A.desc, b, B.desc); });
    };
    constexpr int first_calls = 6;  // at which Cairn makes ready what serves all calls on a grid
    double first = 0;
    for (int i = 0; i < first_calls; ++i) first = std::max(first, 1e6 * seconds(true));
    seconds(false);
    std::vector<double> theirs, ours, speed;
    double spent = 0;
    for (Int i = 0; i < pairs_ || (spent < seconds_ && i < 1000); ++i) {
      for (const bool cairn : {i % 2 == 0, i % 2 != 0}) (cairn ? ours : theirs).push_back(1e6 * seconds(cairn));
      speed.push_back(theirs.back() / ours.back());
      spent += 1e-6 * (ours.back() + theirs.back());
    }
    return {fmt::format("{},{},{},{},{}x{},{:.1f},{:.1f},{:.1f}", routine, n, routine == "potrf" ? 0 : m, block,
                        shape[0], shape[1], first, median(theirs), median(ours)),
            median(speed)};
  }

 private:
  void call(const std::string& routine, bool cairn, int n, int m, std::vector<double>& a, const std::vector<int>& da,
            std::vector<double>& b, const std::vector<int>& db) const {
    const int one = 1;
    const double number = 1;
    int info = 0;
    if (routine == "potrf")
      (cairn ? &cairn_pdpotrf : potrf_)("L", &n, a.data(), &one, &one, da.data(), &info);
    else if (routine == "potrs")
      potrs_("L", &n, &m, a.data(), &one, &one, da.data(), b.data(), &one, &one, db.data(), &info);
    else
      called_inside(&routine[0], &routine[1], &routine[2], "N", routine[0] == 'R' ? &m : &n,
                    routine[0] == 'R' ? &n : &m, &number, a.data(), &one, &one, da.data(), b.data(), &one, &one,
                    db.data());
    if (info != 0) fmt::print(stderr, "{}: info {}\n", routine, info), MPI_Abort(MPI_COMM_WORLD, 1);
  }

  const Library& library_;
  Trsm trsm_;
  Potrf potrf_;
  Potrs potrs_;
  Int pairs_;
  double seconds_;
  int rank_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return side_by_side(
      argc, argv, "routine,order,others,block,grid,first,ScaLAPACK,Cairn",
      [](const Arguments& a, const Library& library, int ranks) {
        const Bench bench(library, a);
        std::vector<Compared> all;
        for (const auto& grid : a.grids(ranks))
          for (Int order : a.numbers("orders", "128,256,512,1024,2048,4096"))
            for (Int block : a.numbers("blocks", "32,64,128"))
              for (const std::string& routine : a.words("routines", "potrf,LLN,LLT,RLN,RLT,potrs"))
                for (const std::string& others :
                     routine == "potrf" ? std::vector<std::string>{"n"} : a.words("others", "64,n"))
                  all.push_back(bench.run(routine, order, others == "n" ? order : std::stoll(others), block, grid));
        return all;
      });
}
