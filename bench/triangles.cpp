// run: 2
// Are a program's pdpotrf, pdtrsm and pdpotrs faster, or slower, with libcairn_scalapack in ScaLAPACK's place, and how
// fast could they be? Whole calls of either, in turn, on the very same block-cyclic matrices, whether Cairn computes or
// hands back; worst first, then a table of means.
//   triangles [orders=256,512,…] [others=1,n] [blocks=32,64,128] [grids=1x2,2x1] [pairs=4] [seconds=0.1]
//             [routines=potrf,LLN,LLT,RLN,RLT,potrs] [progress=yes]
// LLN is pdtrsm with SIDE = L, UPLO = L, TRANSA = N; others are the right-hand sides, n as many as the order. With
// CAIRN_SCALAPACK=always Cairn computes where it would otherwise hand back.
// Columns:
//   by                 who computes when Cairn is called
//   first              microseconds of the longest of the first calls of Cairn's routine, in one of which it plans
//   ScaLAPACK, Cairn   microseconds a call of the slowest rank, medians
//   ceiling            microseconds in which all ranks would be done at the rate of LAPACK's or BLAS's routine, which
//                      all ranks run by themselves at the same time, in turn with the others (of orders beyond 4096 at
//                      the rate of 4096)
//   share              ceiling / ScaLAPACK, median over pairs: nothing can be more than 1 / share times as fast
//   speed              ScaLAPACK / Cairn, median over pairs
// The table has geometric means: of all cases; of those that Cairn computes; of ScaLAPACK with its best block over
// Cairn with the same matrices, over Cairn with its own best block, and over the ceiling; and the worst case.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "block_cyclic.hpp"
#include "cairn/scalapack.h"
#include "runtime/measure/sampling.hpp"
#include "scalapack/triangle_thresholds.hpp"
#include "side_by_side.hpp"
#include "triangle_ceiling.hpp"

namespace {

using cairn::Int;
using cairn::median;
using Trsm = decltype(&cairn_pdtrsm);
using Potrf = decltype(&cairn_pdpotrf);
using Potrs = decltype(&cairn_pdpotrs);

Trsm called_inside = nullptr;  // what ScaLAPACK's routines get for pdtrsm_

struct Case {
  std::string routine;
  Int order, others, block, rows, cols;
  bool left() const { return routine[0] != 'R'; }
  bool factorises() const { return routine == "potrf"; }
};

struct Timed {
  Case of;
  bool by_cairn;
  double first, theirs, ours, ceiling, share, speed;
  std::string row() const {
    return fmt::format("{},{},{},{},{}x{},{},{:.1f},{:.1f},{:.1f},{:.1f},{:.3f}", of.routine, of.order,
                       of.factorises() ? 0 : of.others, of.block, of.rows, of.cols, by_cairn ? "Cairn" : "ScaLAPACK",
                       first, theirs, ours, ceiling, share);
  }
};

bool always() {
  const char* const use = std::getenv("CAIRN_SCALAPACK");
  return use && std::string(use) == "always";
}

// Of matrices that fit each other, as all are here.
bool is_cairns(const Case& c, int ranks) {
  using namespace cairn::scalapack;
  if (always()) return true;
  const ProcessGrid grid{static_cast<int>(c.rows), static_cast<int>(c.cols), 0, 0};
  if (c.factorises())
    return worth_factorising(c.order, ranks) &&
           (gains_elsewhere(c.order, c.block) || gains_by_factorising(cairn::Uplo::lower, c.order, c.block, grid));
  const auto gains = [&](char trans) {
    return gains_by_solving(c.left() ? cairn::Side::left : cairn::Side::right, trans == 'N', c.order, c.others, c.block,
                            grid);
  };
  return worth_solving(c.order, c.others, ranks) &&
         (c.routine == "potrs" ? gains('N') || gains('T') : gains(c.routine[2]));
}

double products(const Case& c) {
  const auto n = static_cast<double>(c.order), m = static_cast<double>(c.others);
  return c.factorises() ? n * n * n / 6 : n * n * m / 2;
}

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
  Bench(const Library& library, const Arguments& a, int ranks)
      : library_(library),
        trsm_(library.find<Trsm>("pdtrsm_")),
        potrf_(library.find<Potrf>("pdpotrf_")),
        potrs_(library.find<Potrs>("pdpotrs_")),
        pairs_(a.number("pairs", "4")),
        seconds_(a.decimal("seconds", "0.1")),
        ranks_(ranks) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  }

  Timed run(const Case& c) {
    const BlacsGrid grid(library_, c.rows, c.cols);
    const int n = static_cast<int>(c.order), m = static_cast<int>(c.others);
    BlockCyclic A(grid, rank_, n, n, c.block), B(grid, rank_, c.left() ? n : m, c.left() ? m : n, c.block);
    for (BlockCyclic* x : {&A, &B})
      x->fill([n](Int i, Int j) { return i == j ? n + 1.0 : 1 / (1 + static_cast<double>((i + j) % 7)); });
    std::vector<double> a(A.elements), b(B.elements);
    const auto seconds = [&](bool cairn) {
      called_inside = cairn ? &cairn_pdtrsm : trsm_;
      a = A.elements, b = B.elements;
      return slowest_seconds([&] { call(c, cairn, a, A.desc, b, B.desc); });
    };
    Timed t{c, is_cairns(c, ranks_), 0, 0, 0, 0, 0, 0};
    TriangleCeiling ceiling(c.routine, c.order, c.others, ranks_);
    for (int i = 0; i < first_calls(c); ++i) t.first = std::max(t.first, 1e6 * seconds(true));
    seconds(false);
    ceiling.seconds();
    std::vector<double> theirs, ours, speed, least, share;
    double spent = 0;
    for (Int i = 0; i < pairs_ || (spent < seconds_ && i < 1000); ++i) {
      for (const bool cairn : {i % 2 == 0, i % 2 != 0}) (cairn ? ours : theirs).push_back(1e6 * seconds(cairn));
      least.push_back(1e6 * ceiling.seconds());
      speed.push_back(theirs.back() / ours.back());
      share.push_back(least.back() / theirs.back());
      spent += 1e-6 * (ours.back() + theirs.back());
    }
    t.theirs = median(theirs), t.ours = median(ours), t.speed = median(speed);
    t.ceiling = median(least), t.share = median(share);
    return t;
  }

  bool first_rank() const { return rank_ == 0; }

 private:
  // In which Cairn makes ready what serves all calls on a grid, and waits until a plan pays.
  int first_calls(const Case& c) const {
    if (!is_cairns(c, ranks_) || always()) return 2;
    const double least = cairn::scalapack::products_for_panels(c.order / c.block, ranks_);
    return 2 + static_cast<int>(std::min(1000.0, least * ranks_ / products(c)));
  }

  void call(const Case& c, bool cairn, std::vector<double>& a, const std::vector<int>& da, std::vector<double>& b,
            const std::vector<int>& db) const {
    const int one = 1, n = static_cast<int>(c.order), m = static_cast<int>(c.others);
    const double number = 1;
    const char* const routine = c.routine.c_str();
    int info = 0;
    if (c.factorises())
      (cairn ? &cairn_pdpotrf : potrf_)("L", &n, a.data(), &one, &one, da.data(), &info);
    else if (c.routine == "potrs")
      potrs_("L", &n, &m, a.data(), &one, &one, da.data(), b.data(), &one, &one, db.data(), &info);
    else
      called_inside(&routine[0], &routine[1], &routine[2], "N", c.left() ? &n : &m, c.left() ? &m : &n, &number,
                    a.data(), &one, &one, da.data(), b.data(), &one, &one, db.data());
    if (info != 0) fmt::print(stderr, "{}: info {}\n", c.routine, info), MPI_Abort(MPI_COMM_WORLD, 1);
  }

  const Library& library_;
  Trsm trsm_;
  Potrf potrf_;
  Potrs potrs_;
  Int pairs_;
  double seconds_;
  int ranks_, rank_ = 0;
};

const std::vector<std::string> routines{"potrf", "potrs", "LLN", "LLT", "LUN", "LUT", "RLN", "RLT", "RUN", "RUT"};

std::string mean(const std::vector<double>& x) { return x.empty() ? "-" : fmt::format("{:.2f}", geometric_mean(x)); }

// Of the cases that differ in their blocks alone.
struct Best {
  const Timed* theirs = nullptr;
  double ours = 0;
  void add(const Timed& t) {
    if (!theirs || t.theirs < theirs->theirs) theirs = &t;
    ours = ours > 0 ? std::min(ours, t.ours) : t.ours;
  }
};

void print_means(const std::string& name, const std::vector<Timed>& all) {
  std::vector<double> speeds, computed, same, best, possible;
  std::map<std::tuple<std::string, Int, Int, Int>, Best> by_blocks;
  for (const Timed& t : all) {
    speeds.push_back(t.speed);
    if (t.by_cairn) computed.push_back(t.speed);
    by_blocks[{t.of.routine, t.of.order, t.of.factorises() ? 0 : t.of.others, t.of.rows}].add(t);
  }
  for (const auto& [key, b] : by_blocks) {
    same.push_back(b.theirs->speed);
    best.push_back(b.theirs->theirs / b.ours);
    possible.push_back(1 / b.theirs->share);
  }
  fmt::print("# | {} | {} | {} | {} | {} | {} | {} | {} | {:.3f} |\n", name, speeds.size(), mean(speeds),
             computed.size(), mean(computed), mean(same), mean(best), mean(possible),
             *std::min_element(speeds.begin(), speeds.end()));
}

void print_table(const std::vector<Timed>& all) {
  fmt::print(
      "# | routine, grid | cases | mean | by Cairn | their mean | best block, same matrices | best of either | "
      "possible | worst |\n# |---|---|---|---|---|---|---|---|---|\n");
  std::map<std::string, std::vector<Timed>> groups;
  for (const Timed& t : all) {
    groups[fmt::format("{} {}x{}", t.of.routine, t.of.rows, t.of.cols)].push_back(t);
    groups[t.of.factorises() ? "all pdpotrf" : t.of.routine == "potrs" ? "all pdpotrs" : "all pdtrsm"].push_back(t);
  }
  for (const auto& [name, cases] : groups) print_means(name, cases);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Timed> all;
  const auto compare = [&](const Arguments& a, const Library& library, int ranks) {
    Bench bench(library, a, ranks);
    const bool progress = a.words("progress", "no", {"yes", "no"})[0] == "yes";
    const auto columns = [](const std::string& others, Int order) {
      return others == "n" ? order : whole_number("others=" + others, others);
    };
    for (const std::string& others : a.words("others", "1,n")) columns(others, 1);  // before all else
    for (const auto& grid : a.grids(ranks))
      for (Int order : a.numbers("orders", "256,512,1024,2048,4096"))
        for (Int block : a.numbers("blocks", "32,64,128"))
          for (const std::string& routine : a.words("routines", "potrf,LLN,LLT,RLN,RLT,potrs", routines))
            for (const std::string& others :
                 routine == "potrf" ? std::vector<std::string>{"n"} : a.words("others", "1,n")) {
              all.push_back(bench.run({routine, order, columns(others, order), block, grid[0], grid[1]}));
              if (progress && bench.first_rank()) fmt::print(stderr, "{},{:.3f}\n", all.back().row(), all.back().speed);
            }
    std::vector<Compared> rows;
    for (const Timed& t : all) rows.push_back({t.row(), t.speed});
    return rows;
  };
  return side_by_side(
      argc, argv, {"orders=", "others=", "blocks=", "grids=", "pairs=", "seconds=", "routines=", "progress="},
      "routine,order,others,block,grid,by,first,ScaLAPACK,Cairn,ceiling,share", compare, [&] { print_table(all); });
}
