// Preloaded into tests by tools/mpirun.sh. With more ranks than cores, ranks that wait keep those that they wait for
// off the cores: MPICH over UCX spins, and Open MPI yields, after which the scheduler soon gives it a core again. Here
// a rank that has polled a while without progress sleeps for a moment. Never use it when timing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
  idle_polls_before_sleep = 20,
  sleep_ns = 50000,
  crowded_ns = 4000000,
  crowded_polls = 200,
  interrupt_ns = 1000000,
  interrupts = 1000
};

static void sleep_for_a_moment(void) {
  const struct timespec moment = {0, sleep_ns};
  nanosleep(&moment, NULL);
}

// Counts a poll without progress.
static int idled(int* polls) {
  if (++*polls < idle_polls_before_sleep) return 0;
  sleep_for_a_moment();
  *polls = 0;
  return 1;
}

static long long nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

// Open MPI calls it where there was nothing to do, if told to yield. Who yields while others compute waits for the
// turns of all of them, but who sleeps is woken at once: with eight busy processes beside, a test of short messages
// takes minutes by yielding.
int sched_yield(void) {
  static __thread int idle, crowded;
  if (crowded > 0) {
    --crowded;
    sleep_for_a_moment();
    return 0;
  }
  if (idled(&idle)) return 0;
  const long long start = nanoseconds();
  const int status = (int)syscall(SYS_sched_yield);
  if (nanoseconds() - start > crowded_ns) crowded = crowded_polls;
  return status;
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

static timer_t interrupts_timer;

static void sleep_when_interrupted(int signal) {
  static volatile sig_atomic_t count;
  (void)signal;
  sleep_for_a_moment();
  if (++count == interrupts) timer_delete(interrupts_timer);
}

// While they start, MPICH's ranks wait for each other by spinning in its own memory, where nothing can be put in
// between: they are interrupted for the first second or so. MPICH's launcher tells each its number.
__attribute__((constructor)) static void start_by_turns(void) {
  const struct sigaction action = {.sa_handler = sleep_when_interrupted, .sa_flags = SA_RESTART};
  const struct itimerspec turns = {{0, interrupt_ns}, {0, interrupt_ns}};
  if (!getenv("PMI_RANK") || timer_create(CLOCK_MONOTONIC, NULL, &interrupts_timer)) return;
  sigaction(SIGALRM, &action, NULL);
  timer_settime(interrupts_timer, 0, &turns, NULL);
}
