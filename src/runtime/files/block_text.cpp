// Block-sparse matrices as Matrix Market's text.
#include <fmt/format.h>

#include <iterator>
#include <type_traits>

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "io/matrix_market.hpp"
#include "local/sparse/block_operations.hpp"
#include "local/sparse/elements.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/files/block_file.hpp"
#include "runtime/files/collective_atomic_file.hpp"
#include "runtime/over_ranks.hpp"
#include "runtime/sparse/exchange.hpp"
#include "runtime/sparse/row_slices.hpp"

namespace cairn {

namespace {

// Of an entry, about.
constexpr Int text_bytes = 32;

/// visit(row, col, value) for what stands in the file of the blocks of one matrix, row by row.
template <class T, class Visit>
void for_each_entry(const Blocks<T>& x, const BlockBounds& row_bounds, const BlockBounds& col_bounds, Symmetry symmetry,
                    const Visit& visit) {
  const bool general = symmetry == Symmetry::general;
  // What says that a block of zeros is there. Its mirror image stands in the lower triangle, below the diagonal of an
  // antisymmetric matrix, where a block of one row has nothing.
  const auto visit_zero = [&](Int row, Int col, Int height) {
    if (general) return visit(row, col, T(0));
    const Int below = symmetry == Symmetry::antisymmetric && row == col ? 1 : 0;
    if (below < height) visit(std::max(row, col) + below, std::min(row, col), T(0));
  };
  const auto is_zero = [&](Int b, Int words) {
    const T* const v = x.values.data() + x.at[place(b)];
    return std::all_of(v, v + words, [](T value) { return value == T(0); });
  };
  std::vector<char> zero;
  for (std::size_t k = 0; k < x.rows.size(); ++k) {
    const BlockIndex i = x.rows[k];
    const Int height = x.height(i), first = x.first[k], row = row_bounds.before(i);
    zero.clear();
    for (Int b = first; b < x.first[k + 1]; ++b) zero.push_back(is_zero(b, height * x.width(x.cols[place(b)])) ? 1 : 0);
    for (Int r = 0; r < height; ++r)
      for (Int b = first; b < x.first[k + 1]; ++b) {
        const Int col = col_bounds.before(x.cols[place(b)]), width = x.width(x.cols[place(b)]);
        const T* const v = x.values.data() + x.at[place(b)] + r;
        if (zero[place(b - first)] != 0) {
          if (r == 0) visit_zero(row, col, height);
          continue;
        }
        for (Int c = 0; c < width && (general || col + c <= row + r); ++c)
          if (v[c * height] != T(0)) visit(row + r, col + c, v[c * height]);
      }
  }
}

/// As many digits as the number has, so that it is the same when it is read: floats are read as doubles and rounded
/// then, for which their shortest form would not do.
template <class T>
void append_number(std::string& text, T x) {
  if constexpr (std::is_same_v<T, float>)
    fmt::format_to(std::back_inserter(text), " {:.9g}", x);
  else if constexpr (std::is_same_v<T, double>)
    fmt::format_to(std::back_inserter(text), " {}", x);
  else
    append_number(text, x.real()), append_number(text, x.imag());
}

template <class T>
std::string banner(Symmetry symmetry, Int m, Int n, Int entries) {
  return fmt::format("%%MatrixMarket matrix coordinate {} {}\n{} {} {}\n",
                     std::is_floating_point_v<T> ? "real" : "complex",
                     io::symmetry_words[static_cast<std::size_t>(symmetry)], m, n, entries);
}

}  // namespace

template <class T>
Int write_matrix_market_blocks(const Comm& comm, CollectiveAtomicFile& whole, const Blocks<T>& mine, Symmetry symmetry,
                               Int chunk_bytes) {
  const BlockBounds rows(*mine.row_sizes), cols(*mine.col_sizes);
  Int entries = 0;
  for_each_entry(mine, rows, cols, symmetry, [&](Int, Int, T) { ++entries; });
  const std::string head = banner<T>(symmetry, rows.all(), cols.all(), over_ranks(comm, MPI_SUM, entries));
  const RowSlices slices(totals_of_rows(comm, mine), text_bytes, chunk_bytes, comm.size());
  const BlockDistribution owners = slices.owners(mine.col_sizes->size());
  MpiFile& file = whole.open();
  Int written = static_cast<Int>(head.size());
  together(comm, [&] {
    if (comm.rank() == 0) file.write(0, head.data(), written);
  });
  for (Int pass = 0; pass < slices.passes(); ++pass) {
    BlockPattern rows_now;
    together(comm, [&] { rows_now = within(mine, slices.rows(pass)); });
    const Blocks<T> slice = brought<T>(comm, {rows_now, mine.values.data()}, owners);
    std::string text;
    together(comm, [&] {
      for_each_entry(slice, rows, cols, symmetry, [&](Int i, Int j, T x) {
        fmt::format_to(std::back_inserter(text), "{} {}", i + 1, j + 1);
        append_number(text, x);
        text += '\n';
      });
    });
    const Int bytes = static_cast<Int>(text.size()), at = take_turns(comm, bytes, written);
    together(comm, [&] { file.write(at, text.data(), bytes); });
  }
  whole.complete(written);
  return written;
}

#define CAIRN_INSTANTIATE(T) \
  template Int write_matrix_market_blocks(const Comm&, CollectiveAtomicFile&, const Blocks<T>&, Symmetry, Int);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
