#include "local/kernels/host_blas.hpp"

#include <cblas.h>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"

namespace cairn {

namespace {

struct GemmShape {
  CBLAS_ORDER order;
  CBLAS_TRANSPOSE a, b;
  int m, n, k, lda, ldb, ldc;
};

void gemm(const GemmShape& s, float alpha, const float* A, const float* B, float beta, float* C) {
  cblas_sgemm(s.order, s.a, s.b, s.m, s.n, s.k, alpha, A, s.lda, B, s.ldb, beta, C, s.ldc);
}
void gemm(const GemmShape& s, double alpha, const double* A, const double* B, double beta, double* C) {
  cblas_dgemm(s.order, s.a, s.b, s.m, s.n, s.k, alpha, A, s.lda, B, s.ldb, beta, C, s.ldc);
}
void gemm(const GemmShape& s, std::complex<float> alpha, const std::complex<float>* A, const std::complex<float>* B,
          std::complex<float> beta, std::complex<float>* C) {
  cblas_cgemm(s.order, s.a, s.b, s.m, s.n, s.k, &alpha, A, s.lda, B, s.ldb, &beta, C, s.ldc);
}
void gemm(const GemmShape& s, std::complex<double> alpha, const std::complex<double>* A, const std::complex<double>* B,
          std::complex<double> beta, std::complex<double>* C) {
  cblas_zgemm(s.order, s.a, s.b, s.m, s.n, s.k, &alpha, A, s.lda, B, s.ldb, &beta, C, s.ldc);
}

// One of the operands by a conjugated copy, which takes little memory since the inner dimension is cut.
template <class T>
void gemm_with_copies(bool of_a, T alpha, MatrixView<const T> A, MatrixView<const T> B, T beta, MatrixView<T> C,
                      bool conjugate_other) {
  constexpr Int strip = 128;
  for (Int lo = 0; lo < A.cols; lo += strip) {
    const Int k = std::min(strip, A.cols - lo);
    MatrixView<const T> a = part(A, 0, A.rows, lo, k), b = part(B, lo, k, 0, B.cols);
    MatrixView<const T>& conjugated = of_a ? a : b;
    const std::vector<T> copy = conjugated_copy(conjugated);
    conjugated.data = copy.data();
    conjugated.ld = std::max<Int>(1, conjugated.order == Order::col ? conjugated.rows : conjugated.cols);
    local_gemm<T>(alpha, a, b, lo == 0 ? beta : T(1), C, !of_a && conjugate_other, of_a && conjugate_other);
  }
}

}  // namespace

template <class T>
std::vector<T> conjugated_copy(MatrixView<const T> A) {
  const Int outer = A.order == Order::col ? A.cols : A.rows, inner = A.order == Order::col ? A.rows : A.cols;
  std::vector<T> copy(static_cast<std::size_t>(outer * inner));
  for (Int j = 0; j < outer; ++j)
    for (Int i = 0; i < inner; ++i) copy[static_cast<std::size_t>(i + j * inner)] = conjugated(A.data[i + j * A.ld]);
  return copy;
}

template <class T>
void local_gemm(T alpha, MatrixView<const T> A, MatrixView<const T> B, T beta, MatrixView<T> C, bool conjugate_a,
                bool conjugate_b) {
  if (C.rows == 0 || C.cols == 0) return;
  if constexpr (!std::is_floating_point_v<T>) {  // BLAS conjugates only what it transposes
    const bool copy_a = conjugate_a && A.order == C.order, copy_b = conjugate_b && B.order == C.order;
    if (A.cols > 0 && (copy_a || copy_b))
      return gemm_with_copies<T>(copy_a, alpha, A, B, beta, C, copy_a ? conjugate_b : conjugate_a);
  }
  const auto op = [&](Order o, bool conjugate) {
    return o == C.order ? CblasNoTrans : conjugate ? CblasConjTrans : CblasTrans;
  };
  const auto ld = [](Int n) { return to_int(std::max<Int>(1, n), "leading dimension"); };
  const GemmShape shape{C.order == Order::col ? CblasColMajor : CblasRowMajor,
                        op(A.order, conjugate_a),
                        op(B.order, conjugate_b),
                        to_int(C.rows, "rows of a local block"),
                        to_int(C.cols, "columns of a local block"),
                        to_int(A.cols, "inner size of a local block"),
                        ld(A.ld),
                        ld(B.ld),
                        ld(C.ld)};
  gemm(shape, alpha, A.data, B.data, beta, C.data);
}

#define CAIRN_INSTANTIATE(T)                                    \
  template std::vector<T> conjugated_copy(MatrixView<const T>); \
  template void local_gemm(T, MatrixView<const T>, MatrixView<const T>, T, MatrixView<T>, bool, bool);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
