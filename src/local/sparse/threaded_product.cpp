#include "local/sparse/threaded_product.hpp"

#include <numeric>

#include "base/scalars.hpp"
#include "local/sparse/block_operations.hpp"
#include "local/sparse/threads.hpp"

namespace cairn {

template <class T>
Int ThreadedProduct<T>::multiply(T alpha, const BlocksView<T>& A, const BlocksView<T>& B, const ProductFilter& filter,
                                 SumOfThreads<T>& C) {
  const int threads = static_cast<int>(of_threads_.size());
  if (threads == 1) return of_threads_.front().multiply(alpha, A, B, filter, C.whole());
  auto& parts = C.parts(A.pattern, filter.upper, threads);
  std::vector<Int> flops(parts.size());
  on_threads(threads, [&](int t) {
    const auto number = static_cast<std::size_t>(t);
    const std::size_t first = first_row(A.pattern, parts[number].from);
    const BlockPattern mine = within(A.pattern, Range{parts[number].from, parts[number].to});
    ProductFilter filter_of_mine = filter;
    if (!filter.norms_a.empty())
      filter_of_mine.norms_a =
          filter.norms_a.subspan(static_cast<std::size_t>(A.pattern.first[first]), mine.cols.size());
    flops[number] = of_threads_[number].multiply(alpha, {mine, A.values}, B, filter_of_mine, parts[number].blocks);
  });
  return std::accumulate(flops.begin(), flops.end(), Int{0});
}

template <class T>
Int ThreadedProduct<T>::products() const {
  Int sum = 0;
  for (const LocalProduct<T>& x : of_threads_) sum += x.products();
  return sum;
}

#define CAIRN_INSTANTIATE(T) template class ThreadedProduct<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
