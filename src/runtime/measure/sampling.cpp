#include "runtime/measure/sampling.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>

#include "runtime/over_ranks.hpp"

namespace cairn {

namespace {

double seconds_of(int calls, const std::function<void()>& work) {
  const double start = MPI_Wtime();
  for (int i = 0; i < calls; ++i) work();
  return (MPI_Wtime() - start) / calls;
}

// The value below which a quarter of the others lie.
double lower_quarter(std::vector<double> x) {
  const auto at = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 4);
  std::ranges::nth_element(x, at);
  return *at;
}

}  // namespace

double median(std::vector<double> x) {
  if (x.empty()) return 0;
  std::ranges::sort(x);
  const std::size_t half = x.size() / 2;
  return x.size() % 2 != 0 ? x[half] : (x[half - 1] + x[half]) / 2;
}

double Sampler::slowest(const std::function<void()>& work) const {
  constexpr double shortest = 20e-6;  // a sample; below, the ranks' uneven start would show
  constexpr std::size_t fewest = 5, most = 200;
  constexpr double patience = 4;  // times the seconds
  const double start = MPI_Wtime();
  seconds_of(1, work);  // wakes caches and connections
  const double once = over_ranks(comm_, MPI_MAX, std::max(std::min(seconds_of(1, work), seconds_of(1, work)), 1e-9));
  const int calls = static_cast<int>(std::clamp(std::ceil(shortest / once), 1.0, 10000.0));
  std::vector<double> samples;
  // Agreeing on the time that has passed also makes the ranks start together.
  for (double passed = 0; samples.size() < most; passed = over_ranks(comm_, MPI_MAX, MPI_Wtime() - start)) {
    if (passed > seconds_ && (samples.size() >= fewest || passed > patience * seconds_) && !samples.empty()) break;
    samples.push_back(seconds_of(calls, work));
  }
  return over_ranks(comm_, MPI_MAX, lower_quarter(std::move(samples)));
}

}  // namespace cairn
