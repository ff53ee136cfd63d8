// The loop nest of COSMA.
#pragma once
#include <string_view>
#include <vector>

#include "algorithms/cosma.hpp"
#include "schedule/builder.hpp"

namespace cairn {

/// The rounds of one dimension whose shares are dealt out over all of them: every rank's share of the whole is even, be
/// a round ever so thin. Rounds begin at the same place of each piece of the dimension, also of those shorter by one.
struct Dealt {
  bool any = false;
  Int longest = 0;    ///< piece of the dimension on a rank
  bool alike = true;  ///< all pieces are as long

  static Cut deal(const Cut& share) { return {Cut::Kind::cyclic, share.parts, share.index, 1, 1, {}}; }
  /// Round `t` of a dealt dimension, with the share that a rank has of it.
  Dim round(Dim dim, Int t, Int parts) const;
};

/// The loop nest of Algorithm 1, lines 8-12. A panel is gathered as soon as no loop still to come cuts it, and partial
/// sums of C are reduced as soon as the loops over k that feed them are done.
struct Rounds {
  Builder& s;
  std::vector<CosmaCut> loops;                 ///< the sequential cuts, outermost first
  std::vector<int> along_m, along_n, along_k;  ///< axes that cut m, n, k
  Dealt dealt;

  /// From loop `depth` on; the last three say what is gathered, and whether C is a place for partial sums.
  void run(std::size_t depth, Slot A, Slot B, Slot C, bool a_here, bool b_here, bool c_here);

 private:
  bool cut_later(std::size_t depth, std::string_view dims) const;
  Slot gather(Slot X, const std::vector<int>& axes);
  Slot round(Slot X, bool rows, Int t);
  Layout partial(Slot C, std::size_t reduced) const;
};

}  // namespace cairn
