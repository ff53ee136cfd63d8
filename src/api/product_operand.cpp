#include "api/product_operand.hpp"

#include "api/block_arguments.hpp"
#include "base/scalars.hpp"
#include "local/sparse/block_operations.hpp"
#include "local/sparse/block_panel.hpp"
#include "local/sparse/symmetry.hpp"
#include "runtime/sparse/exchange.hpp"
#include "runtime/sparse/kept_memory.hpp"

namespace cairn {

template <class T>
ProductOperand<T>::ProductOperand(Op op, const BlockSparse<T>& X, const std::optional<BlockRange>& rows,
                                  const std::optional<BlockRange>& cols)
    : op_(op), X_(X) {
  rows_ = rows.value_or(all_blocks(this->rows())), cols_ = cols.value_or(all_blocks(this->cols()));
  if (turned()) turned_where_ = X.where().transposed();
  if (mirrors() || (!rows && !cols)) return;
  part_ = within(X.local(), turned() ? cols_ : rows_, turned() ? rows_ : cols_);
}

// Where it is brought elsewhere, at last what is sent lies in order, and what arrived is put together.
template <class T>
auto ProductOperand<T>::copies(const BlockDistribution& to, bool apart, Int there) const -> Copies {
  Int all = 0, remains = 0;
  for_each_block([&](BlockIndex i, BlockIndex j, Int words) {
    all += words;
    if (to.owner(i, j) == X_.comm().rank()) remains += words;
  });
  const Int made = turned() || mirrors() ? all : 0;
  if (!moves(to)) return {apart ? all : made, apart ? all : made};
  return {there, made + (all - remains) + (there - remains) + there};
}

template <class T>
void ProductOperand<T>::lie_on(const Comm& comm, const BlockDistribution& to, bool apart, Int& received) {
  const auto copied = [&](Blocks<T> x) {
    const auto values = std::make_shared<const BlockValues<T>>(std::move(x.values));
    copy_ = std::make_shared<const Copy>(Copy{std::move(x), {values, values->data()}});
  };
  if (mirrors()) {
    Copy copy;
    copy.pattern = whole<T>(op_, X_.symmetry(), X_.local(), rows_, cols_, [&](Int words) {
      const std::shared_ptr<T> memory = KeptMemory::of(comm)->template take<T>(words);
      copy.values = memory;
      return memory.get();
    });
    copy_ = std::make_shared<const Copy>(std::move(copy));
  } else if (turned()) {
    copied(transposed(blocks(), op_ == Op::adjoint));
  }
  if (moves(to))
    copied(brought(comm, blocks(), to, &received, KeptMemory::of(comm)));
  else if (apart && !copy_)
    copied(compact(blocks()));
}

#define CAIRN_INSTANTIATE(T) template class ProductOperand<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
