#include "api/product_operand.hpp"

#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "runtime/sparse/block_operations.hpp"
#include "runtime/sparse/exchange.hpp"
#include "runtime/sparse/panel.hpp"

namespace cairn {

template <class T>
ProductOperand<T>::ProductOperand(Op op, const BlockSparse<T>& X, const std::optional<BlockRange>& rows,
                                  const std::optional<BlockRange>& cols)
    : op_(op), X_(X) {
  if (turned()) turned_where_ = X.where().transposed();
  if (!rows && !cols) return;
  const auto limits = [](const std::optional<BlockRange>& x, const BlockSizes& of) {
    return x.value_or(BlockRange{0, static_cast<BlockIndex>(of.size())});
  };
  part_ = within(X.local(), limits(turned() ? cols : rows, X.rows()), limits(turned() ? rows : cols, X.cols()));
}

// Where it is brought elsewhere, at last what is sent lies in order, and what arrived is put together.
template <class T>
auto ProductOperand<T>::copies(const BlockDistribution& to, bool apart, Int there) const -> Copies {
  Int all = 0, remains = 0;
  for_each_block([&](BlockIndex i, BlockIndex j, Int words) {
    all += words;
    if (to.owner(i, j) == X_.comm().rank()) remains += words;
  });
  const Int turned_words = turned() ? all : 0;
  if (where() == to) return {apart ? all : turned_words, apart ? all : turned_words};
  return {there, turned_words + (all - remains) + (there - remains) + there};
}

template <class T>
void ProductOperand<T>::lie_on(const BlockDistribution& to, bool apart, Int& received) {
  if (turned()) copy_ = transposed(blocks(), op_ == Op::adjoint);
  if (where() != to)
    copy_ = brought(X_.comm(), blocks(), to, received);
  else if (apart && !turned())
    copy_ = compact(blocks());
}

#define CAIRN_INSTANTIATE(T) template class ProductOperand<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
