// Where a product of block-sparse matrices is done, and by what rules: what all of its parts have to know.
#pragma once
#include <algorithm>

#include "api/block_arguments.hpp"
#include "api/crossing.hpp"
#include "api/product_limits.hpp"
#include "api/product_operand.hpp"
#include "cairn/comm.hpp"

namespace cairn {

template <class T>
Int words(const BlockSparse<T>& X) {
  return static_cast<Int>(X.local().values.size());
}
/// Of A and B, where they are not C.
template <class T>
Int words_beside(const BlockSparse<T>& C, const BlockSparse<T>& A, const BlockSparse<T>& B) {
  return (&A == &C ? 0 : words(A)) + (&B == &C || &B == &A ? 0 : words(B));
}

/// A copy of what is large enough takes the place of C.
inline bool filters(const BlockProductOptions& o) { return o.filter_eps > 0 && !o.retain_sparsity; }

template <class T>
struct ProductSetting {
  /// Collective.
  ProductSetting(ProductOperand<T> a, ProductOperand<T> b, T factor, const BlockSparse<T>& c,
                 const BlockProductOptions& o)
      : A(std::move(a)),
        B(std::move(b)),
        C(c),
        beta(factor),
        options(o),
        limits(c, o, all_blocks(A.cols())),
        deal(deal_panels(comm, A, B, where, options.algorithm, asks())) {
    for (Int q = 0; q < where.ranks(); ++q) ranks.push_back(static_cast<int>(where.rank(q / where.pc, q % where.pc)));
    me = std::find(ranks.begin(), ranks.end(), comm.rank()) - ranks.begin();
  }

  ProductOperand<T> A, B;
  const BlockSparse<T>& C;
  const T beta;
  const BlockProductOptions& options;
  const Comm& comm = C.comm();
  const BlockDistribution& where = C.where();
  const ProductLimits<T> limits;
  const PanelDeal deal;
  std::vector<int> ranks;  ///< of the communicator, by place in C's grid
  Int me = 0;              ///< this rank's place

  /// Whether only blocks (i, j) with i <= j of C are computed.
  bool upper() const { return C.symmetry() != Symmetry::general; }
  /// C is overwritten while panels of A and B are used.
  bool a_is_c() const { return &A.matrix() == &C; }
  bool b_is_c() const { return &B.matrix() == &C; }
  /// Whether copies of A serve as those of B.
  bool shares() const { return B.same_as(A) && deal.a == deal.b; }
  bool takes_part() const { return me < where.ranks(); }
  Int row() const { return me / where.pc; }
  Int col() const { return me % where.pc; }
  /// Whether ranks may say which blocks of a panel are needed.
  bool asks() const { return where.ranks() > 1; }
};

}  // namespace cairn
