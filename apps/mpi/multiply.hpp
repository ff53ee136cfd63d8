// `cairn multiply`: what was asked for, what was done, and how it is told.
#pragma once
#include <optional>
#include <string>

#include "cairn/check.hpp"
#include "cairn/plan.hpp"
#include "file_run.hpp"
#include "product_operands.hpp"

namespace cairn::app {

struct MultiplyArguments : FileArguments, ProductOperands {};

/// Everything that the report says.
struct MultiplyReport {
  Plan plan;
  ProductFiles files;
  RunFacts run;
  std::optional<CheckResult> check;
};

/// Collective; throws the same cairn::Error on all ranks.
MultiplyReport multiply(const Comm& world, const MultiplyArguments& arguments);

std::string as_text(const MultiplyReport& report, const MultiplyArguments& arguments);
std::string as_json(const MultiplyReport& report, const MultiplyArguments& arguments);

}  // namespace cairn::app
