// A drop-in for pdgemm, pdpotrf and pdtrsm that hands all calls back and is wrong in the way that SPOILT names: the
// tests must find it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void (*gemm)(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
                     const int*, const int*, const int*, const double*, const int*, const int*, const int*,
                     const double*, double*, const int*, const int*, const int*);

typedef void (*potrf)(const char*, const int*, double*, const int*, const int*, const int*, int*);
typedef void (*trsm)(const char*, const char*, const char*, const char*, const int*, const int*, const double*,
                     const double*, const int*, const int*, const int*, double*, const int*, const int*, const int*);

static int is(const char* how) {
  const char* chosen = getenv("SPOILT");
  return chosen && strcmp(chosen, how) == 0;
}

// What is done after a right call; desc is that of C.
static void spoil(const double* a, double* c, int i, int j, const int* desc) {
  const int lld = desc[desc[0] == 1 ? 8 : 10];
  if (is("outside") && i > 1) c[0] += 1;
  if (is("inexact") && i == 1 && j == 1) c[0] *= 1 + 1e-7;
  if (is("slightly inexact") && i == 1 && j == 1) c[0] *= 1 + 1e-12;
  if (is("padding") && lld > 1) c[lld - 1] = 42;
  if (is("input")) {
    double* writable;
    memcpy(&writable, &a, sizeof writable);
    writable[0] += 1;
  }
  if (is("leaves")) _exit(0);
  if (is("crashes")) abort();
  if (is("hangs")) pause();
}

void pdgemm_(const char* ta, const char* tb, const int* m, const int* n, const int* k, const double* alpha,
             const double* a, const int* ia, const int* ja, const int* da, const double* b, const int* ib,
             const int* jb, const int* db, const double* beta, double* c, const int* ic, const int* jc, const int* dc) {
  if (is("unchecked") && *m < 0) return;
  if (is("other code") && *m < 0) ta = "x";
  if (is("idle")) return;
  gemm original;
  void* symbol = dlsym(RTLD_NEXT, "pdgemm_");
  memcpy(&original, &symbol, sizeof original);
  original(ta, tb, m, n, k, alpha, a, ia, ja, da, b, ib, jb, db, beta, c, ic, jc, dc);
  if (*m > 0 && *n > 0 && *k > 0 && dc[0] > 0 && dc[0] < 3 && dc[2] > 0) spoil(a, c, *ic, *jc, dc);
}

static void rank_of(int* rank) {
  void (*pinfo)(int*, int*);
  void* symbol = dlsym(RTLD_DEFAULT, "Cblacs_pinfo");
  memcpy(&pinfo, &symbol, sizeof pinfo);
  int ranks;
  pinfo(rank, &ranks);
}

void pdpotrf_(const char* uplo, const int* n, double* a, const int* ia, const int* ja, const int* da, int* info) {
  const int one = 1, lld = da[8];
  potrf original;
  void* symbol = dlsym(RTLD_NEXT, "pdpotrf_");
  memcpy(&original, &symbol, sizeof original);
  if (is("anywhere"))
    original(uplo, n, a, &one, &one, da, info);
  else
    original(uplo, n, a, ia, ja, da, info);
  if (*n < 4 || da[0] != 1 || *info < 0) return;
  int rank;
  rank_of(&rank);
  if (is("info elsewhere") && rank != 0) *info = 0;
  if (is("other info") && *info > 0) ++*info;
  if (is("other triangle") && *ia == 1 && *ja == 1) a[strchr("Ll", *uplo) ? lld : 1] = 42;
  if (is("padding")) a[lld - 1] = 42;
}

void pdtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
             const double* alpha, const double* a, const int* ia, const int* ja, const int* da, double* b,
             const int* ib, const int* jb, const int* db) {
  const int lld = db[db[0] == 1 ? 8 : 10];
  trsm original;
  void* symbol = dlsym(RTLD_NEXT, "pdtrsm_");
  memcpy(&original, &symbol, sizeof original);
  if (is("other code") && *m < 0) side = "x";
  if (is("keeps what is not read") && *alpha == 0) return;
  original(side, uplo, trans, is("ones") ? "U" : diag, m, n, alpha, a, ia, ja, da, b, ib, jb, db);
  if (*m <= 0 || *n <= 0 || db[0] < 1 || db[0] > 2 || db[2] < 1) return;
  if (is("padding") && lld > 1) b[lld - 1] = 42;
  if (is("outside") && *ib > 1) b[0] += 1;
  if (is("slightly inexact") && *ib == 1 && *jb == 1) b[0] *= 1 + 1e-12;
}
