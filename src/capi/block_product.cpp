// Products of block-sparse matrices for the C API.
#include "capi/blocks.hpp"

using namespace cairn::capi;
using cairn::made_together;

namespace {

cairn::BlockProductOptions options_of(const cairn_block_product_options* o) {
  cairn::BlockProductOptions options;
  if (!o) return options;
  options.filter_eps = o->filter_eps, options.retain_sparsity = o->retain_sparsity != 0;
  options.rows = range_of(o->rows), options.cols = range_of(o->cols), options.inner = range_of(o->inner);
  if (o->algorithm) options.algorithm = o->algorithm;
  if (o->transport) options.transport = o->transport;
  if (o->memory_words != 0) options.memory_words = o->memory_words;
  options.threads = o->threads;
  return options;
}

template <std::size_t room>
void fill(char (&to)[room], const std::string& text) {
  to[text.copy(to, room - 1)] = '\0';
}

void fill(cairn_block_product_report* report, const cairn::BlockProductReport& did) {
  if (!report) return;
  *report = {did.products,
             did.flops,
             did.received,
             did.messages,
             did.received_index,
             did.redistributed,
             did.predicted,
             did.seconds,
             did.multiply_seconds,
             did.wait_seconds,
             {},
             {}};
  fill(report->algorithm, did.algorithm);
  fill(report->transport, did.transport);
}

// The arguments of a product, whose result is on a communicator.
template <class T>
struct Given {
  cairn::Op op_a{}, op_b{};
  T alpha{}, beta{};
  const cairn::BlockSparse<T>*a = nullptr, *b = nullptr;

  Given(const cairn::Comm& comm, cairn_op of_a, cairn_op of_b, const void* times, const cairn_block_sparse* left,
        const cairn_block_sparse* right, const void* times_c) {
    made_together(comm, [&] {
      op_a = op_of(of_a, "op_a"), op_b = op_of(of_b, "op_b");
      alpha = scalar<T>(times, "alpha"), beta = scalar<T>(times_c, "beta");
      a = &matrix_of<T>(left, "a");
      return b = &matrix_of<T>(right, "b");
    });
  }
};

}  // namespace

cairn_status cairn_block_multiply(cairn_op op_a, cairn_op op_b, const void* alpha, const cairn_block_sparse* a,
                                  const cairn_block_sparse* b, const void* beta, cairn_block_sparse* c,
                                  const cairn_block_product_options* options, cairn_block_product_report* report) {
  return on_matrix(c, "c", [&]<class T>(auto& C, T) {
    const Given<T> x(C.comm(), op_a, op_b, alpha, a, b, beta);
    fill(report, cairn::multiply(x.op_a, x.op_b, x.alpha, *x.a, *x.b, x.beta, C, options_of(options)));
  });
}

cairn_status cairn_block_plan_multiply(cairn_op op_a, cairn_op op_b, const void* alpha, const cairn_block_sparse* a,
                                       const cairn_block_sparse* b, const void* beta, const cairn_block_sparse* c,
                                       const cairn_block_product_options* options, cairn_block_plan** plan) {
  return giving(plan, c, "c", [&]<class T>(const auto& C, T) {
    made_together(C.comm(), [&] { return need(plan, "plan"); });
    const Given<T> x(C.comm(), op_a, op_b, alpha, a, b, beta);
    *plan = new cairn_block_plan(cairn::plan(x.op_a, x.op_b, x.alpha, *x.a, *x.b, x.beta, C, options_of(options)));
  });
}

cairn_status cairn_check_block_multiply(cairn_op op_a, cairn_op op_b, const void* alpha, const cairn_block_sparse* a,
                                        const cairn_block_sparse* b, const void* beta, const cairn_block_sparse* c0,
                                        const cairn_block_sparse* c, double filter_eps, int rounds,
                                        cairn_check_result* result) {
  return on_matrix(c, "c", [&]<class T>(const auto& C, T) {
    const Given<T> x(C.comm(), op_a, op_b, alpha, a, b, beta);
    const auto* before = made_together(C.comm(), [&] {
      need(result, "result");
      return c0 ? &matrix_of<T>(c0, "c0") : nullptr;
    });
    fill(result, cairn::freivalds(x.op_a, x.op_b, x.alpha, *x.a, *x.b, x.beta, before, C, filter_eps, rounds));
  });
}
