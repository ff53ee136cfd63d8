#include "cairn/csr.hpp"

#include <fmt/format.h>

#include <numeric>

#include "api/block_arguments.hpp"
#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/sparse/csr.hpp"
#include "runtime/sparse/exchange.hpp"

namespace cairn {

namespace {

std::optional<std::string> outside(Range rows, Int m) {
  if (rows.lo >= 0 && rows.hi >= rows.lo && rows.hi <= m) return {};
  return fmt::format("rows: {} to before {}, expected some of the {} rows", rows.lo, rows.hi, m);
}

template <class T>
std::optional<std::string> problem_with(const CsrView<T>& x, Int m, Int n) {
  if (auto problem = outside(x.rows, m)) return problem;
  if (static_cast<Int>(x.first.size()) != x.rows.size() + 1)
    return fmt::format("first: {} pointers, expected {} for {} rows", x.first.size(), x.rows.size() + 1, x.rows.size());
  for (std::size_t i = 0; i + 1 < x.first.size(); ++i)
    if (x.first[i] > x.first[i + 1])
      return fmt::format("first: {} after {} for row {}, expected pointers that ascend", x.first[i + 1], x.first[i],
                         x.rows.lo + static_cast<Int>(i));
  const Int elements = x.first.back() - x.first.front();
  if (static_cast<Int>(x.cols.size()) != elements || static_cast<Int>(x.values.size()) != elements)
    return fmt::format("cols, values: {} and {} elements, expected {} as the pointers say", x.cols.size(),
                       x.values.size(), elements);
  for (std::size_t e = 0; e < x.cols.size(); ++e)
    if (x.cols[e] < 0 || x.cols[e] >= n)
      return fmt::format("cols: element {} is in column {}, expected one of 0..{}", e, x.cols[e], n - 1);
  return {};
}

std::optional<std::string> problem_with(const std::vector<Range>& rows) {
  std::vector<Range> sorted = rows;
  std::erase_if(sorted, [](Range r) { return r.empty(); });
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i)
    if (sorted[i].hi > sorted[i + 1].lo)
      return fmt::format("rows: two ranks ask for row {}, expected each by one at most", sorted[i + 1].lo);
  return {};
}

}  // namespace

template <class T>
BlockSparse<T> from_csr(const Comm& comm, const CsrView<T>& mine, BlockSizes rows, BlockSizes cols,
                        BlockDistribution where, const CsrOptions& options) {
  BlockSparse<T> A(comm, std::move(rows), std::move(cols), std::move(where));
  comm.agree(problem_with(mine, A.m(), A.n()));
  A.assign(blocks_of_rows(comm, mine.rows.lo, mine.first, mine.cols, mine.values, A.local(), A.where(),
                          options.chunk_bytes));
  return A;
}

template <class T>
CsrRows<T> to_csr(const BlockSparse<T>& A, Range mine, const CsrOptions& options) {
  const Comm& comm = A.comm();
  comm.agree(outside(mine, A.m()), "drop_zeros", options.drop_zeros ? "true" : "false");
  comm.agree_same("matrix", meant(A));
  if (A.symmetry() != Symmetry::general) return to_csr(A.expanded(), mine, options);
  const std::vector<Int> bounds = of_all_ranks(comm, {mine.lo, mine.hi});
  std::vector<Range> rows;
  for (std::size_t r = 0; r + 1 < bounds.size(); r += 2) rows.push_back({bounds[r], bounds[r + 1]});
  comm.agree(problem_with(rows));
  const std::vector<Element<T>> elements =
      elements_of_rows(comm, settled(A), rows, options.drop_zeros, options.chunk_bytes);
  CsrRows<T> x;
  x.rows = mine;
  together(comm, [&] {
    x.first.resize(place(mine.size()) + 1);
    x.cols.reserve(elements.size()), x.values.reserve(elements.size());
    for (const Element<T>& e : elements) {
      ++x.first[place(e.row - mine.lo) + 1];
      x.cols.push_back(e.col), x.values.push_back(e.value);
    }
    std::partial_sum(x.first.begin(), x.first.end(), x.first.begin());
  });
  return x;
}

#define CAIRN_INSTANTIATE(T)                                                                                  \
  template BlockSparse<T> from_csr(const Comm&, const CsrView<T>&, BlockSizes, BlockSizes, BlockDistribution, \
                                   const CsrOptions&);                                                        \
  template CsrRows<T> to_csr(const BlockSparse<T>&, Range, const CsrOptions&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
