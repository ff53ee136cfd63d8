// run: 1
// The local product of block-sparse matrices against DBCSR, in turn in one run: GFLOP/s of the products of blocks that
// are done, medians; and the median of the ratios (above 1: Cairn is faster). Blocks are random; each C starts empty,
// in memory that is kept. Without DBCSR (Debian: libdbcsr-dev) only Cairn is timed. Arguments: cases=23x200x1000,…
// (block, blocks a side, per 10,000 that are there), seconds=… for a case (10),
// alone: without DBCSR.
#include <fmt/format.h>

#include <chrono>
#include <random>
#include <vector>

#include "arguments.hpp"
#include "block_sparse/peer.hpp"
#include "cairn/cairn.hpp"
#include "runtime/measure/sampling.hpp"
#include "runtime/sparse/local_product.hpp"

namespace {

using cairn::BlockIndex;
using cairn::Blocks;
using cairn::Int;

struct Case {
  BlockIndex block, side;
  double occupancy;
};

Blocks<double> random_blocks(const Case& c, unsigned seed) {
  Blocks<double> A;
  A.row_sizes = A.col_sizes = std::make_shared<cairn::BlockSizes>(static_cast<std::size_t>(c.side), c.block);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> number(-1, 1), chance(0, 1);
  for (BlockIndex i = 0; i < c.side; ++i) {
    for (BlockIndex j = 0; j < c.side; ++j)
      if (chance(random) < c.occupancy) A.at.push_back(A.blocks() * c.block * c.block), A.cols.push_back(j);
    if (A.blocks() > A.first.back()) A.rows.push_back(i), A.first.push_back(A.blocks());
  }
  A.values.resize(static_cast<std::size_t>(A.blocks() * c.block * c.block));
  for (double& x : A.values) x = number(random);
  return A;
}

template <class F>
double seconds_of(F f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double sum_of_squares(const Blocks<double>& A) {
  double sum = 0;
  for (double x : A.values) sum += x * x;
  return sum;
}

void run(const Case& c, double limit, bool alone) {
  const Blocks<double> A = random_blocks(c, 1), B = random_blocks(c, 2);
  Blocks<double> C;
  C.row_sizes = A.row_sizes, C.col_sizes = B.col_sizes;
  cairn::LocalProduct<double> product;
  const auto peer = alone ? nullptr : make_peer(A, B);
  Int flops = 0;
  std::vector<double> ours, theirs, ratios;
  const auto cairn_seconds = [&] {
    return seconds_of([&] {
      C.rows.clear(), C.first.assign(1, 0), C.cols.clear(), C.at.clear(), C.values.clear();
      flops = product.multiply(1.0, A, B, {}, C);
    });
  };
  double spent = 0;
  for (int i = -1; i < 3 || spent < limit; ++i) {
    double mine = 0, other = 0;
    if (i % 2 == 0) mine = cairn_seconds();
    if (peer) other = seconds_of([&] { peer->multiply(); });
    if (i % 2 != 0) mine = cairn_seconds();
    spent += mine + other;
    if (i < 0) continue;  // memory is new, code is made
    ours.push_back(mine), theirs.push_back(other), ratios.push_back(other / mine);
  }
  const auto rate = [&](const std::vector<double>& seconds) {
    return 1e-9 * static_cast<double>(flops) / cairn::median(seconds);
  };
  fmt::print("{},{},{:.4g},{:.2f}", c.block, c.side, 100 * c.occupancy, rate(ours));
  if (peer) {
    const double sum = sum_of_squares(C);
    const bool equal = peer->flops() == flops && std::abs(peer->sum_of_squares() - sum) < 1e-10 * sum;
    fmt::print(",{:.2f},{:.2f}{}", rate(theirs), cairn::median(ratios), equal ? "" : ",WRONG");
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const cairn::MpiSession session(&argc, &argv);
  const Arguments arguments(argc, argv);
  const double limit = static_cast<double>(arguments.numbers("seconds", "10")[0]);
  fmt::print("block,blocks a side,% of blocks,Cairn GFLOP/s,DBCSR GFLOP/s,ratio\n");
  const std::string cases = "23x200x1000,23x100x10000,6x800x1000,6x2000x100,6x20000x5,32x64x10000,6x512x7700";
  for (const auto& c : arguments.lists("cases", cases))
    run({static_cast<BlockIndex>(c[0]), static_cast<BlockIndex>(c[1]), static_cast<double>(c[2]) / 10000}, limit,
        arguments.given.contains("alone"));
  return 0;
}
