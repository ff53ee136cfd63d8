#include "local/sparse/threaded_product.hpp"

#include <algorithm>
#include <numeric>

#include "base/scalars.hpp"
#include "local/sparse/block_panel.hpp"
#include "local/sparse/threads.hpp"

namespace cairn {

namespace {

// Rows number `first` to before `last` of those that hold a block; their blocks begin with number x.first[first].
BlockPattern rows_of(const BlockPattern& x, std::size_t first, std::size_t last) {
  BlockPattern some = none_like(x);
  const auto begin = x.first[first], end = x.first[last];
  some.rows.assign(x.rows.begin() + static_cast<Int>(first), x.rows.begin() + static_cast<Int>(last));
  some.first.clear();
  for (std::size_t r = first; r <= last; ++r) some.first.push_back(x.first[r] - begin);
  some.cols.assign(x.cols.begin() + begin, x.cols.begin() + end);
  some.at.assign(x.at.begin() + begin, x.at.begin() + end);
  return some;
}

}  // namespace

template <class T>
Int ThreadedProduct<T>::multiply(T alpha, const BlocksView<T>& A, const BlocksView<T>& B, const ProductFilter& filter,
                                 SumOfThreads<T>& C) {
  const int threads = static_cast<int>(of_threads_.size());
  if (threads == 1) return of_threads_.front().multiply(alpha, A, B, filter, C.whole());
  auto& parts = C.parts(A.pattern, filter.upper, threads);
  std::vector<Int> flops(parts.size());
  on_threads(threads, [&](int t) {
    const auto number = static_cast<std::size_t>(t);
    const auto at = [&](BlockIndex row) {
      const auto& rows = A.pattern.rows;
      return static_cast<std::size_t>(std::lower_bound(rows.begin(), rows.end(), row) - rows.begin());
    };
    const std::size_t first = at(parts[number].from), last = at(parts[number].to);
    const BlockPattern mine = rows_of(A.pattern, first, last);
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
#undef CAIRN_INSTANTIATE

}  // namespace cairn
