// C += alpha·A·B of block-sparse matrices on the threads of one rank.
#pragma once
#include <vector>

#include "local/sparse/local_product.hpp"
#include "local/sparse/sum_of_threads.hpp"

namespace cairn {

/// Each thread multiplies some block rows of A, and has these rows of C for itself.
template <class T>
class ThreadedProduct {
 public:
  explicit ThreadedProduct(int threads) : of_threads_(static_cast<std::size_t>(threads)) {}

  /// Returns the flops done, as LocalProduct does.
  Int multiply(T alpha, const BlocksView<T>& A, const BlocksView<T>& B, const ProductFilter& filter,
               SumOfThreads<T>& C);
  Int products() const;

 private:
  std::vector<LocalProduct<T>> of_threads_;
};

}  // namespace cairn
