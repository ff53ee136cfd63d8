// Which products a rank updates a triangle by.
#pragma once
#include <vector>

#include "model/problem.hpp"

namespace cairn {

/// Columns of a lower triangle, or rows of an upper one, that are updated together: narrower products are slower, and
/// between wider ones nobody looks after messages.
constexpr Int updated_together = 128;

/// As counted_parts, in as few and as large parts as that allows: columns (rows) that lie next to each other locally
/// are taken together.
std::vector<CountedPart> counted_products(Uplo shape, const IndexSet& rows, const IndexSet& cols,
                                          Int together = updated_together);

}  // namespace cairn
