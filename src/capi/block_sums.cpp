// Numbers of whole block-sparse matrices, and sums of them, for the C API.
#include "capi/blocks.hpp"

using namespace cairn::capi;
using cairn::made_together;

namespace {

// `other` is a matrix of x's type, with what else a call needs.
template <class T, class Handle>
auto& beside(const cairn::BlockSparse<T>& x, Handle* other, const char* name) {
  return *made_together(x.comm(), [&] { return &matrix_of<T>(other, name); });
}

}  // namespace

cairn_status cairn_block_sparse_count(const cairn_block_sparse* matrix, int64_t* blocks, double* occupancy) {
  return on_matrix(matrix, "matrix", [&](const auto& x, auto) {
    const cairn::Int count = x.blocks();
    const double share = x.occupancy();
    if (blocks) *blocks = count;
    if (occupancy) *occupancy = share;
  });
}

cairn_status cairn_block_sparse_words(const cairn_block_sparse* matrix, int64_t* words) {
  return on_matrix(matrix, "matrix", [&](const auto& x, auto) {
    *made_together(x.comm(), [&] { return need(words, "words"); }) = x.words();
  });
}

cairn_status cairn_block_sparse_norm(const cairn_block_sparse* matrix, cairn_norm which, double* norm) {
  return on_matrix(matrix, "matrix", [&](const auto& x, auto) {
    const cairn::Norm kind = made_together(x.comm(), [&] {
      need(norm, "norm");
      return enumerator<cairn::Norm>(static_cast<int>(which), 2, "which");
    });
    *norm = x.norm(kind);
  });
}

cairn_status cairn_block_sparse_trace(const cairn_block_sparse* matrix, void* trace) {
  return on_matrix(matrix, "matrix", [&]<class T>(const auto& x, T) {
    *static_cast<T*>(made_together(x.comm(), [&] { return need(trace, "trace"); })) = x.trace();
  });
}

cairn_status cairn_block_sparse_gershgorin(const cairn_block_sparse* matrix, double* low, double* high) {
  return on_matrix(matrix, "matrix", [&](const auto& x, auto) {
    made_together(x.comm(), [&] { return need(low, "low") && need(high, "high"); });
    const auto [from, to] = x.gershgorin();
    *low = from, *high = to;
  });
}

cairn_status cairn_block_sparse_dot(const cairn_block_sparse* x, const cairn_block_sparse* y, void* dot) {
  return on_matrix(x, "x", [&]<class T>(const auto& left, T) {
    const auto& right = beside(left, y, "y");
    *static_cast<T*>(made_together(left.comm(), [&] { return need(dot, "dot"); })) = left.dot(right);
  });
}

cairn_status cairn_block_sparse_add(const void* factor, const cairn_block_sparse* x, cairn_block_sparse* y) {
  return on_matrix(y, "y", [&]<class T>(auto& to, T) {
    const auto& from = beside(to, x, "x");
    to.add(made_together(to.comm(), [&] { return scalar<T>(factor, "factor"); }), from);
  });
}

cairn_status cairn_block_sparse_add_to_diagonal(cairn_block_sparse* matrix, const void* shift) {
  return on_matrix(matrix, "matrix", [&]<class T>(auto& x, T) {
    x.add_to_diagonal(made_together(x.comm(), [&] { return scalar<T>(shift, "shift"); }));
  });
}

cairn_status cairn_block_sparse_scale(cairn_block_sparse* matrix, const void* factor) {
  return on_matrix(matrix, "matrix", [&]<class T>(auto& x, T) { x.scale(scalar<T>(factor, "factor")); });
}

cairn_status cairn_block_sparse_filter(cairn_block_sparse* matrix, double eps) {
  return on_matrix(matrix, "matrix", [&](auto& x, auto) { x.filter(eps); });
}
