#include "runtime/sparse/csr.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/deliver_parcels.hpp"
#include "runtime/files/chunk.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

namespace {

/// Elements that a rank sends at a time.
template <class T>
Int most_elements(Int chunk_bytes) {
  return words_of_chunk(chunk_bytes, sizeof(Element<T>));
}

/// take(elements) for what arrives, as often as the rank that has most to send needs: for_each(pass, visit) sends
/// visit(rank, make) of each of `passes` passes.
template <class T, class ForEach, class Take>
void exchange(const Comm& comm, Int passes, const ForEach& for_each, const Take& take) {
  passes = over_ranks(comm, MPI_MAX, passes);
  for (Int pass = 0; pass < passes; ++pass) {
    const auto arrived = deliver<Element<T>>(comm, [&](const auto& visit) { for_each(pass, visit); });
    together(comm, [&] { take(arrived); });
  }
}

/// Rows that a rank asks for.
struct Wanted {
  Range rows;
  int rank;
};

std::vector<Wanted> in_order(const std::vector<Range>& rows) {
  std::vector<Wanted> wanted;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (!rows[r].empty()) wanted.push_back({rows[r], static_cast<int>(r)});
  std::sort(wanted.begin(), wanted.end(), [](const Wanted& a, const Wanted& b) { return a.rows.lo < b.rows.lo; });
  return wanted;
}

/// Which of the block rows are the first of a pass of about `most` elements, and the end.
template <class T>
std::vector<std::size_t> row_passes(const Blocks<T>& x, Int most) {
  std::vector<std::size_t> passes{0};
  Int elements = 0;
  for (std::size_t k = 0; k < x.rows.size(); ++k) {
    for (Int b = x.first[k]; b < x.first[k + 1]; ++b) elements += x.height(x.rows[k]) * Int{x.width(x.cols[place(b)])};
    if (elements >= most || k + 1 == x.rows.size()) passes.push_back(k + 1), elements = 0;
  }
  return passes;
}

}  // namespace

template <class T>
Blocks<T> blocks_of_rows(const Comm& comm, Int first_row, std::span<const Int> first, std::span<const Int> cols,
                         std::span<const T> values, const Blocks<T>& none, const BlockDistribution& where,
                         Int chunk_bytes) {
  GatheredBlocks<T> blocks(none, where);
  const Int begin = first.empty() ? 0 : first.front(), end = first.empty() ? 0 : first.back();
  const Int most = most_elements<T>(chunk_bytes);
  const auto send = [&](Int pass, const auto& visit) {
    const Int lo = std::min(end, begin + pass * most), hi = std::min(end, lo + most);
    if (lo == hi) return;
    Int row = std::upper_bound(first.begin(), first.end(), lo) - first.begin() - 1;
    for (Int e = lo; e < hi; ++e) {
      while (first[place(row) + 1] <= e) ++row;
      const Int i = first_row + row, j = cols[place(e - begin)];
      visit(blocks.owner(i, j), [&] { return Element<T>{i, j, values[place(e - begin)]}; });
    }
  };
  exchange<T>(comm, ceil_div(end - begin, most), send,
              [&](const std::vector<Element<T>>& arrived) { blocks.add(arrived); });
  Blocks<T> made;
  together(comm, [&] { made = blocks.take(); });
  return made;
}

template <class T>
std::vector<Element<T>> elements_of_rows(const Comm& comm, const Blocks<T>& mine, const std::vector<Range>& rows,
                                         bool drop_zeros, Int chunk_bytes) {
  const std::vector<Wanted> wanted = in_order(rows);
  const BlockBounds row_bounds(*mine.row_sizes), col_bounds(*mine.col_sizes);
  const std::vector<std::size_t> passes = row_passes(mine, most_elements<T>(chunk_bytes));
  const auto send_row = [&](std::size_t k, const Wanted& to, const auto& visit) {
    const Int lo = row_bounds.before(mine.rows[k]), height = mine.height(mine.rows[k]);
    const Range both = intersect(to.rows, {lo, lo + height});
    for (Int b = mine.first[k]; b < mine.first[k + 1]; ++b) {
      const T* const values = mine.values.data() + mine.at[place(b)];
      const Int first_col = col_bounds.before(mine.cols[place(b)]), width = mine.width(mine.cols[place(b)]);
      for (Int c = 0; c < width; ++c)
        for (Int row = both.lo; row < both.hi; ++row)
          if (const T x = values[row - lo + c * height]; !drop_zeros || x != T(0))
            visit(to.rank, [&] { return Element<T>{row, first_col + c, x}; });
    }
  };
  const auto send = [&](Int pass, const auto& visit) {
    if (place(pass) + 1 >= passes.size()) return;
    for (std::size_t k = passes[place(pass)]; k < passes[place(pass) + 1]; ++k) {
      const Int lo = row_bounds.before(mine.rows[k]), hi = lo + mine.height(mine.rows[k]);
      auto to = std::upper_bound(wanted.begin(), wanted.end(), lo,
                                 [](Int row, const Wanted& some) { return row < some.rows.hi; });
      for (; to != wanted.end() && to->rows.lo < hi; ++to) send_row(k, *to, visit);
    }
  };
  std::vector<Element<T>> all;
  exchange<T>(comm, static_cast<Int>(passes.size()) - 1, send,
              [&](const std::vector<Element<T>>& arrived) { all.insert(all.end(), arrived.begin(), arrived.end()); });
  std::sort(all.begin(), all.end(),
            [](const Element<T>& a, const Element<T>& b) { return a.row != b.row ? a.row < b.row : a.col < b.col; });
  return all;
}

#define CAIRN_INSTANTIATE(T)                                                                                          \
  template Blocks<T> blocks_of_rows(const Comm&, Int, std::span<const Int>, std::span<const Int>, std::span<const T>, \
                                    const Blocks<T>&, const BlockDistribution&, Int);                                 \
  template std::vector<Element<T>> elements_of_rows(const Comm&, const Blocks<T>&, const std::vector<Range>&, bool,   \
                                                    Int);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
