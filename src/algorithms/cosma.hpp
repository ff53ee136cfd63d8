// COSMA's cuts and the schedule that they make.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.hpp"
#include "cairn/problem.hpp"
#include "schedule/schedule.hpp"

namespace cairn {

/// One cut of the m × n × k cuboid: 'p' among ranks, 's' into rounds one after another.
struct CosmaCut {
  char kind;  ///< 'p' or 's'
  char dim;   ///< 'm', 'n' or 'k'
  Int parts;
  bool operator==(const CosmaCut&) const = default;
};

/// "pm2,pn2,pk2,sk4"; throws ArgumentError naming the first word that is not a cut. Cuts into one part are dropped.
std::vector<CosmaCut> parse_cosma_cuts(std::string_view text);
std::string print_cosma_cuts(const std::vector<CosmaCut>& cuts);
/// Product of the parallel cuts of dimension `dim` ('m', 'n', 'k'), or of the sequential ones.
Int parts_of(const std::vector<CosmaCut>& cuts, char kind, char dim);

/// One cut of m and n among ranks, one or several of k, and `rounds` of the dimension `loop`.
struct CosmaForm {
  Int m, n, k, pm, pn, pk;
  char loop = 'k';
  Int rounds = 1;
  std::vector<Int> k_axes = {};  ///< if several cut k: their extents; pk is the product
};

/// How the ranks that need a panel share it: A's by its columns or its rows, B's by its rows or its columns, partial
/// sums of C by columns or by rows.
struct CosmaShares {
  bool a_by_k, b_by_k, c_by_n;
  /// Shares are dealt out over all rounds, not even in each: rounds of k too thin for that, and all rounds of m and n.
  bool dealt;
};
/// Beyond this many ranks each round is shared by itself: comparing shares, and counting ranks of which no two are
/// alike, would take long.
inline constexpr Int most_dealt_ranks = 4096;

/// Each round of k is shared along k where every rank then has a part of it. Else, and without rounds, what the rank
/// that receives most receives decides.
CosmaShares cosma_shares(const CosmaForm& form);
/// The same for any cuts that multiply to the form's; if they cut a dimension several times, or rounds several
/// dimensions, each round is shared by itself.
CosmaShares cosma_shares(CosmaForm form, const std::vector<CosmaCut>& cuts);

/// Whether every round of A's panel (k_round columns on each of `sharers` ranks) is shared by cutting its columns:
/// unless some rank would then own none. Likewise B's rows.
inline bool shares_inner(Int extent, Int parallel, Int rounds, Int sharers) {
  return extent / (parallel * rounds) >= sharers;
}

/// Whether M × N sums of C are shared by cutting their columns: where the largest share is the smaller one, or both are
/// as large and `at_tie` says so.
inline bool shares_columns(Int M, Int N, Int sharers, bool at_tie) {
  const Int by_columns = M * ceil_div(N, sharers), by_rows = ceil_div(M, sharers) * N;
  return by_columns < by_rows || (by_columns == by_rows && at_tie);
}

/// Which of the axes that share rows × cols in turn cut columns, not rows: all or none, unless they are more ranks than
/// there are rows and columns; then as the first rank receives least.
std::vector<bool> cut_by_columns(Int rows, Int cols, bool by_columns, const std::vector<Int>& sharers);

/// What a rank owns and receives whose local product is M × N × K: the first one's, which is the largest.
struct CosmaRank {
  CosmaForm form;
  CosmaShares shares;
  Int M = ceil_div(form.m, form.pm), N = ceil_div(form.n, form.pn), K = ceil_div(form.k, form.pk);

  /// Words of A that number j of those owns who share its rows; of B, number i of those who share its columns.
  Int own_a(Int j) const { return shares.a_by_k ? M * share_of_k(form.pn, j) : part(M, form.pn, j) * K; }
  Int own_b(Int i) const { return shares.b_by_k ? N * share_of_k(form.pm, i) : part(N, form.pm, i) * K; }

  /// Of rows × cols sums, all of the rank's or those of a round, what the first rank is left with after the first of
  /// the axes along k and after all, and what it receives.
  struct Sums {
    Int first, last, received;
  };
  Sums sums(Int rows, Int cols) const;

  /// visit(rank, i, j) for few ranks among which is the one that receives most. Among ranks with equally long pieces,
  /// the one with the smallest share of A (of B) receives most of it: the last. Along k the first rank receives most,
  /// since its piece of k and its share of C are the longest.
  template <class Visit>
  void for_each_that_receives_most(Visit visit) const {
    CosmaRank rank = *this;
    for (Int i : {form.m % form.pm - 1, form.pm - 1})
      for (Int j : {form.n % form.pn - 1, form.pn - 1}) {
        if (i < 0 || j < 0) continue;
        rank.M = part(form.m, form.pm, i), rank.N = part(form.n, form.pn, j);
        visit(rank, i, j);
      }
  }

 private:
  // Size of piece `index` of an even cut.
  static Int part(Int size, Int parts, Int index) { return piece({0, size}, parts, index).size(); }
  Int share_of_k(Int sharers, Int index) const;
};

/// COSMA [cosma-sc19 Algorithm 1]; throws ArgumentError if the parallel cuts need more than problem.ranks ranks. The
/// schedule is called "cosma CUTS", or by the name of the algorithm that chose the cuts.
Schedule cosma(const GemmProblem& problem, const std::vector<CosmaCut>& cuts, std::string spelling = "");

}  // namespace cairn
