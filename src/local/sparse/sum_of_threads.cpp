#include "local/sparse/sum_of_threads.hpp"

#include "base/scalars.hpp"
#include "local/sparse/block_operations.hpp"
#include "local/sparse/large_pages.hpp"
#include "local/sparse/threads.hpp"

namespace cairn {

namespace {

// Block rows of the matrix at which each part begins, and the end.
std::vector<BlockIndex> bounds(const BlockPattern& A, bool upper, int count) {
  std::vector<Int> before{0};  // products before each row that holds a block, and all of them
  for (std::size_t r = 0; r < A.rows.size(); ++r) {
    const Int each = upper ? static_cast<Int>(A.row_sizes->size()) - A.rows[r] : 1;
    before.push_back(before.back() + (A.first[r + 1] - A.first[r]) * each);
  }
  std::vector<BlockIndex> rows{0};
  for (int t = 1; t < count; ++t) {
    const auto found = std::lower_bound(before.begin(), before.end(), before.back() * t / count);
    const auto r = static_cast<std::size_t>(found - before.begin());
    rows.push_back(r < A.rows.size() ? A.rows[r] : rows.back());
  }
  rows.push_back(static_cast<BlockIndex>(A.row_sizes->size()));
  return rows;
}

}  // namespace

template <class T>
auto SumOfThreads<T>::parts(const BlockPattern& A, bool upper, int count) -> std::vector<Part>& {
  if (!parts_.empty()) return parts_;
  const std::vector<BlockIndex> at = bounds(A, upper, count);
  parts_.resize(static_cast<std::size_t>(count));
  for (std::size_t t = 0; t < parts_.size(); ++t) parts_[t] = {at[t], at[t + 1], none_like(whole_)};
  if (whole_.blocks() > 0)
    on_threads(count, [&](int t) {
      Part& part = parts_[static_cast<std::size_t>(t)];
      part.blocks = compact<T>({within(whole_, Range{part.from, part.to}), whole_.values.data()});
    });
  return parts_;
}

template <class T>
Blocks<T>& SumOfThreads<T>::whole() {
  if (parts_.empty()) return whole_;
  BlockValues<T> values = std::move(whole_.values);  // its memory
  whole_ = none_like(whole_);
  std::vector<std::size_t> begin{0};
  for (const Part& part : parts_) {
    const Int before = static_cast<Int>(begin.back());
    for_each(part.blocks, [&](BlockIndex i, BlockIndex j, Int b) {
      whole_.append(i, j, before + part.blocks.at[static_cast<std::size_t>(b)]);
    });
    begin.push_back(begin.back() + part.blocks.values.size());
  }
  resize(values, begin.back());
  on_threads(static_cast<int>(parts_.size()), [&](int t) {
    const auto number = static_cast<std::size_t>(t);
    BlockValues<T>& from = parts_[number].blocks.values;
    std::copy(from.begin(), from.end(), values.data() + begin[number]);
    from = {};
  });
  whole_.values = std::move(values);
  parts_.clear();
  return whole_;
}

#define CAIRN_INSTANTIATE(T) template class SumOfThreads<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
