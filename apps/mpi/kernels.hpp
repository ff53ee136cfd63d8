// Which kernels the BLAS of the ranks uses, and which it should.
#pragma once
#include <optional>
#include <string>

#include "runtime/measure/kernels.hpp"

namespace cairn::app {

/// Measured now, and kept for later runs. Nothing if the BLAS does not tell its kernels.
std::optional<MeasuredKernels> measured_now();

/// Has the processes that are started from here use the fastest kernels, where these are faster than what OpenBLAS
/// takes by itself and nobody has said which to use: measured once, then remembered. True if the environment was
/// changed.
bool set_fastest_kernels();

/// What set_fastest_kernels() did before this process was started.
struct KernelsSet {
  std::string instead_of;  ///< that OpenBLAS takes by itself
  double times = 1;        ///< as fast as these
};
std::optional<KernelsSet> kernels_set();

/// One sentence with the line to set, if others are faster than `kernels`; else empty.
std::string advice(const MeasuredKernels& measured, const std::string& kernels);

/// For ranks that a launcher started, whose kernels nobody chose: advice from what is remembered, or else empty.
std::string remembered_advice();

}  // namespace cairn::app
