// What ranks receive that ask for the blocks they need, found from the patterns.
#pragma once
#include <algorithm>
#include <map>
#include <set>

#include "block_sparse.hpp"

namespace cairn::testing {

/// Words that a rank receives of A·B. Inner places on one row and one column of the grid make a panel of A and one of
/// B: on lines of ranks, and where panels are crossed. A panel stays where it is if there is nothing to multiply it
/// with. Of others, all that is there is received or, where saying so is short enough, what some product needs.
template <class T>
struct NeededRecount {
  double words = 0, expected = 0, of_whole_panels = 0, of_all_panels = 0;

  NeededRecount(const Comm& comm, const Whole<T>& A, const Whole<T>& B, const BlockDistribution& where, double alpha,
                double eps)
      : alpha_(alpha), eps_(eps) {
    const auto row = [&](BlockIndex k) { return where.row[static_cast<std::size_t>(k)]; };
    const auto col = [&](BlockIndex k) { return where.col[static_cast<std::size_t>(k)]; };
    const Int i = comm.rank() / where.pc, j = comm.rank() % where.pc;
    std::map<std::pair<BlockIndex, BlockIndex>, Pair> panels;
    for (const auto& a : A.blocks) {
      ++in_row_[a.first.first];
      if (row(a.first.first) == i) panels[{row(a.first.second), col(a.first.second)}].A.insert(a);
    }
    for (const auto& b : B.blocks)
      if (col(b.first.second) == j) panels[{row(b.first.first), col(b.first.first)}].B.insert(b);
    for (const auto& [place, panel] : panels) {
      const auto inner_of_a = [](const auto& a) { return a.first.second; };
      const auto inner_of_b = [](const auto& b) { return b.first.first; };
      const auto meet = [&](const auto& a, const auto& b) { return product(a, b); };
      if (place.second != j) receive(panel.A, inner_of_a, panel.B, inner_of_b, meet);
      const auto met = [&](const auto& b, const auto& a) { return product(a, b); };
      if (place.first != i) receive(panel.B, inner_of_b, panel.A, inner_of_a, met);
    }
  }

 private:
  using Blocks = std::map<std::pair<BlockIndex, BlockIndex>, std::vector<T>>;
  struct Pair {
    Blocks A, B;
  };

  template <class Block>
  bool product(const Block& a, const Block& b) const {
    return a.first.second == b.first.first &&
           !(alpha_ * frobenius(a.second) * frobenius(b.second) < eps_ / in_row_.at(a.first.first));
  }
  template <class InnerOfX, class InnerOfY, class Meet>
  void receive(const Blocks& X, InnerOfX inner_of_x, const Blocks& Y, InnerOfY inner_of_y, Meet meet) {
    std::set<BlockIndex> inner, met;
    double all = 0, needed = 0;
    for (const auto& y : Y) met.insert(inner_of_y(y));
    for (const auto& x : X) {
      inner.insert(inner_of_x(x));
      const auto size = static_cast<double>(x.second.size());
      all += size;
      needed += std::any_of(Y.begin(), Y.end(), [&](const auto& y) { return meet(x, y); }) ? size : 0;
    }
    of_all_panels += all;
    if (X.empty() || Y.empty()) return;
    const auto said = static_cast<double>(met.size());
    const double share = std::min(1.0, said / static_cast<double>(inner.size()));
    const bool asked = share <= 0.9 && all * (1 - share) > 2 * said + 256;
    words += asked ? needed : all, expected += asked ? share * all : all, of_whole_panels += all;
  }

  const double alpha_, eps_;
  std::map<BlockIndex, double> in_row_;
};

}  // namespace cairn::testing
