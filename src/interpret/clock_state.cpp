// The loops over millions of ranks: each pass over memory counts.
#include "interpret/clock_state.hpp"

namespace cairn {

namespace {

double later(double a, double b) { return a > b ? a : b; }

}  // namespace

[[gnu::optimize("O3")]] void raise(double* lane, const double* than, std::size_t first, std::size_t count) {
  double* __restrict raised = lane + first;
  const double* __restrict least = than + first;
  for (std::size_t i = 0; i < count; ++i) raised[i] = later(raised[i], least[i]);
}

[[gnu::optimize("O3")]] void pass(const Strip& s, std::size_t count, double port, double latency) {
  const double* __restrict core_to = s.core_to, * __restrict post_from = s.post_from;
  double* __restrict out = s.out, * __restrict in = s.in, * __restrict arrive = s.arrive;
  for (std::size_t i = 0; i < count; ++i) {
    const double starts = later(out[i], post_from[i]);
    const double received = later(in[i], later(starts, core_to[i])) + port;
    in[i] = received;
    out[i] = received + latency;
    arrive[i] = later(arrive[i], received + latency);
  }
}

[[gnu::optimize("O3")]] void compute(std::vector<double>& cores, const double* a, const double* b, double seconds) {
  double* __restrict core = cores.data();
  const double* __restrict of_a = a, * __restrict of_b = b;
  const std::size_t cells = cores.size();
  for (std::size_t i = 0; i < cells; ++i) core[i] = later(core[i], later(of_a[i], of_b[i])) + seconds;
}

}  // namespace cairn
