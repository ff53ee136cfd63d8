// How long does a piece of work take while all ranks do it?
#pragma once
#include <functional>
#include <vector>

#include "cairn/comm.hpp"

namespace cairn {

/// The value in the middle, or the mean of the two there; 0 of none.
double median(std::vector<double> values);

/// Repeats a piece of work on all ranks at once and equally often. Of the samples the one with a quarter below it
/// counts: what the work takes when little else disturbs it, without the luck of the shortest of many.
class Sampler {
 public:
  /// About so many seconds for a figure; at least five samples are taken, unless they take far longer than that.
  Sampler(const Comm& comm, double seconds) : comm_(comm), seconds_(seconds) {}

  /// Seconds of one work(), of the rank where it is largest. Collective.
  double slowest(const std::function<void()>& work) const;

  const Comm& comm() const { return comm_; }

 private:
  const Comm& comm_;
  double seconds_;
};

}  // namespace cairn
