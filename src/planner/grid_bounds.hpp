// What no grid of a box of grids can undercut.
#pragma once
#include <algorithm>
#include <cmath>

#include "base/arithmetic.hpp"
#include "planner/cosma_cost.hpp"
#include "planner/grids.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

class GridBounds {
 public:
  explicit GridBounds(const Dims& d, BothWays which = BothWays::where_needed) : d_(d), which_(which) {}

  Int extent(std::size_t dim) const { return dim == 0 ? d_.m : dim == 1 ? d_.n : d_.k; }

  /// What is received and computed in `rounds` rounds on at most `ranks` ranks.
  CosmaClock::Least least(const GridBox& box, Int ranks, Int rounds = 1) const {
    CosmaClock::Least b;
    b.received = received(box, ranks);
    b.messages = real(rounds) * real(box.lo[0] + box.lo[1] - 2);
    b.summed = box.lo[2], b.in_two = both_ways(box);
    b.M = ceil_div(d_.m, box.hi[0]), b.N = ceil_div(d_.n, box.hi[1]), b.K = ceil_div(d_.k, box.hi[2]);
    b.products = real(d_.m) * real(d_.n) * real(d_.k) / real(ranks);
    b.steps = 1 + (box.lo[0] > 1) + (box.lo[1] > 1);
    return b;
  }

  /// Words of memory: shares of A, B and C, partial sums, and the thinnest panels that there are.
  /// With rounds of k, or else with those of any dimension.
  double memory(const GridBox& box, bool all_rounds) const {
    if (!all_rounds && box.lo[0] * box.lo[1] * box.lo[2] > most_dealt_ranks) return memory_by_round(box);
    const auto [M, N, K, c, buffer] = largest(box);
    const bool along_m = box.lo[0] > 1, along_n = box.lo[1] > 1, along_k = box.lo[2] > 1;
    // Shares are a row or a column at least. Beside them rounds of k hold all partial sums, those of n all of A and
    // those of m all of B, and of the others what goes with one index.
    const double a = std::max(M * K / real(box.hi[1]), std::min(M, K));
    const double b = std::max(K * N / real(box.hi[0]), std::min(K, N));
    const double by_k =
        (along_k ? M * N : 0) + std::max(buffer, ((along_n ? M : 0) + (along_m ? N : 0)) * std::min(K, 1.0));
    const double by_n = (along_n ? M * K : 0) + ((along_m ? K : 0) + (along_k ? M : 0)) * std::min(N, 1.0);
    const double by_m = (along_m ? K * N : 0) + ((along_n ? K : 0) + (along_k ? N : 0)) * std::min(M, 1.0);
    return a + b + c + (all_rounds ? std::min({by_k, by_n, by_m}) : by_k);
  }

 private:
  // A rank's product, its share of C, a row or a column at least or else an element, and the pieces of a sum in flight.
  struct Largest {
    double M, N, K, c, buffer;
  };
  Largest largest(const GridBox& box) const {
    const double M = real(ceil_div(d_.m, box.hi[0])), N = real(ceil_div(d_.n, box.hi[1])),
                 K = real(ceil_div(d_.k, box.hi[2]));
    const double c = std::max(M * N / real(box.hi[2]), both_ways(box) ? std::min({M, N, 1.0}) : std::min(M, N));
    return {M, N, K, c, c * real(std::min(pieces_in_flight, box.lo[2] - 1))};
  }
  // Where each round is shared by itself: A's share is cut along k, so that a round's panel is at least pn thick, or
  // along m, a row at least; B's alike.
  double memory_by_round(const GridBox& box) const {
    const auto [M, N, K, c, buffer] = largest(box);
    const double pm = real(box.lo[0]), pn = real(box.lo[1]), longest = real(d_.k / box.lo[2]);
    const double a = M * K / real(box.hi[1]), b = K * N / real(box.hi[0]);
    const double a_row = M > 0 ? std::max(a, K) : a, b_column = N > 0 ? std::max(b, K) : b;
    const auto panels = [&, gathered = (pn > 1 ? M : 0) + (pm > 1 ? N : 0), buffer = buffer](double thick) {
      return std::max(buffer, gathered * thick);
    };
    double inputs = a_row + b_column + panels(std::min(K, 1.0));
    if (longest >= pn) inputs = std::min(inputs, a + b_column + panels(pn));
    if (longest >= pm) inputs = std::min(inputs, a_row + b + panels(pm));
    if (longest >= std::max(pm, pn)) inputs = std::min(inputs, a + b + panels(std::max(pm, pn)));
    return inputs + c + (box.lo[2] > 1 ? M * N : 0);
  }

  // The most that a rank receives is at least the mean over the ranks that have work. Of the whole A, each rank along n
  // receives what it does not own, and so on: pn·mk − mk words, pm·kn − kn and pk·mn − mn.
  double received(const GridBox& box, Int ranks) const {
    const double matrices[] = {real(d_.k) * real(d_.n), real(d_.m) * real(d_.k), real(d_.m) * real(d_.n)};
    double lo[3], hi[3];
    int ranges = 0;
    for (std::size_t x = 0; x < 3; ++x) {
      const Int most = std::max<Int>(1, extent(x));
      lo[x] = real(std::min(box.lo[x], most));
      hi[x] = real(std::min(box.hi[x], most));
      ranges += lo[x] < hi[x];
    }
    const auto sum = [&](const double* parts) {
      return matrices[0] * (parts[0] - 1) + matrices[1] * (parts[1] - 1) + matrices[2] * (parts[2] - 1);
    };
    const double fewest = lo[0] * lo[1] * lo[2], most = hi[0] * hi[1] * hi[2];
    // For given parts of two dimensions the mean changes monotonically with the parts of the third.
    const double together =
        ranges <= 1 ? std::min(sum(lo) / fewest, sum(hi) / most) : sum(lo) / std::min(real(ranks), most);
    double each[3];
    for (std::size_t x = 0; x < 3; ++x) each[x] = matrices[x] * (1 - 1 / lo[x]) / (most / hi[x]);
    // Partial sums are shared by rows or by columns, if these are enough: the first rank along k receives one at least
    // from every other.
    const Int thin = std::min(d_.m / box.hi[0], d_.n / box.hi[1]);
    if (!both_ways(box)) each[2] = std::max(each[2], (lo[2] - 1) * real(thin));
    return std::max(together, each[0] + each[1] + each[2]);
  }

  // Whether on some of the grids k may be cut twice.
  bool both_ways(const GridBox& box) const {
    if (which_ == BothWays::everywhere) return box.hi[2] >= 4;
    return box.hi[2] > std::max(ceil_div(d_.m, box.hi[0]), ceil_div(d_.n, box.hi[1]));
  }

  Dims d_;
  BothWays which_;
};

}  // namespace cairn
