// Products of small blocks: for each triple of sizes the code that is fastest, found once.
#pragma once
#include <array>
#include <map>

#include "cairn/blocks.hpp"
#include "schedule/step.hpp"

namespace cairn {

/// LIBXSMM's code leaves numbers in the upper halves of vector registers, and every SSE instruction after it would wait
/// for them: on an Intel processor of 2023 that makes products of blocks of 6 rows ten times as slow.
inline void clear_upper_halves() {
#if defined(__x86_64__) && defined(__GNUC__)
  static const bool there = __builtin_cpu_supports("avx");
  if (there)
    asm volatile("vzeroupper" ::
                     : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                       "xmm12", "xmm13", "xmm14", "xmm15");
#endif
}

/// How many rows of A are best multiplied at once.
struct KernelRows {
  BlockIndex together;  ///< where they may be of several block rows; a multiple of `multiple`
  BlockIndex multiple;  ///< if they are fewer than that, of so many
  BlockIndex alone;     ///< a block row of as many is multiplied by itself
};

/// What suits LIBXSMM's code for this processor, or the BLAS where there is none.
template <class T>
KernelRows kernel_rows();

/// Products C += A·B, or C = A·B, of one m and one k with any n: A m × k, B k × n, C m × n, by columns; only between
/// those of C may be gaps. There is code for m up to `highest`, n up to `widest` and k up to `longest`; CBLAS
/// multiplies what is larger.
template <class T>
class ProductsOfWidths {
 public:
  static constexpr BlockIndex highest = 64, widest = 128, longest = 256;

  ProductsOfWidths(BlockIndex m, BlockIndex k, BlockIndex ld) : m_(m), k_(k), ld_(ld) {}

  void operator()(BlockIndex n, const T* A, const T* B, T* C, Update update = Update::accumulate) {
    const auto at = static_cast<std::size_t>(n);
    const auto& code = code_[update == Update::overwrite];
    if (at < code.size() && code[at]) {
      code[at](A, B, C);
      clear_upper_halves();
    } else {
      without_code(n, A, B, C, update);
    }
  }

 private:
  using Code = void (*)(const T* A, const T* B, T* C, ...);  // as LIBXSMM declares it

  void without_code(BlockIndex n, const T* A, const T* B, T* C, Update update);

  BlockIndex m_, k_, ld_;
  // By whether it overwrites C, and n; null: not asked for yet, or there is none and CBLAS multiplies
  std::array<std::array<Code, widest + 1>, 2> code_{};
  std::array<std::array<bool, widest + 1>, 2> asked_{};
};

/// Products of blocks of all sizes. Of the few sizes that a matrix has, each is prepared at its first use.
template <class T>
class SmallProducts {
 public:
  /// The result is valid as long as this object is.
  ProductsOfWidths<T>& of(BlockIndex m, BlockIndex k) { return of(m, k, m); }
  /// From a column of C to the next are `ld` elements.
  ProductsOfWidths<T>& of(BlockIndex m, BlockIndex k, BlockIndex ld) {
    return known_.try_emplace({m, k, ld}, m, k, ld).first->second;
  }

 private:
  std::map<std::array<BlockIndex, 3>, ProductsOfWidths<T>> known_;
};

}  // namespace cairn
