// Blocks from and to rows of single elements.
#pragma once
#include <span>
#include <vector>

#include "cairn/comm.hpp"
#include "local/sparse/elements.hpp"

namespace cairn {

/// The blocks of this rank, of the rows that all give: those from `first_row` on, compressed. Collective.
template <class T>
Blocks<T> blocks_of_rows(const Comm& comm, Int first_row, std::span<const Int> first, std::span<const Int> cols,
                         std::span<const T> values, const Blocks<T>& none, const BlockDistribution& where,
                         Int chunk_bytes);

/// The elements of rows[rank] of the matrix of which this rank holds `mine`, row by row, by columns in a row. No row is
/// in two of `rows`, one for each rank. Collective.
template <class T>
std::vector<Element<T>> elements_of_rows(const Comm& comm, const Blocks<T>& mine, const std::vector<Range>& rows,
                                         bool drop_zeros, Int chunk_bytes);

}  // namespace cairn
