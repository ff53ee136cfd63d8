// Numbers of whole block-sparse matrices, sums and products of them, for the C API.
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

cairn_status cairn_block_multiply(cairn_op op_a, cairn_op op_b, const void* alpha, const cairn_block_sparse* a,
                                  const cairn_block_sparse* b, const void* beta, cairn_block_sparse* c,
                                  const cairn_block_product_options* options, cairn_block_product_report* report) {
  return on_matrix(c, "c", [&]<class T>(auto& C, T) {
    struct Given {
      cairn::Op op_a, op_b;
      T alpha, beta;
      const cairn::BlockSparse<T>*a, *b;
    };
    const Given given = made_together(C.comm(), [&] {
      return Given{op_of(op_a, "op_a"),     op_of(op_b, "op_b"),   scalar<T>(alpha, "alpha"),
                   scalar<T>(beta, "beta"), &matrix_of<T>(a, "a"), &matrix_of<T>(b, "b")};
    });
    cairn::BlockProductOptions how;
    if (options) {
      how.filter_eps = options->filter_eps, how.retain_sparsity = options->retain_sparsity != 0;
      if (options->algorithm) how.algorithm = options->algorithm;
      if (options->transport) how.transport = options->transport;
      if (options->memory_words != 0) how.memory_words = options->memory_words;
    }
    const cairn::BlockProductReport did =
        cairn::multiply(given.op_a, given.op_b, given.alpha, *given.a, *given.b, given.beta, C, how);
    if (report)
      *report = {did.products,       did.flops,         did.received,  did.messages,
                 did.received_index, did.redistributed, did.predicted, did.seconds};
  });
}
