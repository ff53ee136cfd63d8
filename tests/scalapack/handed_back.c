// Preloaded behind the drop-in: counts the calls of p?gemm, p?trsm and p?potrf that reach ScaLAPACK, and says at the
// end how many. Preloaded before it, it counts all calls, as a tool for measurements would.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int calls, solves, factorisations;

int cairn_handed_back(void) { return calls; }
int cairn_handed_back_solves(void) { return solves; }
int cairn_handed_back_factorisations(void) { return factorisations; }

__attribute__((destructor)) static void say(void) {
  fprintf(stderr, "handed back: %d\nhanded back p?trsm: %d\nhanded back p?potrf: %d\n", calls, solves, factorisations);
}

static void* next(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found) return found;
  void* const module = dlopen(CAIRN_SCALAPACK_LIBRARY, RTLD_LAZY | RTLD_NOLOAD);  // in nobody's order of search
  return module ? dlsym(module, name) : 0;
}

typedef const void* in;
typedef void (*gemm)(in, in, in, in, in, in, in, in, in, in, in, in, in, in, in, void*, in, in, in);

#define COUNTED(name)                                                                                                \
  void name(in ta, in tb, in m, in n, in k, in alpha, in a, in ia, in ja, in da, in b, in ib, in jb, in db, in beta, \
            void* c, in ic, in jc, in dc) {                                                                          \
    gemm original;                                                                                                   \
    void* symbol = next(#name);                                                                                      \
    memcpy(&original, &symbol, sizeof original);                                                                     \
    ++calls;                                                                                                         \
    original(ta, tb, m, n, k, alpha, a, ia, ja, da, b, ib, jb, db, beta, c, ic, jc, dc);                             \
  }

COUNTED(psgemm_)
COUNTED(pdgemm_)
COUNTED(pcgemm_)
COUNTED(pzgemm_)

typedef void (*trsm)(in, in, in, in, in, in, in, in, in, in, in, void*, in, in, in);
typedef void (*potrf)(in, in, void*, in, in, in, void*);

#define COUNTED_TRSM(name)                                                                                        \
  void name(in side, in uplo, in trans, in diag, in m, in n, in alpha, in a, in ia, in ja, in da, void* b, in ib, \
            in jb, in db) {                                                                                       \
    trsm original;                                                                                                \
    void* symbol = next(#name);                                                                                   \
    memcpy(&original, &symbol, sizeof original);                                                                  \
    ++solves;                                                                                                     \
    original(side, uplo, trans, diag, m, n, alpha, a, ia, ja, da, b, ib, jb, db);                                 \
  }
#define COUNTED_POTRF(name)                                            \
  void name(in uplo, in n, void* a, in ia, in ja, in da, void* info) { \
    potrf original;                                                    \
    void* symbol = next(#name);                                        \
    memcpy(&original, &symbol, sizeof original);                       \
    ++factorisations;                                                  \
    original(uplo, n, a, ia, ja, da, info);                            \
  }

COUNTED_TRSM(pstrsm_)
COUNTED_TRSM(pdtrsm_)
COUNTED_TRSM(pctrsm_)
COUNTED_TRSM(pztrsm_)
COUNTED_POTRF(pspotrf_)
COUNTED_POTRF(pdpotrf_)
COUNTED_POTRF(pcpotrf_)
COUNTED_POTRF(pzpotrf_)
