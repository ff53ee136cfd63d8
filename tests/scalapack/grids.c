/* Grids that end as programs end them, after a few products on each. The argument names how:
 *   same      on all ranks alike
 *   order     on rank 1 in the other order
 *   later     on rank 0 before a barrier, on the others after it
 *   never     not at all, as in programs that leave it to MPI_Finalize
 *   killed    rank 1 kills itself
 *   alive     many are alive at once
 *   sizes     one grid, 4000 products of ever new sizes: says by how much memory has grown since the 100th
 *   refused   one grid, on which rank 1 is refused memory to share
 *   repeats   one grid, a product of middling size again and again
 * Each rank says how many files of /dev/shm it has mapped, before the end. */
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "cairn/scalapack.h"

void Cblacs_get(int context, int what, int* value);
void Cblacs_gridinit(int* context, const char* order, int rows, int cols);
void Cblacs_gridexit(int context);

enum { SIZE = 64, BLOCK = 8, CALLS = 6, MANY = 60, SIZES = 4000, SETTLED = 100, MIDDLING = 640, REPEATS = 8 };

static int rank, ranks, refuses;

/* The C library's, which sets memory aside. */
int posix_fallocate(int file, off_t start, off_t bytes) {
  if (refuses) return ENOSPC;
  return syscall(SYS_fallocate, file, 0, start, bytes) == 0 ? 0 : errno;
}
static double A[SIZE * SIZE], B[SIZE * SIZE], C[SIZE * SIZE];

static int grid(void) {
  int context;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, ranks);
  return context;
}

static void product(int context, int m, int n, int k) {
  const int one = 1, desc[9] = {1, context, SIZE, SIZE, BLOCK, BLOCK, 0, 0, SIZE};
  const double alpha = 1, beta = 0;
  cairn_pdgemm("N", "N", &m, &n, &k, &alpha, A, &one, &one, desc, B, &one, &one, desc, &beta, C, &one, &one, desc);
}

/* A grid that multiplies often enough for everything that Cairn makes for it. */
static int used_grid(void) {
  const int context = grid();
  for (int i = 0; i < CALLS; ++i) product(context, SIZE, SIZE, SIZE);
  return context;
}

static int mapped_in_shm(void) {
  char line[4096];
  int lines = 0;
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps)) lines += strstr(line, "/dev/shm/") != NULL;
  if (maps) fclose(maps);
  return lines;
}

static long resident_kilobytes(void) {
  char line[256];
  long kilobytes = 0;
  FILE* status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) sscanf(line, "VmRSS: %ld", &kilobytes);
  if (status) fclose(status);
  return kilobytes;
}

static void sizes(void) {
  const int context = grid();
  long settled = 0;
  for (int i = 0; i < SIZES; ++i) {
    product(context, 1 + i % SIZE, 1 + i / SIZE % SIZE, SIZE - i % 7);
    if (i == SETTLED) settled = resident_kilobytes();
  }
  printf("grown by %ld kB\n", resident_kilobytes() - settled);
  Cblacs_gridexit(context);
}

static void repeats(void) {
  const int n = MIDDLING, one = 1, context = grid(), desc[9] = {1, context, n, n, BLOCK, BLOCK, 0, 0, n};
  const double alpha = 1, beta = 0;
  double* const x = calloc(3 * MIDDLING * MIDDLING, sizeof *x);
  for (int i = 0; i < REPEATS; ++i)
    cairn_pdgemm("N", "N", &n, &n, &n, &alpha, x, &one, &one, desc, x + n * n, &one, &one, desc, &beta, x + 2 * n * n,
                 &one, &one, desc);
  Cblacs_gridexit(context);
  free(x);
}

static void many(void) {
  int contexts[MANY];
  for (int g = 0; g < MANY; ++g) contexts[g] = used_grid();
  printf("mapped %d\n", mapped_in_shm());
  for (int g = 0; g < MANY; ++g) Cblacs_gridexit(contexts[g]);
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "same";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (strcmp(how, "sizes") == 0) {
    sizes();
  } else if (strcmp(how, "repeats") == 0) {
    repeats();
  } else if (strcmp(how, "alive") == 0) {
    many();
  } else {
    refuses = strcmp(how, "refused") == 0 && rank == 1;
    const int first = used_grid(), second = used_grid();
    const int other = strcmp(how, "order") == 0 && rank == 1, late = strcmp(how, "later") == 0 && rank > 0;
    printf("mapped %d\n", mapped_in_shm());
    fflush(stdout);
    if (strcmp(how, "killed") == 0 && rank == 1) raise(SIGKILL);
    if (late) MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(how, "never") != 0) Cblacs_gridexit(other ? second : first);
    if (!late) MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(how, "never") != 0) Cblacs_gridexit(other ? first : second);
  }
  MPI_Finalize();
  printf("ended\n");
  return 0;
}
