// Threads of one rank, by OpenMP where it was built with that.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <exception>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace cairn {

/// Of a rank: OpenMP ends the program where it gets none.
inline constexpr int most_threads = 1024;

/// As many as OMP_NUM_THREADS gives. One where it is not set: the ranks of a machine are as many as its cores then.
inline int threads_given() {
#ifdef _OPENMP
  return std::getenv("OMP_NUM_THREADS") ? std::min(omp_get_max_threads(), most_threads) : 1;
#else
  return 1;
#endif
}

/// f(0), …, f(threads - 1), each on a thread of its own. If some throw, one of these exceptions is thrown at the end.
template <class F>
void on_threads(int threads, F f) {
  std::exception_ptr thrown;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
  for (int t = 0; t < threads; ++t) {
    try {
      f(t);
    } catch (...) {
#ifdef _OPENMP
#pragma omp critical(cairn_thrown)
#endif
      thrown = std::current_exception();
    }
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace cairn
