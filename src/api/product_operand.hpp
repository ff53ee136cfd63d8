// An operand of a product of block-sparse matrices: op of a matrix, or what limits leave of it.
#pragma once
#include <optional>

#include "cairn/block_sparse.hpp"
#include "runtime/sparse/blocks_view.hpp"

namespace cairn {

/// Seen in the matrix, of which at most the pattern is copied, until it has to lie elsewhere.
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
  /// f(i, j, words) for every block of this rank.
  template <class F>
  void for_each_block(F f) const {
    const BlockPattern& x = seen();
    for_each(x, [&](BlockIndex i, BlockIndex j, Int) {
      const Int words = x.height(i) * x.width(j);
      turned() ? f(j, i, words) : f(i, j, words);
    });
  }

  /// Words of the copies that lie_on() makes on this rank: those that stay, and all of them at their most.
  struct Copies {
    Int stay = 0, most = 0;
  };
  /// `there` words will lie on this rank. `apart`: X will be overwritten.
  Copies copies(const BlockDistribution& to, bool apart, Int there) const;
  /// `received` grows by the words that arrive. Collective.
  void lie_on(const BlockDistribution& to, bool apart, Int& received);
  /// Its blocks on this rank, once it lies where it has to.
  BlocksView<T> blocks() const {
    return copy_ ? BlocksView<T>(*copy_) : BlocksView<T>(seen(), X_.local().values.data());
  }
  void drop_copies() { copy_.reset(); }

 private:
  bool turned() const { return op_ != Op::none; }
  const BlockPattern& seen() const { return part_ ? *part_ : X_.local(); }

  const Op op_;
  const BlockSparse<T>& X_;
  std::optional<BlockDistribution> turned_where_;
  std::optional<BlockPattern> part_;  // within limits; of X, not of op(X)
  std::optional<Blocks<T>> copy_;     // of op(X)
};

}  // namespace cairn
