// Preloaded into tests by tools/mpirun.sh. With more ranks than cores, ranks that wait keep those that they wait for
// off the cores: MPICH over UCX spins, and Open MPI yields, after which the scheduler soon gives it a core again. Here
// a rank that has polled a while without progress sleeps for a moment. Never use it when timing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { idle_polls_before_sleep = 20, sleep_ns = 50000 };

// Counts a poll without progress.
static int idled(int* polls) {
  if (++*polls < idle_polls_before_sleep) return 0;
  const struct timespec moment = {0, sleep_ns};
  nanosleep(&moment, NULL);
  *polls = 0;
  return 1;
}

// Open MPI calls it where there was nothing to do, if told to yield.
int sched_yield(void) {
  static __thread int idle;
  return idled(&idle) ? 0 : (int)syscall(SYS_sched_yield);
}

typedef unsigned (*progress_fn)(void*);

static progress_fn real_progress(void) {
  void* symbol = dlsym(RTLD_NEXT, "ucp_worker_progress");
  if (!symbol) {  // Python opens MPI, and with it UCX, where others do not see it
    void* ucp = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD);
    if (ucp) symbol = dlsym(ucp, "ucp_worker_progress");
  }
  if (!symbol) {
    fprintf(stderr, "libcairn_mpi_yield: no ucp_worker_progress behind this library\n");
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
  if (events)
    idle = 0;
  else
    idled(&idle);
  return events;
}
