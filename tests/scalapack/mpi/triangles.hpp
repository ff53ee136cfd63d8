// p?trsm, p?potrf and p?potrs twice: as the program is linked, so the drop-in's, and ScaLAPACK's own; and the matrices
// of their calls.
#pragma once
#include "random_product.hpp"

extern "C" {
int cairn_handed_back_solves();  // calls of p?trsm that reached ScaLAPACK through the drop-in, see handed_back.c
int cairn_handed_back_factorisations();  // the same of p?potrf
}

#define CAIRN_DECLARE(letter)                                                                                       \
  extern "C" void p##letter##trsm_(const char*, const char*, const char*, const char*, const int*, const int*,      \
                                   const void*, const void*, const int*, const int*, const int*, void*, const int*, \
                                   const int*, const int*);                                                         \
  extern "C" void p##letter##potrf_(const char*, const int*, void*, const int*, const int*, const int*, int*);      \
  extern "C" void p##letter##potrs_(const char*, const int*, const int*, const void*, const int*, const int*,       \
                                    const int*, void*, const int*, const int*, const int*, int*);
CAIRN_DECLARE(s)
CAIRN_DECLARE(d)
CAIRN_DECLARE(c)
CAIRN_DECLARE(z)
#undef CAIRN_DECLARE

namespace cairn::testing {

using TrsmRoutine = decltype(pdtrsm_);
using PotrfRoutine = decltype(pdpotrf_);
using PotrsRoutine = decltype(pdpotrs_);

template <class T>
struct Triangles;
#define CAIRN_DEFINE(T, letter)                                                        \
  template <>                                                                          \
  struct Triangles<T> {                                                                \
    static constexpr TrsmRoutine* trsm = p##letter##trsm_;                             \
    static constexpr PotrfRoutine* potrf = p##letter##potrf_;                          \
    static constexpr PotrsRoutine* potrs = p##letter##potrs_;                          \
    static TrsmRoutine* original_trsm() {                                              \
      static TrsmRoutine* const found = original<TrsmRoutine>("p" #letter "trsm_");    \
      return found;                                                                    \
    }                                                                                  \
    static PotrfRoutine* original_potrf() {                                            \
      static PotrfRoutine* const found = original<PotrfRoutine>("p" #letter "potrf_"); \
      return found;                                                                    \
    }                                                                                  \
    static PotrsRoutine* original_potrs() {                                            \
      static PotrsRoutine* const found = original<PotrsRoutine>("p" #letter "potrs_"); \
      return found;                                                                    \
    }                                                                                  \
  };
CAIRN_DEFINE(float, s)
CAIRN_DEFINE(double, d)
CAIRN_DEFINE(std::complex<float>, c)
CAIRN_DEFINE(std::complex<double>, z)
#undef CAIRN_DEFINE

/// Whether a triangle has element (i, j) below or above its diagonal.
inline bool off_diagonal(char uplo, int i, int j) { return uplo == 'L' || uplo == 'l' ? i > j : i < j; }

template <class T>
T nan() {
  return T(std::numeric_limits<RealOf<T>>::quiet_NaN());
}

/// Of a call that must go the same way everywhere: on how many ranks of the grid something is true.
inline int ranks_where(const Grid& grid, bool here) {
  int count = here;
  Cigsum2d(grid.context(), "All", " ", 1, 1, &count, 1, -1, 0);
  return count;
}

}  // namespace cairn::testing
