// Kernels of a BLAS by name, and how fast one core is with them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// What products with some kernels reach on one core; kernels as OpenBLAS names them: "Haswell", "SkylakeX".
struct KernelRate {
  std::string kernels;
  double flops_per_second = 0;  ///< float64
  bool operator==(const KernelRate&) const = default;
};

/// OpenBLAS takes its names in any mixture of small and capital letters, and so does Cairn.
bool same_kernels(std::string_view a, std::string_view b);

/// The name of known kernels as OpenBLAS spells it; empty for others.
std::string_view kernels_named(std::string_view name);

/// Additions and multiplications of doubles that known kernels do in a cycle of one core; 0 for others.
double flops_per_cycle(std::string_view kernels);

/// All names of known kernels, the slowest first.
std::vector<std::string_view> kernel_names();

/// The rate of these kernels among measured ones; null if it is not there.
const KernelRate* find_rate(const std::vector<KernelRate>& rates, std::string_view kernels);

}  // namespace cairn
