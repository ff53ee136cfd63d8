#include "cairn/block_product_plan.hpp"

#include "api/product_arguments.hpp"
#include "api/product_planner.hpp"
#include "base/scalars.hpp"
#include "cairn/error.hpp"

namespace cairn {

template <class T>
BlockPlan plan(Op op_a, Op op_b, T alpha, const BlockSparse<T>& A, const BlockSparse<T>& B, T beta,
               const BlockSparse<T>& C, const BlockProductOptions& options) {
  agree_on_product(op_a, op_b, alpha, A, B, beta, C, options);
  if (alpha == T(0)) throw ArgumentError("alpha: 0, expected another number: by 0 nothing is multiplied");
  const ProductSetting<T> setting({op_a, A, options.rows, options.inner}, {op_b, B, options.inner, options.cols}, beta,
                                  C, options);
  return ProductPlanner<T>(setting).plan();
}

#define CAIRN_INSTANTIATE(T)                                                                                 \
  template BlockPlan plan(Op, Op, T, const BlockSparse<T>&, const BlockSparse<T>&, T, const BlockSparse<T>&, \
                          const BlockProductOptions&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
