// The part of C that a product of block-sparse matrices computes.
#pragma once
#include <utility>

#include "api/block_arguments.hpp"
#include "base/scalars.hpp"
#include "cairn/block_sparse.hpp"
#include "local/sparse/block_operations.hpp"

namespace cairn {

/// Where C is computed, and what is in it then: see BlockProductOptions.
template <class T>
class ProductLimits {
 public:
  /// `inner`: all blocks of the inner dimension.
  ProductLimits(const BlockSparse<T>& C, const BlockProductOptions& o, BlockRange inner = {})
      : rows_(o.rows.value_or(all_blocks(C.rows()))),
        cols_(o.cols.value_or(all_blocks(C.cols()))),
        inner_(o.inner.value_or(inner)),
        everywhere_(rows_ == all_blocks(C.rows()) && cols_ == all_blocks(C.cols())),
        retains_(o.retain_sparsity) {}

  /// beta·C there, where beta = 0 forgets the pattern unless it is retained.
  void scale(T beta, BlockSparse<T>& C) const {
    if (beta == T(0) && !retains_) {
      const auto stays = [&](BlockIndex i, BlockIndex j, Int) { return !rows_.has(i) || !cols_.has(j); };
      if (everywhere_)
        C.clear();
      else
        C.assign(compact<T>({chosen(C.local(), stays), C.local().values.data()}));
    } else if (beta != T(1)) {
      C.for_each([&](BlockIndex i, BlockIndex j, MatrixView<T> x) {
        if (!rows_.has(i) || !cols_.has(j)) return;
        for (Int w = 0; w < x.rows * x.cols; ++w) x.data[w] = scaled(beta, x.data[w]);
      });
    }
  }
  /// Whether nothing of C is left for beta = 0.
  bool forgets_all(T beta) const { return beta == T(0) && !retains_ && everywhere_; }
  /// Whether something is, whose copy takes the place of C.
  bool copies(T beta) const { return beta == T(0) && !retains_ && !everywhere_; }
  /// Words of this rank's blocks of C that stay, within the limits and elsewhere.
  std::pair<Int, Int> kept(T beta, const BlockPattern& C) const {
    Int within = 0, elsewhere = 0;
    for_each(C, [&](BlockIndex i, BlockIndex j, Int) {
      (rows_.has(i) && cols_.has(j) ? within : elsewhere) += C.height(i) * C.width(j);
    });
    return {beta == T(0) && !retains_ ? 0 : within, elsewhere};
  }
  BlockRange rows() const { return rows_; }
  BlockRange cols() const { return cols_; }
  BlockRange inner() const { return inner_; }

 private:
  BlockRange rows_, cols_, inner_;
  bool everywhere_, retains_;
};

}  // namespace cairn
