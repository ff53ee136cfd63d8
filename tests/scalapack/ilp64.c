/* A program with integers of 64 bits, linked with the drop-in and with what stands for such a ScaLAPACK: calls must
 * reach it as they were made. There is no BLACS, so that a look at the descriptors would end the program. */
#include "ilp64.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

static const integer numbers[7] = {(1LL << 32) + 5, -1, 3, 1LL << 62, -(1LL << 33), 7, -1};
static integer descriptors[3][9] = {{1, 1LL << 40}, {1}, {2}};
static double scalars[2] = {2, 3}, matrices[3] = {5, 7, 11};

static int wrong_gemm(void) {
  in x = numbers;
  const void* const made[19] = {"N",          "T",      x,     x + 1,          x + 2,
                                scalars,      matrices, x + 3, x + 4,          descriptors[0],
                                matrices + 1, x + 5,    x + 6, descriptors[1], scalars + 1,
                                matrices + 2, x,        x + 1, descriptors[2]};
  pdgemm_(made[0], made[1], x, x + 1, x + 2, scalars, matrices, x + 3, x + 4, descriptors[0], matrices + 1, x + 5,
          x + 6, descriptors[1], scalars + 1, matrices + 2, x, x + 1, descriptors[2]);
  return memcmp(arrived.gemm, made, sizeof made) != 0;
}

static int wrong_move(int from_c) {
  in x = numbers;
  const void* const made[4] = {matrices, descriptors[0], matrices + 1, descriptors[1]};
  memset(&arrived.moved, 0, sizeof arrived.moved);
  memset(&arrived.numbers, 0, sizeof arrived.numbers);
  if (from_c)
    Cpdgemr2d(x[0], x[1], matrices, x[2], x[3], descriptors[0], matrices + 1, x[4], x[5], descriptors[1], x[6]);
  else
    pdgemr2d_(x, x + 1, matrices, x + 2, x + 3, descriptors[0], matrices + 1, x + 4, x + 5, descriptors[1], x + 6);
  return memcmp(arrived.moved, made, sizeof made) != 0 || memcmp(arrived.numbers, numbers, sizeof numbers) != 0;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int wrong[] = {wrong_gemm(), wrong_move(0), wrong_move(1), wrong_gemm(), arrived.count != 4};
  int any = 0;
  for (int i = 0; i < 5; ++i)
    if (wrong[i]) any = 1, printf("call %d did not arrive as it was made\n", i);
  MPI_Finalize();
  return any;
}
