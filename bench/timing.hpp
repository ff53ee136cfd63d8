// How the benchmarks take times.
#pragma once
#include <mpi.h>

#include <cmath>
#include <vector>

/// Seconds of f() on the slowest rank, all starting together. Collective.
template <class F>
double slowest_seconds(F f) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  f();
  double seconds = MPI_Wtime() - start;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

inline double geometric_mean(const std::vector<double>& x) {
  double sum = 0;
  for (double s : x) sum += std::log(s);
  return std::exp(sum / static_cast<double>(x.size()));
}
