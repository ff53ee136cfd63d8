// Preloaded into tests under MPICH by tools/mpirun.sh. MPICH over UCX spins while it waits, which
// with more ranks than cores keeps the ranks waited for off the cores. Here a rank that has polled
// a while without progress sleeps for a moment. Never use it when timing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { idle_polls_before_sleep = 20, sleep_ns = 50000 };

typedef unsigned (*progress_fn)(void*);

static progress_fn real_progress(void) {
  void* symbol = dlsym(RTLD_NEXT, "ucp_worker_progress");
  if (!symbol) {  // Python opens MPI, and with it UCX, where others do not see it
    void* ucp = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (ucp) symbol = dlsym(ucp, "ucp_worker_progress");
  }
  if (!symbol) {
    fprintf(stderr, "libcairn_mpich_yield: no ucp_worker_progress behind this library\n");
    abort();
  }
  progress_fn function;
  // ISO C has no cast from void* to a pointer to a function.
  __builtin_memcpy(&function, &symbol, sizeof function);
  return function;
}

unsigned ucp_worker_progress(void* worker) {
  static progress_fn progress;  // a race would write the same value twice
  static __thread int idle;
  if (!progress) progress = real_progress();
  const unsigned events = progress(worker);
  if (events) {
    idle = 0;
  } else if (++idle >= idle_polls_before_sleep) {
    const struct timespec moment = {0, sleep_ns};
    nanosleep(&moment, NULL);
    idle = 0;
  }
  return events;
}
