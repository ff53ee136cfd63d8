// From measurements to the figures that the clock takes.
#pragma once
#include <string>
#include <vector>

#include "model/machine.hpp"
#include "runtime/measure/measure.hpp"

namespace cairn {

/// Everything that a calibration measured.
struct Measurements {
  int ranks = 1;
  std::vector<Int> sizes;             ///< of the dimensions of products
  std::vector<ProductCost> products;  ///< product_shapes(sizes), measured
  std::vector<Level> levels;
  MemoryCost memory;
  double wait = 0;
  std::vector<MessageCost> one_sided;
  std::vector<ExchangeCost> exchanges;
  double step = 0;
  std::string kernels;                   ///< that the products were measured with
  std::vector<KernelRate> kernel_rates;  ///< what these and others reach alone
};

/// The machine that explains them. Peak: the fastest float64 product. Messages: what they take while all ranks send
/// and receive, less both ends' overhead. Latency, overhead and gap: LogGP's. A level without messages (one rank a
/// node) takes those of the next.
Machine machine_of(const Measurements& measured, std::string name, std::string source);

}  // namespace cairn
