// run: 2
// Products of block-sparse matrices against DBCSR, in turn in one run: GFLOP/s of the products of blocks that are done,
// all ranks together, medians; and the median of the ratios (above 1: Cairn is faster). Blocks are random, dealt alike
// in both. Beside each case stands the rate of dgemm of order 2048 on all ranks at once, and the share of it that each
// side reaches; and the shares of Cairn's time in which ranks multiply and wait, in the mean. Without DBCSR (Debian:
// libdbcsr-dev) only Cairn is timed. Arguments: cases=23x200x1000,… (block, blocks a side, per 10,000 that are there),
// seconds=… for a case (10), alone: without DBCSR, windows: against Cairn's own products by one-sided transport, in its
// place.
#include <fmt/format.h>

#include <chrono>
#include <random>
#include <vector>

#include "arguments.hpp"
#include "block_sparse/peer.hpp"
#include "cairn/cairn.hpp"
#include "local/kernels/host_blas.hpp"
#include "runtime/measure/sampling.hpp"

namespace {

using cairn::BlockIndex;
using cairn::BlockSparse;
using cairn::Comm;
using cairn::Int;

struct Case {
  BlockIndex block, side;
  double occupancy;
};

BlockSparse<double> random_blocks(const Comm& comm, const Case& c, unsigned seed) {
  const cairn::BlockSizes sizes(static_cast<std::size_t>(c.side), c.block);
  BlockSparse<double> A(comm, sizes, sizes);
  std::vector<double> block(static_cast<std::size_t>(c.block * c.block));
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> number(-1, 1), chance(0, 1);
  for (BlockIndex i = 0; i < c.side; ++i)
    for (BlockIndex j = 0; j < c.side; ++j)
      if (chance(random) < c.occupancy && A.here(i, j)) {
        for (double& x : block) x = number(random);
        A.put(i, j, block.data());
      }
  return A;
}

// Of the slowest rank.
template <class F>
double seconds_of(const Comm& comm, F f) {
  MPI_Barrier(comm.raw());
  const auto start = std::chrono::steady_clock::now();
  f();
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm.raw());
  return seconds;
}

Int sum(const Comm& comm, Int x) {
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT64_T, MPI_SUM, comm.raw());
  return x;
}

// GFLOP/s of the BLAS while all ranks use it, all together: what products of blocks can hope for.
double dgemm_rate(const Comm& comm) {
  constexpr Int n = 2048;
  const std::vector<double> A(n * n, 1), B(n * n, 2);
  std::vector<double> C(n * n);
  const double seconds = cairn::Sampler(comm, 0.2).slowest([&] {
    cairn::local_gemm<double>(1.0, {A.data(), n, n, n}, {B.data(), n, n, n}, 0.0, {C.data(), n, n, n});
  });
  return 2e-9 * n * n * n * comm.size() / seconds;
}

enum class Against : std::uint8_t { dbcsr, windows, nobody };

void run(const Comm& comm, const Case& c, double limit, Against against) {
  const BlockSparse<double> A = random_blocks(comm, c, 1), B = random_blocks(comm, c, 2);
  BlockSparse<double> C(comm, A.rows(), B.cols());
  const auto peer = against == Against::dbcsr ? make_peer(A.local(), B.local(), A.where()) : nullptr;
  cairn::BlockProductReport report, of_windows;
  std::vector<double> ours, theirs, ratios;
  const auto cairn_seconds = [&](const char* transport, cairn::BlockProductReport& did) {
    return seconds_of(
        comm, [&] { did = multiply(cairn::Op::none, cairn::Op::none, 1.0, A, B, 0.0, C, {.transport = transport}); });
  };
  const auto other_seconds = [&] {
    if (against == Against::windows) return cairn_seconds("one-sided", of_windows);
    return peer ? seconds_of(comm, [&] { peer->multiply(); }) : 0;
  };
  const char* const ours_by = against == Against::windows ? "two-sided" : "";
  const double dgemm = dgemm_rate(comm);
  double spent = 0, multiplying = 0, waiting = 0;
  for (int i = -1; i < 3 || spent < limit; ++i) {
    double mine = 0, other = 0;
    if (i % 2 == 0) mine = cairn_seconds(ours_by, report);
    other = other_seconds();
    if (i % 2 != 0) mine = cairn_seconds(ours_by, report);
    spent += mine + other;
    if (i < 0) continue;  // memory is new, code is made
    ours.push_back(mine), theirs.push_back(other), ratios.push_back(other / mine);
    multiplying += report.multiply_seconds / mine, waiting += report.wait_seconds / mine;
  }
  const auto share = [&](double of_rank) {
    MPI_Allreduce(MPI_IN_PLACE, &of_rank, 1, MPI_DOUBLE, MPI_SUM, comm.raw());
    return 100 * of_rank / comm.size() / static_cast<double>(ours.size());
  };
  const Int flops = sum(comm, report.flops), received = sum(comm, report.received) / comm.size();
  const auto rate = [&](const std::vector<double>& seconds) {
    return 1e-9 * static_cast<double>(flops) / cairn::median(seconds);
  };
  const double norm = C.norm(cairn::Norm::frobenius);
  std::string line = fmt::format("{},{},{:.4g},{},{},{:.1f},{:.2f},{:.0f},{:.0f},{:.0f}", c.block, c.side,
                                 100 * c.occupancy, report.algorithm, received, dgemm, rate(ours),
                                 100 * rate(ours) / dgemm, share(multiplying), share(waiting));
  if (peer) {
    const double square = peer->sum_of_squares();
    const Int more = sum(comm, peer->flops()) - flops;  // DBCSR tells the mean of its ranks, rounded
    const bool equal = std::abs(more) < comm.size() && std::abs(square - norm * norm) < 1e-10 * square;
    line += fmt::format(",{:.2f},{:.0f},{:.2f}{}", rate(theirs), 100 * rate(theirs) / dgemm, cairn::median(ratios),
                        equal ? "" : ",WRONG");
  } else if (against == Against::windows) {
    line += fmt::format(",{:.2f},{:.0f},{:.2f}", rate(theirs), 100 * rate(theirs) / dgemm, cairn::median(ratios));
  }
  if (comm.rank() == 0) fmt::print("{}\n", line);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const cairn::MpiSession session(&argc, &argv);
  const Arguments arguments(argc, argv);
  const double limit = arguments.decimal("seconds", "10");
  const Comm comm = Comm::world();
  const Against against = arguments.given.contains("windows") ? Against::windows
                          : arguments.given.contains("alone") ? Against::nobody
                                                              : Against::dbcsr;
  if (comm.rank() == 0)
    fmt::print(
        "block,blocks a side,% of blocks,schedule,words received,dgemm GFLOP/s,Cairn GFLOP/s,% of dgemm,% multiplying,"
        "% waiting,{} GFLOP/s,% of dgemm,ratio\n",
        against == Against::windows ? "Cairn's by windows" : "DBCSR");
  const std::string cases = "23x200x1000,23x100x10000,6x800x1000,6x2000x100,6x20000x5,32x64x10000,6x512x7700";
  for (const auto& c : arguments.lists("cases", cases))
    run(comm, {static_cast<BlockIndex>(c[0]), static_cast<BlockIndex>(c[1]), static_cast<double>(c[2]) / 10000}, limit,
        against);
  return 0;
}
