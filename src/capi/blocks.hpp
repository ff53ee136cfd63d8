// The C API's block-sparse matrices: one handle for all element types.
#pragma once
#include <fmt/format.h>

#include <complex>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "api/made_together.hpp"
#include "cairn/block_sparse.h"
#include "cairn/block_sparse.hpp"
#include "capi/handles.hpp"

struct cairn_block_plan {
  explicit cairn_block_plan(const cairn::BlockPlan& made)
      : plan(made), algorithm(made.algorithm()), explain(made.explain()), json(made.json()) {}
  cairn::BlockPlan plan;
  std::string algorithm, explain, json;
};
struct cairn_block_sparse {
  cairn::OfAnyType<cairn::BlockSparse> any;
};

namespace cairn::capi {

template <class Matrix>
struct ElementOf;
template <class T>
struct ElementOf<BlockSparse<T>> {
  using Type = T;
};

/// f(matrix, T()) for the matrix that a handle holds.
template <class Handle, class F>
auto with_matrix(Handle* handle, const char* name, F f) {
  return std::visit(
      [&](auto& matrix) {
        using Matrix = std::remove_cvref_t<decltype(matrix)>;
        return f(matrix, typename ElementOf<Matrix>::Type());
      },
      need(handle, name)->any);
}

/// The same as a whole call, or as one that gives another handle.
template <class Handle, class F>
cairn_status on_matrix(Handle* handle, const char* name, F f) {
  return guarded([&] { with_matrix(handle, name, f); });
}
template <class Out, class Handle, class F>
cairn_status giving(Out** out, Handle* handle, const char* name, F f) {
  return giving(out, [&] { with_matrix(handle, name, f); });
}

/// The matrix, of element type T; throws ArgumentError if it has another.
template <class T, class Handle>
auto& matrix_of(Handle* handle, const char* name) {
  auto* matrix = std::get_if<BlockSparse<T>>(&need(handle, name)->any);
  if (!matrix)
    throw ArgumentError(
        fmt::format("{}: a matrix of another element type, expected {}", name, name_of(scalar_type_of<T>)));
  return *matrix;
}

template <class T>
T scalar(const void* value, const char* name) {
  return *static_cast<const T*>(need(value, name));
}

/// An array of so many numbers, and the names of both.
template <class Number>
std::vector<Number> numbers(const Number* from, const char* name, int64_t count, const char* count_name,
                            int64_t most = std::numeric_limits<int32_t>::max()) {
  if (most_of(count, count_name, most) > 0) need(from, name);
  return {from, from + count};
}

/// Of as many blocks; dealt over all ranks if it is NULL.
inline BlockDistribution distribution(const cairn_block_distribution* where, int64_t block_rows, int64_t block_cols,
                                      int ranks) {
  if (!where) return BlockDistribution::dealt(block_rows, block_cols, ranks);
  return {where->pr, where->pc, numbers(where->row, "where.row", block_rows, "block rows"),
          numbers(where->col, "where.col", block_cols, "block columns"), where->col_major_grid == 0};
}

inline std::optional<BlockRange> range_of(const cairn_block_range* range) {
  if (!range) return {};
  return BlockRange{range->from, range->to};
}

/// What a matrix is made of.
struct Shape {
  ScalarType type;
  BlockSizes rows, cols;
  BlockDistribution where;
};

template <class Matrix>
int64_t block_rows_of(const Matrix& x) {
  return static_cast<int64_t>(x.rows().size());
}
template <class Matrix>
int64_t block_cols_of(const Matrix& x) {
  return static_cast<int64_t>(x.cols().size());
}

template <class T>
void give(cairn_block_sparse** to, BlockSparse<T> matrix) {
  *to = new cairn_block_sparse{std::move(matrix)};
}

/// A whole call that gives a matrix of this shape, which is make(T(), communicator, shape). Collective, and with the
/// same error on all ranks; check(shape) throws where something else is wrong with a call.
template <class Check, class Make>
cairn_status give_made(cairn_block_sparse** matrix, const cairn_comm* comm, cairn_type type, int64_t block_rows,
                       const int32_t* row_sizes, int64_t block_cols, const int32_t* col_sizes,
                       const cairn_block_distribution* where, Check check, Make make) {
  return giving(matrix, [&] {
    const Comm& on = need(comm, "comm")->comm;
    Shape shape = made_together(on, [&] {
      need(matrix, "matrix");
      Shape made{scalar_of(type), numbers(row_sizes, "row_sizes", block_rows, "block_rows"),
                 numbers(col_sizes, "col_sizes", block_cols, "block_cols"),
                 distribution(where, block_rows, block_cols, on.size())};
      check(made);
      return made;
    });
    on.agree_same("type", std::string(name_of(shape.type)));
    with_type(shape.type, [&]<class T>(T one) { give(matrix, make(one, on, std::move(shape))); });
  });
}

}  // namespace cairn::capi
