#include "local/kernels/triangles.hpp"

#include <cblas.h>

#include <array>
#include <cmath>
#include <vector>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "local/kernels/host_blas.hpp"
#include "model/problem.hpp"

extern "C" {  // LAPACK
void spotrf_(const char* uplo, const int* n, float* A, const int* lda, int* info, std::size_t length);
void dpotrf_(const char* uplo, const int* n, double* A, const int* lda, int* info, std::size_t length);
void cpotrf_(const char* uplo, const int* n, std::complex<float>* A, const int* lda, int* info, std::size_t length);
void zpotrf_(const char* uplo, const int* n, std::complex<double>* A, const int* lda, int* info, std::size_t length);
}

namespace cairn {

namespace {

struct Trsm {
  CBLAS_ORDER order;
  CBLAS_SIDE side;
  CBLAS_UPLO uplo;
  CBLAS_TRANSPOSE op;
  CBLAS_DIAG diag;
  int m, n, lda, ldc;
};
void trsm(const Trsm& s, const float* A, float* C) {
  cblas_strsm(s.order, s.side, s.uplo, s.op, s.diag, s.m, s.n, 1, A, s.lda, C, s.ldc);
}
void trsm(const Trsm& s, const double* A, double* C) {
  cblas_dtrsm(s.order, s.side, s.uplo, s.op, s.diag, s.m, s.n, 1, A, s.lda, C, s.ldc);
}
void trsm(const Trsm& s, const std::complex<float>* A, std::complex<float>* C) {
  const std::complex<float> one = 1;
  cblas_ctrsm(s.order, s.side, s.uplo, s.op, s.diag, s.m, s.n, &one, A, s.lda, C, s.ldc);
}
void trsm(const Trsm& s, const std::complex<double>* A, std::complex<double>* C) {
  const std::complex<double> one = 1;
  cblas_ztrsm(s.order, s.side, s.uplo, s.op, s.diag, s.m, s.n, &one, A, s.lda, C, s.ldc);
}

void potrf(char uplo, int n, float* A, int lda, int* info) { spotrf_(&uplo, &n, A, &lda, info, 1); }
void potrf(char uplo, int n, double* A, int lda, int* info) { dpotrf_(&uplo, &n, A, &lda, info, 1); }
void potrf(char uplo, int n, std::complex<float>* A, int lda, int* info) { cpotrf_(&uplo, &n, A, &lda, info, 1); }
void potrf(char uplo, int n, std::complex<double>* A, int lda, int* info) { zpotrf_(&uplo, &n, A, &lda, info, 1); }

}  // namespace

// Two triangles and the square beside them, down to triangles that are small enough to compute all of.
template <class T>
void local_gemmt(Uplo shape, T alpha, MatrixView<const T> A, MatrixView<const T> B, T beta, MatrixView<T> C,
                 bool conjugate_a, bool conjugate_b) {
  constexpr Int small = 32;
  const Int n = C.cols, half = n / 2, rest = n - half;
  if (n > small) {
    const bool lower = shape == Uplo::lower;
    const auto rows = [&](Int lo, Int size) { return part(A, lo, size, 0, A.cols); };
    const auto cols = [&](Int lo, Int size) { return part(B, 0, B.rows, lo, size); };
    local_gemmt<T>(shape, alpha, rows(0, half), cols(0, half), beta, part(C, 0, half, 0, half), conjugate_a,
                   conjugate_b);
    local_gemmt<T>(shape, alpha, rows(half, rest), cols(half, rest), beta, part(C, half, rest, half, rest), conjugate_a,
                   conjugate_b);
    if (lower)
      local_gemm<T>(alpha, rows(half, rest), cols(0, half), beta, part(C, half, rest, 0, half), conjugate_a,
                    conjugate_b);
    else
      local_gemm<T>(alpha, rows(0, half), cols(half, rest), beta, part(C, 0, half, half, rest), conjugate_a,
                    conjugate_b);
    return;
  }
  std::array<T, static_cast<std::size_t>(small * small)> all;
  local_gemm<T>(alpha, A, B, T(0), {all.data(), n, n, std::max<Int>(1, n), C.order}, conjugate_a, conjugate_b);
  const Uplo stored = C.order == Order::col ? shape : transposed(shape);
  for (Int j = 0; j < n; ++j)
    for (Int i = stored == Uplo::lower ? j : 0; i < (stored == Uplo::lower ? n : j + 1); ++i) {
      T& c = C.data[i + j * C.ld];
      const T x = all[static_cast<std::size_t>(i + j * n)];
      // A factor of 1 is left out: complex, it would carry NaN from imaginary parts, which nobody reads, to real ones.
      c = beta == T(0) ? x : beta == T(1) ? x + c : x + beta * c;
    }
}

namespace {

// With the two halves of the diagonal, and a product between them: where a triangle is narrow, OpenBLAS's solves reach
// a third of the rate of its products.
template <class T>
void trsm_by_halves(Side side, Uplo shape, Diag diag, MatrixView<const T> A, bool conjugate, MatrixView<T> C) {
  const bool left = side == Side::left, lower = shape == Uplo::lower;
  const Int n = left ? C.rows : C.cols, others = left ? C.cols : C.rows, half = n / 2, rest = n - half;
  const auto of_c = [&](Int lo, Int size) {
    return left ? part(C, lo, size, 0, others) : part(C, 0, others, lo, size);
  };
  const auto read = [](MatrixView<T> v) { return MatrixView<const T>{v.data, v.rows, v.cols, v.ld, v.order}; };
  const auto solve = [&](Int lo, Int size) {
    local_trsm<T>(side, shape, diag, part(A, lo, size, lo, size), conjugate, of_c(lo, size));
  };
  const MatrixView<const T> beside = lower ? part(A, half, rest, 0, half) : part(A, 0, half, half, rest);
  const bool first_half_first = left == lower;
  const MatrixView<T> one = first_half_first ? of_c(0, half) : of_c(half, rest),
                      other = first_half_first ? of_c(half, rest) : of_c(0, half);
  first_half_first ? solve(0, half) : solve(half, rest);
  left ? local_gemm<T>(T(-1), beside, read(one), T(1), other, conjugate, false)
       : local_gemm<T>(T(-1), read(one), beside, T(1), other, false, conjugate);
  first_half_first ? solve(half, rest) : solve(0, half);
}

}  // namespace

template <class T>
void local_trsm(Side side, Uplo shape, Diag diag, MatrixView<const T> A, bool conjugate, MatrixView<T> C) {
  if (C.rows == 0 || C.cols == 0) return;
  const bool same = A.order == C.order;  // else the triangle that BLAS sees is the transposed one
  if constexpr (!std::is_floating_point_v<T>) {
    if (same && conjugate) {  // which BLAS does of transposed triangles only
      const std::vector<T> all = conjugated_copy(A);
      return local_trsm<T>(side, shape, diag, {all.data(), A.rows, A.cols, std::max<Int>(1, A.rows), A.order}, false,
                           C);
    }
  }
  const Int narrow = side == Side::left ? 64 : 32;
  if (A.rows > narrow && (side == Side::left ? C.cols : C.rows) > narrow)
    return trsm_by_halves<T>(side, shape, diag, A, conjugate, C);
  const auto ld = [](Int n) { return to_int(std::max<Int>(1, n), "leading dimension"); };
  trsm({C.order == Order::col ? CblasColMajor : CblasRowMajor, side == Side::left ? CblasLeft : CblasRight,
        (same ? shape : transposed(shape)) == Uplo::lower ? CblasLower : CblasUpper,
        same        ? CblasNoTrans
        : conjugate ? CblasConjTrans
                    : CblasTrans,
        diag == Diag::unit ? CblasUnit : CblasNonUnit, to_int(C.rows, "rows of a local block"),
        to_int(C.cols, "columns of a local block"), ld(A.ld), ld(C.ld)},
       A.data, C.data);
}

// By rows, a triangle is the other one of the transposed matrix, which has the same factor transposed. OpenBLAS takes a
// pivot that is no number for a positive one; LAPACK's own code does not.
template <class T>
Int local_potrf(Uplo shape, MatrixView<T> C) {
  const Uplo stored = C.order == Order::col ? shape : transposed(shape);
  int info = 0;
  potrf(stored == Uplo::lower ? 'L' : 'U', to_int(C.rows, "order of a local block"), C.data,
        to_int(std::max<Int>(1, C.ld), "leading dimension"), &info);
  for (Int i = 0, end = info > 0 ? info - 1 : C.rows; i < end; ++i)
    if (std::isnan(std::real(C(i, i)))) return i + 1;
  return info;
}

template <class T>
void local_scal(T factor, MatrixView<T> C) {
  if (factor == T(1)) return;
  const Int outer = C.order == Order::col ? C.cols : C.rows, inner = C.order == Order::col ? C.rows : C.cols;
  for (Int j = 0; j < outer; ++j)
    for (T *c = C.data + j * C.ld, *end = c + inner; c < end; ++c) *c = scaled(factor, *c);
}

#define CAIRN_INSTANTIATE(T)                                                                                     \
  template void local_gemmt<T>(Uplo, T, MatrixView<const T>, MatrixView<const T>, T, MatrixView<T>, bool, bool); \
  template void local_trsm<T>(Side, Uplo, Diag, MatrixView<const T>, bool, MatrixView<T>);                       \
  template Int local_potrf<T>(Uplo, MatrixView<T>);                                                              \
  template void local_scal<T>(T, MatrixView<T>);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
