#include "interpret/seconds.hpp"

#include <algorithm>

#include "schedule/kernels.hpp"

namespace cairn {

MessageTimes::MessageTimes(const Machine& machine, ScalarType type, Sizes& sizes, Links& links, std::size_t longest)
    : words(longest),
      port(longest),
      latency(longest),
      machine_(machine),
      bytes_(static_cast<double>(size_of(type))),
      sizes_(sizes),
      links_(links) {}

bool MessageTimes::measure(const Move& x, std::size_t to, std::size_t count, bool uniform, bool one_for_all) {
  const std::uint8_t* const levels = links_.levels(x);
  if (uniform) {
    const double each = sizes_.at(x.dst, to);
    if (each == 0) return false;
    if (!levels && one_for_all) count = 1;
    std::fill_n(words.data(), count, each);
    of_level_.clear();
    for (const Machine::Level& l : machine_.levels) of_level_.push_back(l.port_seconds(each * bytes_));
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t level = levels ? levels[to + i] : 0;
      port[i] = of_level_[level];
      latency[i] = machine_.levels[level].latency_seconds;
    }
    return true;
  }
  sizes_.fill(x.dst, to, count, words.data());
  bool all = true;
  for (std::size_t i = 0; i < count; ++i) {
    const Machine::Level& l = machine_.levels[levels ? levels[to + i] : 0];
    port[i] = l.port_seconds(words[i] * bytes_);
    latency[i] = l.latency_seconds;
    all = all && words[i] > 0;
  }
  return all;
}

// What is multiplied where the caller has it is in no cache.
double ComputeTimes::seconds(const Compute& x, std::size_t cell) {
  if (x.kernel != Kernel::gemm) {
    const Likeness like = like_a_product(x.kernel, x.side, sizes_of(work_at(s_, x, cells_.rank(cell))));
    return like.share * machine_.gemm_seconds(like.m, like.n, like.k, type_);
  }
  const Sizes::Words &a = sizes_.words(x.A), &c = sizes_.words(x.C);
  const double m = sizes_.at(*c.rows, cell), n = sizes_.at(*c.cols, cell), k = sizes_.at(inner(x), cell);
  for (const Sizes::Factor* f : a.others)
    if (sizes_.at(*f, cell) == 0) return 0;
  if (m != known_.m || n != known_.n || k != known_.k)
    known_ = {m, n, k, machine_.gemm_seconds(static_cast<Int>(m), static_cast<Int>(n), static_cast<Int>(k), type_)};
  const double cold = (callers(x.A) ? m * k : 0) + (callers(x.B) ? k * n : 0);
  return known_.seconds + cold * static_cast<double>(size_of(type_)) * machine_.read_seconds_per_byte;
}

}  // namespace cairn
