// How fast a factorisation or a solve of all ranks could be: at the rate of the local routine while all cores are busy.
#pragma once
#include <cblas.h>
#include <mpi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cairn/types.hpp"
#include "timing.hpp"

extern "C" void dpotrf_(const char* uplo, const int* n, double* A, const int* lda, int* info, std::size_t length);

/// LAPACK's or BLAS's routine, which every rank runs by itself: a factorisation of the whole matrix, a solve with the
/// rank's share of the right-hand sides.
class TriangleCeiling {
 public:
  /// `routine`: "potrf", "potrs", or SIDE, UPLO and TRANS of a solve.
  TriangleCeiling(std::string routine, cairn::Int order, cairn::Int others, int ranks)
      : routine_(std::move(routine)),
        n_(std::min(order, most)),
        m_(std::max<cairn::Int>(1, others * n_ / order / ranks)),
        a_(static_cast<std::size_t>(n_ * n_)) {
    for (cairn::Int j = 0; j < n_; ++j)
      for (cairn::Int i = 0; i < n_; ++i)
        a_[static_cast<std::size_t>(i + j * n_)] =
            i == j ? static_cast<double>(n_) : 1.0 / static_cast<double>(1 + (i + j) % 7);
    const double ratio = static_cast<double>(order) / static_cast<double>(n_), square = ratio * ratio;
    scale_ = routine_ == "potrf" ? square * ratio / ranks
                                 : square * static_cast<double>(others) / static_cast<double>(m_ * ranks);
  }

  /// Seconds in which all would be done with all of it together. Collective.
  double seconds() {
    if (routine_ == "potrf") {
      const int n = static_cast<int>(n_);
      b_ = a_;
      return scale_ * slowest_seconds([&] {
               int info = 0;
               dpotrf_("L", &n, b_.data(), &n, &info, 1);
             });
    }
    b_.assign(static_cast<std::size_t>(n_ * m_), 1.0);
    return scale_ * slowest_seconds([&] {
             if (routine_ != "potrs") return solve(routine_);
             solve("LLN");
             solve("LLT");
           });
  }

 private:
  static constexpr cairn::Int most = 4096;

  void solve(const std::string& letters) {
    const bool left = letters[0] == 'L';
    const int n = static_cast<int>(n_), m = static_cast<int>(m_);
    cblas_dtrsm(CblasColMajor, left ? CblasLeft : CblasRight, letters[1] == 'L' ? CblasLower : CblasUpper,
                letters[2] == 'N' ? CblasNoTrans : CblasTrans, CblasNonUnit, left ? n : m, left ? m : n, 1.0, a_.data(),
                n, b_.data(), left ? n : m);
  }

  std::string routine_;
  cairn::Int n_, m_;
  std::vector<double> a_, b_;
  double scale_ = 1;
};
