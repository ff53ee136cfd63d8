// What ranks receive in products of block-sparse matrices, found from the patterns alone.
#pragma once
#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/arithmetic.hpp"
#include "block_sparse.hpp"

namespace cairn::testing {

// Of each block of the inner dimension: those that share a column of A's grid and a row of B's are dealt in turn to the
// panels there.
inline std::vector<Int> panels(const std::vector<BlockIndex>& cols, const std::vector<BlockIndex>& rows, Int pc,
                               Int pr) {
  const Int V = std::lcm(pr, pc);
  std::vector<Int> all;
  std::map<std::pair<Int, Int>, Int> turns;
  for (std::size_t k = 0; k < cols.size(); ++k) {
    std::vector<Int> there;
    for (Int s = 0; s < V; ++s)
      if (s * pc / V == cols[k] && s * pr / V == rows[k]) there.push_back(s);
    Int& turn = turns[{cols[k], rows[k]}];
    all.push_back(there[static_cast<std::size_t>(turn++) % there.size()]);
  }
  return all;
}

// What this rank receives, found from the patterns alone: panels of A and B of its layer that it has something to
// multiply with, and sums of C of the ranks that share its part, first those of other rows of the grid, then those of
// other columns.
class Recount {
 public:
  using Matrix = Whole<double>;
  /// `upper`: only blocks (i, j) of C with i <= j are computed.
  Recount(const Comm& comm, const Matrix& A, const Matrix& B, Int pr, Int pc, Int lr, Int lc, bool upper = false)
      : A_(A),
        B_(B),
        pr_(pr),
        pc_(pc),
        lr_(lr),
        lc_(lc),
        me_(comm.rank()),
        row_(me_ / pc),
        col_(me_ % pc),
        upper_(upper) {
    const auto count = [](const BlockSizes& sizes) { return static_cast<Int>(sizes.size()); };
    a_ = BlockDistribution::dealt(count(A.rows), count(A.cols), pr, pc);
    b_ = BlockDistribution::dealt(count(B.rows), count(B.cols), pr, pc);
    panel_ = panels(a_.col, b_.row, pc, pr);
  }

  Int of_operands() const {
    Int words = 0;
    for (const auto& [place, block] : A_.blocks)
      if (at(a_.row, place.first) / lr_ == row_ / lr_ && layer_has(row_, col_, place.second) &&
          a_.owner(place.first, place.second) != me_ && b_has(place.second))
        words += static_cast<Int>(block.size());
    for (const auto& [place, block] : B_.blocks)
      if (at(b_.col, place.second) / lc_ == col_ / lc_ && layer_has(row_, col_, place.first) &&
          b_.owner(place.first, place.second) != me_ && a_has(place.first))
        words += static_cast<Int>(block.size());
    return words;
  }
  Int of_sums() const {
    const auto own_row = [&](BlockIndex i, BlockIndex) { return at(a_.row, i) == row_; };
    const auto own = [&](BlockIndex i, BlockIndex j) { return own_row(i, j) && at(b_.col, j) == col_; };
    const Int first_row = row_ / lr_ * lr_, first_col = col_ / lc_ * lc_;
    Int words = 0;
    for (Int r = first_row; r < first_row + lr_; ++r)
      if (r != row_) words += words_of(computed(r, col_), own_row);
    for (Int q = first_col; q < first_col + lc_; ++q) {
      Pattern sum;
      for (Int r = first_row; r < first_row + lr_; ++r) sum.merge(computed(r, q));
      if (q != col_) words += words_of(sum, own);
    }
    return words;
  }

 private:
  using Pattern = std::set<std::pair<BlockIndex, BlockIndex>>;
  static Int at(const std::vector<BlockIndex>& owners, BlockIndex x) { return owners[static_cast<std::size_t>(x)]; }
  bool layer_has(Int row, Int col, BlockIndex k) const {
    const Int V = std::lcm(pr_, pc_), layer = row % lr_ + lr_ * (col % lc_), share = V / (lr_ * lc_);
    const Int start = row / lr_ * apart(pr_ / lr_, pr_) + col / lc_ * apart(pc_ / lc_, pc_) + share * layer;
    return wrap(panel_[static_cast<std::size_t>(k)] - start, V) < share;
  }
  // Between the panels that neighbouring lines of the grid fetch first: V over their number, or one, where fewer ranks
  // ask the same owner at once then.
  Int apart(Int lines, Int owners) const {
    const Int V = std::lcm(pr_, pc_), layers = lr_ * lc_;
    const auto most_at_once = [&](Int step) {
      std::map<std::pair<Int, Int>, Int> asked;
      for (Int line = 0; line < lines; ++line)
        for (Int layer = 0; layer < layers; ++layer)
          for (Int t = 0; t < V / layers; ++t)
            ++asked[{t, (line * step + layer * (V / layers) + t) % V / (V / owners)}];
      Int most = 0;
      for (const auto& [when_and_whom, often] : asked) most = std::max(most, often);
      return most;
    };
    return most_at_once(1) < most_at_once(V / lines) ? 1 : V / lines;
  }
  // Whether there is a block in the panel of inner block k, on a column of the grid whose sums this rank computes.
  bool b_has(BlockIndex k) const {
    return std::any_of(B_.blocks.begin(), B_.blocks.end(), [&](const auto& b) {
      return same_panel(b.first.first, k) && at(b_.col, b.first.second) / lc_ == col_ / lc_;
    });
  }
  bool a_has(BlockIndex k) const {
    return std::any_of(A_.blocks.begin(), A_.blocks.end(), [&](const auto& a) {
      return same_panel(a.first.second, k) && at(a_.row, a.first.first) / lr_ == row_ / lr_;
    });
  }
  bool same_panel(BlockIndex k, BlockIndex l) const {
    return panel_[static_cast<std::size_t>(k)] == panel_[static_cast<std::size_t>(l)];
  }
  Pattern computed(Int row, Int col) const {
    Pattern all;
    for (const auto& [x, a] : A_.blocks)
      for (const auto& [y, b] : B_.blocks)
        if (x.second == y.first && at(a_.row, x.first) / lr_ == row / lr_ && at(b_.col, y.second) / lc_ == col / lc_ &&
            layer_has(row, col, x.second) && !(upper_ && x.first > y.second))
          all.insert({x.first, y.second});
    return all;
  }
  template <class F>
  Int words_of(const Pattern& blocks, F wanted) const {
    Int sum = 0;
    for (const auto& [i, j] : blocks)
      if (wanted(i, j)) sum += Int{A_.rows[static_cast<std::size_t>(i)]} * B_.cols[static_cast<std::size_t>(j)];
    return sum;
  }

  const Matrix &A_, &B_;
  const Int pr_, pc_, lr_, lc_, me_, row_, col_;
  const bool upper_;
  BlockDistribution a_, b_;
  std::vector<Int> panel_;
};

}  // namespace cairn::testing
