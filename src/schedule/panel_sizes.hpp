// Sizes of a block-sparse matrix in panels, which a dense schedule takes for its elements.
#pragma once
#include <numeric>
#include <vector>

#include "schedule/size_provider.hpp"

namespace cairn {

class PanelSizes : public SizeProvider {
 public:
  struct Size {
    Int words = 0;    ///< of values
    Int numbers = 0;  ///< of the index that says which blocks there are, each of index_bytes
    Int inner = 0;  ///< of A and B: blocks of the inner dimension in which there are any; 0 if nobody has counted them
  };

  static constexpr double index_bytes = 4;

  PanelSizes(Int rows, Int cols) : cols_(cols), all_(static_cast<std::size_t>(rows * cols)) {}
  /// Of which size(i, j) is the size.
  template <class SizeOf>
  PanelSizes(std::size_t rows, std::size_t cols, SizeOf size) : cols_(static_cast<Int>(cols)) {
    all_.reserve(rows * cols);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j) all_.push_back(size(i, j));
  }
  Size& at(Int i, Int j) { return all_[static_cast<std::size_t>(i * cols_ + j)]; }
  const Size& at(Int i, Int j) const { return all_[static_cast<std::size_t>(i * cols_ + j)]; }

  /// Of all panels.
  Int words() const {
    return std::accumulate(all_.begin(), all_.end(), Int{0}, [](Int sum, const Size& x) { return sum + x.words; });
  }
  Int words(const IndexSet& rows, const IndexSet& cols) const override {
    Int sum = 0;
    for_each(rows, [&](Int i) { for_each(cols, [&](Int j) { sum += at(i, j).words; }); });
    return sum;
  }
  /// f(i) for every index of a set.
  template <class F>
  static void for_each(const IndexSet& set, F f) {
    for (const Range& r : set.pieces())
      for (Int i = r.lo; i < r.hi; ++i) f(i);
  }

 private:
  Int cols_;
  std::vector<Size> all_;
};

}  // namespace cairn
