// Block-sparse matrices from and to dense ones and rows of single elements, for the C API.
#include <limits>
#include <memory>

#include "api/arguments.hpp"
#include "base/arithmetic.hpp"
#include "cairn/csr.hpp"
#include "cairn/redistribute.hpp"
#include "capi/blocks.hpp"

using namespace cairn::capi;
using cairn::Int;
using cairn::made_together;

namespace {

/// This rank's part of `dense`; throws ArgumentError if it has another size or too little room.
template <class T>
cairn::DistMatrix<T> dense_part(const cairn_matrix* dense, Int m, Int n, int rank) {
  cairn::DistMatrix<T> part = matrix<T>(dense, "dense", rank);
  const cairn::Layout& l = part.layout();
  if (l.m() != m || l.n() != n)
    throw cairn::ArgumentError(
        fmt::format("dense: {}x{}, expected {}x{}, as the block-sparse matrix", l.m(), l.n(), m, n));
  if (const auto problem = cairn::problem_with_part("dense", part, rank)) throw cairn::ArgumentError(*problem);
  return part;
}

// What the library needs of a matrix with so many rows before it can look at the arrays itself.
void require_rows(const cairn_csr* mine, Int all) {
  need(mine, "mine");
  if (mine->rows < 0) throw cairn::ArgumentError("mine.rows: " + std::to_string(mine->rows) + ", expected 0 or more");
  if (mine->rows == 0) return;
  if (mine->first_row < 0 || mine->first_row > all || mine->rows > all - mine->first_row)
    throw cairn::ArgumentError(
        fmt::format("rows: {} from number {}, expected some of the {} rows", mine->rows, mine->first_row, all));
  need(mine->first, "mine.first");
  if (Int elements = 0; __builtin_sub_overflow(mine->first[mine->rows], mine->first[0], &elements))
    throw cairn::ArgumentError(fmt::format("mine.first: from {} to {}, more elements than a 64-bit integer counts",
                                           mine->first[0], mine->first[mine->rows]));
  if (mine->first[mine->rows] == mine->first[0]) return;
  need(mine->cols, "mine.cols"), need(mine->values, "mine.values");
}

template <class T>
cairn::CsrView<T> view_of(const cairn_csr& x) {
  static const Int none = 0;
  if (x.rows == 0) return {{0, 0}, {&none, 1}, {}, {}};
  const auto elements = static_cast<std::size_t>(std::max<Int>(0, x.first[x.rows] - x.first[0]));
  return {{x.first_row, x.first_row + x.rows},
          {x.first, static_cast<std::size_t>(x.rows) + 1},
          {x.cols, elements},
          {static_cast<const T*>(x.values), elements}};
}

/// Rows that Cairn has made, with what their pointers point to.
struct MadeRows : cairn_csr {
  template <class T>
  explicit MadeRows(const std::shared_ptr<const cairn::CsrRows<T>>& x)
      : cairn_csr{x->rows.lo, x->rows.size(), x->first.data(), x->cols.data(), x->values.data()}, kept(x) {}
  std::shared_ptr<const void> kept;
};

}  // namespace

cairn_status cairn_block_sparse_from_dense(const cairn_comm* comm, cairn_type type, const cairn_matrix* dense,
                                           int64_t block_rows, const int32_t* row_sizes, int64_t block_cols,
                                           const int32_t* col_sizes, const cairn_block_distribution* where, double eps,
                                           cairn_block_sparse** matrix) {
  const auto make = [&]<class T>(T, const cairn::Comm& on, Shape x) {
    const auto part = cairn::capi::matrix<T>(dense, "dense", on.rank());
    return cairn::BlockSparse<T>::from_dense(on, part, std::move(x.rows), std::move(x.cols), std::move(x.where), eps);
  };
  return give_made(
      matrix, comm, type, block_rows, row_sizes, block_cols, col_sizes, where,
      [&](const Shape&) { need_matrix(dense, "dense"); }, make);
}

cairn_status cairn_block_sparse_to_dense(const cairn_block_sparse* matrix, const cairn_matrix* dense) {
  return on_matrix(matrix, "matrix", [&]<class T>(const auto& x, T) {
    const auto part = made_together(x.comm(), [&] { return dense_part<T>(dense, x.m(), x.n(), x.comm().rank()); });
    cairn::redistribute(x.comm(), x.to_dense(), part);
  });
}

cairn_status cairn_block_sparse_from_csr(const cairn_comm* comm, cairn_type type, const cairn_csr* mine,
                                         int64_t block_rows, const int32_t* row_sizes, int64_t block_cols,
                                         const int32_t* col_sizes, const cairn_block_distribution* where,
                                         cairn_block_sparse** matrix) {
  const auto make = [&]<class T>(T, const cairn::Comm& on, Shape x) {
    return cairn::from_csr<T>(on, view_of<T>(*mine), std::move(x.rows), std::move(x.cols), std::move(x.where));
  };
  return give_made(
      matrix, comm, type, block_rows, row_sizes, block_cols, col_sizes, where,
      [&](const Shape& x) { require_rows(mine, cairn::total(x.rows)); }, make);
}

cairn_status cairn_block_sparse_to_csr(const cairn_block_sparse* matrix, int64_t first_row, int64_t rows,
                                       int drop_zeros, cairn_csr** mine) {
  return giving(mine, matrix, "matrix", [&]<class T>(const auto& x, T) {
    made_together(x.comm(), [&] {
      if (first_row < 0 || rows < 0 || first_row > x.m() || rows > x.m() - first_row)
        throw cairn::ArgumentError(
            fmt::format("rows: {} from number {}, expected some of the {} rows", rows, first_row, x.m()));
      return need(mine, "mine");
    });
    *mine = new MadeRows(std::make_shared<const cairn::CsrRows<T>>(
        cairn::to_csr(x, {first_row, first_row + rows}, {.drop_zeros = drop_zeros != 0})));
  });
}

void cairn_csr_free(cairn_csr* rows) { delete static_cast<MadeRows*>(rows); }
