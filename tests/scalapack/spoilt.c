// A drop-in for pdgemm that hands all calls back and is wrong in the way that SPOILT names: the tests must find it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void (*gemm)(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
                     const int*, const int*, const int*, const double*, const int*, const int*, const int*,
                     const double*, double*, const int*, const int*, const int*);

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
