// The C API's block-sparse matrices: one handle for all element types.
#pragma once
#include <complex>
#include <utility>
#include <variant>

#include "api/made_together.hpp"
#include "cairn/block_sparse.h"
#include "cairn/block_sparse.hpp"
#include "capi/handles.hpp"

struct cairn_block_sparse {
  std::variant<cairn::BlockSparse<float>, cairn::BlockSparse<double>, cairn::BlockSparse<std::complex<float>>,
               cairn::BlockSparse<std::complex<double>>>
      any;
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

/// The same as a whole call.
template <class Handle, class F>
cairn_status on_matrix(Handle* handle, const char* name, F f) {
  return guarded([&] { with_matrix(handle, name, f); });
}

/// The matrix, of element type T; throws ArgumentError if it has another.
template <class T, class Handle>
auto& matrix_of(Handle* handle, const char* name) {
  auto* matrix = std::get_if<BlockSparse<T>>(&need(handle, name)->any);
  if (!matrix)
    throw ArgumentError(std::string(name) + ": a matrix of another element type, expected " +
                        std::string(name_of(scalar_type_of<T>)));
  return *matrix;
}

template <class T>
T scalar(const void* value, const char* name) {
  return *static_cast<const T*>(need(value, name));
}

template <class T>
void give(cairn_block_sparse** to, BlockSparse<T> matrix) {
  *to = new cairn_block_sparse{std::move(matrix)};
}

}  // namespace cairn::capi
