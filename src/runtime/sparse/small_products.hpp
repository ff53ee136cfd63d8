// Products of small blocks: for each triple of sizes the code that is fastest, found once.
#pragma once
#include <array>
#include <map>
#include <utility>

#include "runtime/sparse/blocks.hpp"

namespace cairn {

/// Products C += A·B of one m and one k with any n: A m × k, B k × n, C m × n, all by columns and without gaps.
template <class T>
class ProductsOfWidths {
 public:
  ProductsOfWidths(BlockIndex m, BlockIndex k) : m_(m), k_(k) {}

  void operator()(BlockIndex n, const T* A, const T* B, T* C) {
    const auto at = static_cast<std::size_t>(n);
    if (at < code_.size() && code_[at])
      code_[at](A, B, C);
    else
      without_code(n, A, B, C);
  }

 private:
  using Code = void (*)(const T* A, const T* B, T* C, ...);  // as LIBXSMM declares it

  void without_code(BlockIndex n, const T* A, const T* B, T* C);

  BlockIndex m_, k_;
  std::array<Code, 65> code_{};  // by n; null: not asked for yet, or there is none and CBLAS multiplies
  std::array<bool, 65> asked_{};
};

/// Products of blocks of all sizes. Of the few sizes that a matrix has, each is prepared at its first use.
template <class T>
class SmallProducts {
 public:
  /// Stays where it is while this object lives.
  ProductsOfWidths<T>& of(BlockIndex m, BlockIndex k) {
    if (!last_ || last_->first != std::pair(m, k)) last_ = &*known_.try_emplace({m, k}, m, k).first;
    return last_->second;
  }

 private:
  using Known = std::map<std::pair<BlockIndex, BlockIndex>, ProductsOfWidths<T>>;
  Known known_;
  typename Known::value_type* last_ = nullptr;  // sizes often repeat
};

}  // namespace cairn
