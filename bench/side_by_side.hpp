// The frame of benchmarks that call ScaLAPACK and Cairn in turn.
#pragma once
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "scalapack_library.hpp"
#include "timing.hpp"

struct Compared {
  std::string row;  ///< without the speed
  double speed;     ///< ScaLAPACK's seconds / Cairn's
};

/// Prints what compare(arguments, library, ranks) returns, worst first, and the mean, then what summary() prints.
/// `known`: see Arguments.
template <class Compare, class Summary = void (*)()>
int side_by_side(
    int argc, char** argv, const std::vector<std::string>& known, std::string_view header, Compare compare,
    Summary summary = [] {}) {
  MPI_Init(&argc, &argv);
  int ranks = 1, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Library library;
  const int code = run_benchmark(argv[0], rank == 0, [&] {
    std::vector<Compared> all = compare(Arguments(argc, argv, known), library, ranks);
    std::sort(all.begin(), all.end(), [](const Compared& x, const Compared& y) { return x.speed < y.speed; });
    if (rank != 0) return;
    fmt::print("{},speed\n", header);
    std::vector<double> speeds;
    for (const Compared& r : all) {
      fmt::print("{},{:.3f}\n", r.row, r.speed);
      speeds.push_back(r.speed);
    }
    fmt::print("# geometric mean {:.3f} of {} cases\n", geometric_mean(speeds), all.size());
    summary();
  });
  MPI_Finalize();
  return code;
}
