#include "runtime/sparse/small_products.hpp"

#ifdef CAIRN_LIBXSMM
#include <libxsmm.h>
#endif

#include <algorithm>

#include "base/scalars.hpp"
#include "runtime/kernels/host_blas.hpp"

namespace cairn {

namespace {

#ifdef CAIRN_LIBXSMM
auto* dispatch(double) { return &libxsmm_dmmdispatch; }
auto* dispatch(float) { return &libxsmm_smmdispatch; }
#endif

// Code made for these sizes; null where LIBXSMM is missing or makes none.
template <class T>
auto generated([[maybe_unused]] BlockIndex m, [[maybe_unused]] BlockIndex n, [[maybe_unused]] BlockIndex k,
               [[maybe_unused]] T beta) -> void (*)(const T*, const T*, T*, ...) {
#ifdef CAIRN_LIBXSMM
  if constexpr (std::is_floating_point_v<T>) {
    const int flags = LIBXSMM_GEMM_FLAG_NONE, prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
    const T one(1);
    if (m > 0 && n > 0 && k > 0) return dispatch(T())(m, n, k, &m, &k, &m, &one, &beta, &flags, &prefetch);
  }
#endif
  return nullptr;
}

}  // namespace

template <class T>
void ProductsOfWidths<T>::without_code(BlockIndex n, const T* A, const T* B, T* C, Update update) {
  const auto at = static_cast<std::size_t>(n);
  const bool overwrites = update == Update::overwrite;
  const auto beta = overwrites ? T(0) : T(1);
  if (std::max(m_, n) <= largest && k_ <= longest && !asked_[overwrites][at]) {
    asked_[overwrites][at] = true;
    code_[overwrites][at] = generated<T>(m_, n, k_, beta);
    if (code_[overwrites][at]) return (*this)(n, A, B, C, update);
  }
  local_gemm<T>(T(1), {A, m_, k_, m_}, {B, k_, n, k_}, beta, {C, m_, n, m_});
}

#define CAIRN_INSTANTIATE(T) template class ProductsOfWidths<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
