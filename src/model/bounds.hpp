// Lower bounds on communication, in words. Doubles: the products overflow 64-bit integers.
#pragma once
#include <array>

#include "cairn/types.hpp"

namespace cairn {

/// Words that one processor with a fast memory of S words must load and store: 2mnk/√S + mn.
/// [cosma-sc19 Theorem 1]
double sequential_bound(Int m, Int n, Int k, double S);

/// Words that some rank of p with S words each must touch, its own inputs and outputs included: 2mnk/(p·a) + a² with
/// the largest a that is of use, min{√S, (mnk/p)^(1/3)}: 2mnk/(p√S) + S while memory is short, 3(mnk/p)^(2/3) once it
/// is not. The paper writes the minimum of the two, which is always the latter; its proof, and its Table 2, give this.
/// [cosma-sc19 Theorem 2, Equations 3-5; docs/decisions]
double parallel_bound(Int m, Int n, Int k, Int p, double S);

/// Words that some rank of p must receive where the p ranks share the products evenly, or start and end with even
/// shares of the matrices, whatever their memory: D − (mn+mk+nk)/p, never below 0. A plan that leaves ranks idle does
/// neither and may receive a little less. With the dimensions sorted, d1 ≥ d2 ≥ d3: D = (d1d2+d1d3)/p + d2d3 if p ≤
/// d1/d2; 2√(d1d2d3²/p) + d1d2/p if d1/d2 < p ≤ d1d2/d3²; else 3(mnk/p)^(2/3).  [Al Daas, Ballard, Grigori, Kumar,
/// Rouse, SPAA 2022, Theorem 3]
double received_bound(Int m, Int n, Int k, Int p);

/// The same of any pattern: of so many products of two elements all of which are to be done, where A, B and C have so
/// many words. The largest faces of a rank's products have |A|·|B|·|C| ≥ (products/p)², and each has its share of the
/// words [Loomis and Whitney 1949, as above].
double received_bound(double products, std::array<double, 3> words, Int p);

/// The local domain a × a × b of the optimal schedule.  [cosma-sc19 Equation 4]
struct LocalDomain {
  double a = 0, b = 0;
};
LocalDomain optimal_domain(Int m, Int n, Int k, Int p, double S);

}  // namespace cairn
