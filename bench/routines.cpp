// run: 2
// Are ScaLAPACK's own routines, which call p?gemm with other sizes at every step, faster, or slower, with the drop-in?
// Whole routines with either, in turn, on the same matrices. The worst first.
//   routines [orders=512,1024,2048,4096] [blocks=32,64] [grids=1x2] [pairs=4] [routines=getrf,getri,gehrd,gebrd]
// Columns:
//   calls              "first": on a grid that has multiplied nothing yet; "later": after such a call on the same grid
//   ScaLAPACK, Cairn   seconds of the slowest rank, medians
//   speed              ScaLAPACK / Cairn, median over pairs
#include <algorithm>
#include <cmath>
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

Gemm called_inside = nullptr;  // what ScaLAPACK's routines get for pdgemm_

}  // namespace

// The program's own comes before ScaLAPACK's, for ScaLAPACK too, as a preloaded one does.
extern "C" void pdgemm_(const char* ta, const char* tb, const int* m, const int* n, const int* k, const double* alpha,
                        const double* A, const int* ia, const int* ja, const int* da, const double* B, const int* ib,
                        const int* jb, const int* db, const double* beta, double* C, const int* ic, const int* jc,
                        const int* dc) {
  called_inside(ta, tb, m, n, k, alpha, A, ia, ja, da, B, ib, jb, db, beta, C, ic, jc, dc);
}

namespace {

using Factor = void (*)(const int* m, const int* n, double* A, const int* ia, const int* ja, const int* desc,
                        int* pivots, int* info);
using Invert = void (*)(const int* n, double* A, const int* ia, const int* ja, const int* desc, const int* pivots,
                        double* work, const int* words, int* iwork, const int* ints, int* info);
using ToHessenberg = void (*)(const int* n, const int* lo, const int* hi, double* A, const int* ia, const int* ja,
                              const int* desc, double* tau, double* work, const int* words, int* info);
using ToBidiagonal = void (*)(const int* m, const int* n, double* A, const int* ia, const int* ja, const int* desc,
                              double* d, double* e, double* tau_q, double* tau_p, double* work, const int* words,
                              int* info);

// One matrix, diagonally heavy, and all that the routines want beside it.
class Routines {
 public:
  Routines(const Library& library, const BlacsGrid& grid, int rank, Int order, Int block)
      : library_(library), n_(static_cast<int>(order)), A_(grid, rank, order, order, block) {
    const auto size = static_cast<std::size_t>(n_);
    vectors_.resize(4 * size + 64);
    work_.resize(64 * size + (std::size_t{1} << 22));
    ints_.resize(16 * size + 4096), pivots_.resize(2 * size + 256);
  }

  // Seconds of one call, on the matrix as it was.
  double seconds(const std::string& routine) {
    fill();
    if (routine == "getri") factor();
    return slowest_seconds([&] { call(routine); });
  }

 private:
  void fill() {
    A_.fill([](Int i, Int j) {
      const auto x = static_cast<double>(i), y = static_cast<double>(j);
      return std::sin(0.3 * x + 1.7 * y) + 1 / (1 + std::abs(x - y)) + (i == j ? 4 : 0);
    });
  }
  void factor() {
    library_.find<Factor>("pdgetrf_")(&n_, &n_, A_.elements.data(), &one_, &one_, A_.desc.data(), pivots_.data(),
                                      &info_);
  }
  void call(const std::string& routine) {
    const int words = static_cast<int>(work_.size()), ints = static_cast<int>(ints_.size());
    double* const v = vectors_.data();
    if (routine == "getrf")
      factor();
    else if (routine == "getri")
      library_.find<Invert>("pdgetri_")(&n_, A_.elements.data(), &one_, &one_, A_.desc.data(), pivots_.data(),
                                        work_.data(), &words, ints_.data(), &ints, &info_);
    else if (routine == "gehrd")
      library_.find<ToHessenberg>("pdgehrd_")(&n_, &one_, &n_, A_.elements.data(), &one_, &one_, A_.desc.data(), v,
                                              work_.data(), &words, &info_);
    else
      library_.find<ToBidiagonal>("pdgebrd_")(&n_, &n_, A_.elements.data(), &one_, &one_, A_.desc.data(), v, v + n_,
                                              v + 2 * n_, v + 3 * n_, work_.data(), &words, &info_);
    if (info_ != 0) fmt::print(stderr, "{}: info {}\n", routine, info_), MPI_Abort(MPI_COMM_WORLD, 1);
  }

  const Library& library_;
  const int one_ = 1;
  int n_, info_ = 0;
  BlockCyclic A_;
  std::vector<int> ints_, pivots_;
  std::vector<double> vectors_, work_;
};

class Bench {
 public:
  Bench(const Library& library, Int pairs)
      : library_(library), scalapack_(library.find<Gemm>("pdgemm_")), pairs_(pairs) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  }

  void run(const std::string& routine, Int order, Int block, const std::vector<Int>& shape,
           std::vector<Compared>& results) const {
    std::vector<double> theirs, ours[2], speed[2];
    for (Int i = 0; i < pairs_; ++i) {
      const BlacsGrid grid(library_, shape[0], shape[1]);
      Routines with(library_, grid, rank_, order, block);
      const auto seconds = [&](bool cairn) {
        called_inside = cairn ? &cairn_pdgemm : scalapack_;
        return with.seconds(routine);
      };
      seconds(false);  // touches the memory
      if (i % 2 == 0) theirs.push_back(seconds(false));
      for (auto& calls : ours) calls.push_back(seconds(true));
      if (i % 2 != 0) theirs.push_back(seconds(false));
      for (int later : {0, 1}) speed[later].push_back(theirs.back() / ours[later].back());
    }
    for (int later : {0, 1})
      results.push_back({fmt::format("{},{},{},{}x{},{},{:.4f},{:.4f}", routine, order, block, shape[0], shape[1],
                                     later ? "later" : "first", median(theirs), median(ours[later])),
                         median(speed[later])});
  }

 private:
  const Library& library_;
  Gemm scalapack_;
  Int pairs_;
  int rank_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  return side_by_side(argc, argv, {"orders=", "blocks=", "grids=", "pairs=", "routines="},
                      "routine,order,block,grid,calls,ScaLAPACK,Cairn",
                      [](const Arguments& a, const Library& library, int ranks) {
                        const Bench bench(library, a.number("pairs", "4"));
                        std::vector<Compared> all;
                        for (const auto& grid : a.grids(ranks, "1x2"))
                          for (Int order : a.numbers("orders", "512,1024,2048,4096"))
                            for (Int block : a.numbers("blocks", "32,64"))
                              for (const std::string& routine :
                                   a.words("routines", "getrf,getri,gehrd,gebrd", {"getrf", "getri", "gehrd", "gebrd"}))
                                bench.run(routine, order, block, grid, all);
                        return all;
                      });
}
