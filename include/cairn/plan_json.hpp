// Plans from what they said of themselves as JSON. Needs no MPI, no BLAS and no matrices.
#pragma once
#include <string_view>
#include <variant>

#include "cairn/block_plan.hpp"
#include "cairn/factor_plan.hpp"
#include "cairn/plan.hpp"

namespace cairn {

using AnyPlan = std::variant<Plan, FactorPlan, BlockPlan>;

/// The plan of which Plan::json(), FactorPlan::json() or BlockPlan::json() said `text`: the same problem, planned with
/// the same options. If this version of Cairn chooses another algorithm now, or was told more of the machine then, the
/// algorithm that the text names is planned. Throws ArgumentError where `text` is no such JSON, naming the key, or
/// names a machine that is not known here; otherwise as plan().
AnyPlan plan_from_json(std::string_view text);

}  // namespace cairn
