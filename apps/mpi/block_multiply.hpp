// `cairn spgemm`: what was asked for, what was done, and how it is told.
#pragma once
#include <optional>
#include <string>

#include "block_run.hpp"
#include "cairn/block_plan.hpp"
#include "cairn/check.hpp"
#include "product_operands.hpp"

namespace cairn::app {

struct BlockMultiplyArguments : BlockArguments, ProductOperands {
  BlockProductOptions options;
  bool plan = false;  ///< only say what the product will do
  bool check = false;
};

/// Everything that the report says.
struct BlockMultiplyReport {
  std::optional<BlockPlan> plan;  ///< where only that was asked for
  ProductFiles files;
  BlockSizes m, n;  ///< of C
  int ranks = 1;
  bool dealt = true;  ///< blocks in random order; else rows or columns in strips, in theirs
  double a_occupancy = 0, b_occupancy = 0, c_occupancy = 0;
  std::string algorithm, transport;
  double products = 0, flops = 0;                         ///< of all ranks
  double received = 0, predicted = 0, most_received = 0;  ///< words: the mean of the ranks, what it was to be, the most
  double index = 0, messages = 0, redistributed = 0;      ///< the mean of the ranks
  std::optional<CheckResult> check;
  Seconds seconds;
  double local = 0, waiting = 0;  ///< of the seconds of the product, on the rank with the most
};

/// Reads A, B and perhaps C, multiplies, writes C. Collective; throws the same cairn::Error on all ranks.
BlockMultiplyReport block_multiply(const Comm& world, BlockMultiplyArguments arguments);

std::string as_text(const BlockMultiplyReport& report, const BlockMultiplyArguments& arguments);
std::string as_json(const BlockMultiplyReport& report, const BlockMultiplyArguments& arguments);

}  // namespace cairn::app
