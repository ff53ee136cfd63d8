#include "local/sparse/small_products.hpp"

#ifdef CAIRN_LIBXSMM
#include <libxsmm.h>
#endif

#include <algorithm>
#include <type_traits>

#include "base/scalars.hpp"
#include "local/kernels/host_blas.hpp"

namespace cairn {

namespace {

#ifdef CAIRN_LIBXSMM
auto* dispatch(double) { return &libxsmm_dmmdispatch; }
auto* dispatch(float) { return &libxsmm_smmdispatch; }
#endif

// Code made for these sizes; null where LIBXSMM is missing or makes none.
template <class T>
auto generated([[maybe_unused]] BlockIndex m, [[maybe_unused]] BlockIndex n, [[maybe_unused]] BlockIndex k,
               [[maybe_unused]] BlockIndex ld, [[maybe_unused]] T beta) -> void (*)(const T*, const T*, T*, ...) {
#ifdef CAIRN_LIBXSMM
  if constexpr (std::is_floating_point_v<T>) {
    const int flags = LIBXSMM_GEMM_FLAG_NONE, prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
    const T one(1);
    if (m > 0 && n > 0 && k > 0) return dispatch(T())(m, n, k, &m, &k, &ld, &one, &beta, &flags, &prefetch);
  }
#endif
  return nullptr;
}

// Of the longest vector that LIBXSMM's code uses; 0 where there is no code.
BlockIndex bytes_of_vector() {
#ifdef CAIRN_LIBXSMM
  const int processor = libxsmm_get_target_archid();
  return processor >= LIBXSMM_X86_AVX512 ? 64 : processor >= LIBXSMM_X86_AVX ? 32 : 16;
#else
  return 0;
#endif
}

}  // namespace

// Loads and stores of a part of a vector take no time with AVX-512 only: without it, whole vectors count.
template <class T>
KernelRows kernel_rows() {
  static const KernelRows rows = [] {
    const BlockIndex bytes = std::is_floating_point_v<T> ? bytes_of_vector() : 0;
    if (bytes == 0) return KernelRows{128, 1, 64};
    const BlockIndex vector = bytes / static_cast<BlockIndex>(sizeof(T));
    return KernelRows{4 * vector, vector, bytes == 64 ? 2 * vector : ProductsOfWidths<T>::highest + 1};
  }();
  return rows;
}

template <class T>
void ProductsOfWidths<T>::without_code(BlockIndex n, const T* A, const T* B, T* C, Update update) {
  const auto at = static_cast<std::size_t>(n);
  const bool overwrites = update == Update::overwrite;
  const auto beta = overwrites ? T(0) : T(1);
  if (m_ <= highest && n <= widest && k_ <= longest && !asked_[overwrites][at]) {
    asked_[overwrites][at] = true;
    code_[overwrites][at] = generated<T>(m_, n, k_, ld_, beta);
    if (code_[overwrites][at]) return (*this)(n, A, B, C, update);
  }
  local_gemm<T>(T(1), {A, m_, k_, m_}, {B, k_, n, k_}, beta, {C, m_, n, ld_});
}

#define CAIRN_INSTANTIATE(T)          \
  template class ProductsOfWidths<T>; \
  template KernelRows kernel_rows<T>();
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
