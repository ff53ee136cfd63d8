// An operand of a product of block-sparse matrices: op of a matrix, or what limits leave of it.
#pragma once
#include <memory>
#include <optional>

#include "cairn/block_sparse.hpp"
#include "local/sparse/blocks_view.hpp"

namespace cairn {

/// Seen in the matrix, of which at most the pattern is copied, until it has to lie elsewhere or, if it has a symmetry,
/// with all its blocks.
template <class T>
class ProductOperand {
 public:
  /// `rows` and `cols` are those of op(X).
  ProductOperand(Op op, const BlockSparse<T>& X, const std::optional<BlockRange>& rows,
                 const std::optional<BlockRange>& cols);

  const BlockSparse<T>& matrix() const { return X_; }
  const BlockSizes& rows() const { return turned() ? X_.cols() : X_.rows(); }
  const BlockSizes& cols() const { return turned() ? X_.rows() : X_.cols(); }
  const BlockDistribution& where() const { return turned_where_ ? *turned_where_ : X_.where(); }
  /// f(i, j, words) for every block that this rank has, or has the mirror image of.
  template <class F>
  void for_each_block(F f) const {
    const BlockPattern& x = seen();
    for_each(x, [&](BlockIndex i, BlockIndex j, Int) {
      const Int words = x.height(i) * x.width(j);
      if (!mirrors()) return turned() ? f(j, i, words) : f(i, j, words);
      if (rows_.has(i) && cols_.has(j)) f(i, j, words);
      if (i != j && rows_.has(j) && cols_.has(i)) f(j, i, words);
    });
  }
  /// Whether all blocks are those of another operand.
  bool same_as(const ProductOperand& other) const {
    return &X_ == &other.X_ && op_ == other.op_ && rows_ == other.rows_ && cols_ == other.cols_;
  }

  /// Words of the copies that lie_on() makes on this rank: those that stay, and all of them at their most.
  struct Copies {
    Int stay = 0, most = 0;
  };
  /// `there` words will lie on this rank. `apart`: X will be overwritten.
  Copies copies(const BlockDistribution& to, bool apart, Int there) const;
  /// `received` grows by the words that arrive. `comm` is C's, whose memory is kept or not. Collective.
  void lie_on(const Comm& comm, const BlockDistribution& to, bool apart, Int& received);
  /// The same with the copies of another operand, of the same blocks, which lies there.
  void lie_with(const ProductOperand& other) { copy_ = other.copy_; }
  /// Its blocks on this rank, once it lies where it has to.
  BlocksView<T> blocks() const {
    return copy_ ? BlocksView<T>(copy_->pattern, copy_->values.get()) : BlocksView<T>(seen(), X_.local().values.data());
  }
  void drop_copies() { copy_.reset(); }

 private:
  struct Copy {
    BlockPattern pattern;
    std::shared_ptr<const T> values;
  };
  bool mirrors() const { return X_.symmetry() != Symmetry::general; }
  /// Whether its blocks are those of X transposed.
  bool turned() const { return op_ != Op::none && !mirrors(); }
  /// Mirror images belong to other ranks than what they are made of.
  bool moves(const BlockDistribution& to) const { return where() != to || (mirrors() && to.ranks() > 1); }
  const BlockPattern& seen() const { return part_ ? *part_ : X_.local(); }

  const Op op_;
  const BlockSparse<T>& X_;
  BlockRange rows_, cols_;
  std::optional<BlockDistribution> turned_where_;
  std::optional<BlockPattern> part_;  // within limits; of X, not of op(X)
  std::shared_ptr<const Copy> copy_;  // of op(X)
};

}  // namespace cairn
