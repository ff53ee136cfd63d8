// run: 4
// Products of block-sparse matrices with local patterns, by how blocks are distributed: words that ranks receive, and
// seconds. Blocks belong to the points of a periodic cubic lattice; those nearer than a cutoff meet.
//   cases=BLOCKxSIDExCUTOFF,… (block size, points a side, cutoff in hundredths of the distance of neighbours),
//   eps=1e-N as N (0: no filter), repeats=… (5; 0: words alone, for many ranks)
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "arguments.hpp"
#include "cairn/cairn.hpp"
#include "cairn/choose_distribution.hpp"
#include "runtime/measure/sampling.hpp"
#include "timing.hpp"

namespace {

using cairn::BlockDistribution;
using cairn::BlockIndex;
using cairn::BlockSparse;
using cairn::Comm;
using cairn::Int;

struct Lattice {
  BlockIndex block;
  int side;
  double cutoff;

  BlockIndex points() const { return side * side * side; }
  std::array<double, 3> at(BlockIndex i) const {
    return {static_cast<double>(i % side), static_cast<double>(i / side % side), static_cast<double>(i / side / side)};
  }
  std::vector<std::array<double, 3>> places() const {
    std::vector<std::array<double, 3>> all;
    for (BlockIndex i = 0; i < points(); ++i) all.push_back(at(i));
    return all;
  }
  double distance(BlockIndex i, BlockIndex j) const {
    double square = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      const double x = std::abs(at(i)[d] - at(j)[d]), nearest = std::min(x, side - x);
      square += nearest * nearest;
    }
    return std::sqrt(square);
  }
};

// Elements decay as those of density matrices do.
BlockSparse<double> local_blocks(const Comm& comm, const Lattice& l, const BlockDistribution& where) {
  const cairn::BlockSizes sizes(static_cast<std::size_t>(l.points()), l.block);
  BlockSparse<double> X(comm, sizes, sizes, where);
  std::vector<double> block(static_cast<std::size_t>(l.block * l.block));
  std::uniform_real_distribution<double> number(-1, 1);
  for (BlockIndex i = 0; i < l.points(); ++i)
    for (BlockIndex j = 0; j < l.points(); ++j) {
      if (!X.here(i, j) || l.distance(i, j) > l.cutoff) continue;
      std::minstd_rand random(static_cast<unsigned>(i * l.points() + j + 1));
      for (double& x : block) x = std::exp(-2 * l.distance(i, j)) * number(random);
      X.put(i, j, block.data());
    }
  return X;
}

struct Way {
  const char* name;
  BlockDistribution where;
};

void run(const Comm& comm, const Lattice& l, double eps, Int repeats) {
  const Int P = comm.size(), n = l.points();
  const Way ways[] = {{"dealt, grid", BlockDistribution::dealt(n, n, P)},
                      {"dealt, rows", BlockDistribution::dealt(n, n, P, 1)},
                      {"regions, grid", BlockDistribution::by_region(l.places(), P)},
                      {"regions, rows", BlockDistribution::by_region(l.places(), P, 1)}};
  std::vector<BlockSparse<double>> X, C;
  for (const Way& way : ways) {
    X.push_back(local_blocks(comm, l, way.where));
    C.emplace_back(comm, X.back().rows(), X.back().cols(), way.where);
  }
  std::vector<std::vector<double>> seconds(std::size(ways));
  std::vector<cairn::BlockProductReport> reports(std::size(ways));
  for (Int i = -1; i < repeats; ++i)
    for (std::size_t w = 0; w < std::size(ways); ++w) {
      const double took = slowest_seconds([&] {
        reports[w] = multiply(cairn::Op::none, cairn::Op::none, 1.0, X[w], X[w], 0.0, C[w], {.filter_eps = eps});
      });
      if (i >= 0) seconds[w].push_back(took);
    }
  for (std::size_t w = 0; w < std::size(ways); ++w) {
    const auto of_ranks = [&](Int mine, MPI_Op op) {
      MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, op, comm.raw());
      return mine;
    };
    const Int words = of_ranks(reports[w].received, MPI_SUM), most = of_ranks(reports[w].received, MPI_MAX),
              index = of_ranks(reports[w].received_index, MPI_SUM), flops = of_ranks(reports[w].flops, MPI_SUM),
              busiest = of_ranks(reports[w].flops, MPI_MAX);
    const double occupancy = X[w].occupancy();
    const cairn::DistributionCost counted = cairn::distribution_costs(X[w], std::span(&ways[w].where, 1)).front();
    if (comm.rank() != 0) continue;
    fmt::print("{},{},{:.3g},{},{},{},{},{:.0f},{:.3f},{:.2f},{}\n", l.block, n, 100 * occupancy, ways[w].name,
               reports[w].algorithm, words / P, most, counted.received,
               static_cast<double>(index) / 2 / static_cast<double>(std::max<Int>(words, 1)),
               static_cast<double>(busiest) * static_cast<double>(P) / static_cast<double>(flops),
               seconds[w].empty() ? "" : fmt::format("{:.4f}", cairn::median(seconds[w])));
    std::fflush(stdout);
  }
}

void run_all(const Comm& comm, const Arguments& arguments) {
  const Int digits = arguments.number("eps", "0", 0), repeats = arguments.number("repeats", "5", 0);
  const auto cases = arguments.lists("cases", "6x12x250,6x16x250,23x10x200", 3);
  if (comm.rank() == 0)
    fmt::print(
        "block,blocks a side,% of blocks,distribution,schedule,words received,most,counted,index/values,busiest/mean,"
        "seconds\n");
  for (const auto& c : cases)
    run(comm, {static_cast<BlockIndex>(c[0]), static_cast<int>(c[1]), static_cast<double>(c[2]) / 100},
        digits > 0 ? std::pow(10, -static_cast<double>(digits)) : 0, repeats);
}

}  // namespace

int main(int argc, char** argv) {
  const cairn::MpiSession session(&argc, &argv);
  const Comm comm = Comm::world();
  return run_benchmark(argv[0], comm.rank() == 0, [&] { run_all(comm, {argc, argv, {"cases=", "eps=", "repeats="}}); });
}
