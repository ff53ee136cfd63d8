#include "api/product_arguments.hpp"

#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "api/arguments.hpp"
#include "api/block_arguments.hpp"
#include "api/block_ranks.hpp"
#include "api/product_limits.hpp"
#include "api/product_operand.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "local/sparse/symmetry.hpp"
#include "local/sparse/threads.hpp"
#include "model/transport.hpp"
#include "schedule/text.hpp"

namespace cairn {

namespace {

template <class T>
std::optional<std::string> problem_with(Op op_a, const BlockSparse<T>& A, Op op_b, const BlockSparse<T>& B, T beta,
                                        const BlockSparse<T>& C, const BlockProductOptions& options) {
  const auto differ = [](const char* x, const BlockSizes& a, const char* y, const BlockSizes& b) {
    return fmt::format("{}: {} blocks, expected the {} blocks of {}, of the same sizes", x, a.size(), b.size(), y);
  };
  if (auto problem = unless_same_ranks("A", A.comm(), "C", C.comm())) return problem;
  if (auto problem = unless_same_ranks("B", B.comm(), "C", C.comm())) return problem;
  const ProductOperand<T> left(op_a, A, {}, {}), right(op_b, B, {}, {});
  if (left.cols() != right.rows()) return differ("rows of op(B)", right.rows(), "the columns of op(A)", left.cols());
  if (left.rows() != C.rows()) return differ("rows of C", C.rows(), "the rows of op(A)", left.rows());
  if (right.cols() != C.cols()) return differ("columns of C", C.cols(), "the columns of op(B)", right.cols());
  if (auto problem = unless_within("rows", options.rows, C.rows())) return problem;
  if (auto problem = unless_within("cols", options.cols, C.cols())) return problem;
  if (auto problem = unless_within("inner", options.inner, left.cols())) return problem;
  if (!options.transport.empty() && options.transport != name_of(Transport::two_sided) &&
      options.transport != name_of(Transport::one_sided))
    return fmt::format("transport: '{}' is unknown, expected one of {}, {}", options.transport,
                       name_of(Transport::two_sided), name_of(Transport::one_sided));
  if (!options.algorithm.empty() && !has_arguments(options.algorithm))
    return fmt::format("algorithm: '{}', expected a whole spelling with its grid, as fetch25d 2x2", options.algorithm);
  if (C.symmetry() != Symmetry::general &&
      options.rows.value_or(all_blocks(C.rows())) != options.cols.value_or(all_blocks(C.cols())))
    return fmt::format("cols: other blocks than those of rows, expected the same where C is {}", name_of(C.symmetry()));
  if (auto problem = unless_real("beta", C.symmetry(), beta)) return problem;
  if (options.memory_words.value_or(0) < 0)
    return fmt::format("memory: {} words, expected 0 or more", *options.memory_words);
  if (options.threads < 0 || options.threads > most_threads)
    return fmt::format("threads: {}, expected 1 to {}, or 0", options.threads, most_threads);
  if (!(options.filter_eps >= 0)) return fmt::format("filter_eps: {}, expected 0 or more", options.filter_eps);
  return {};
}

std::string text_of(const std::optional<BlockRange>& x) {
  return x ? fmt::format("{}:{}", x->from, x->to) : std::string("all");
}

}  // namespace

template <class T>
void agree_on_product(Op op_a, Op op_b, T alpha, const BlockSparse<T>& A, const BlockSparse<T>& B, T beta,
                      const BlockSparse<T>& C, const BlockProductOptions& options) {
  C.comm().agree(
      problem_with(op_a, A, op_b, B, beta, C, options), "arguments of the product",
      fmt::format("A {}, B {}, C {}, op_a {}, op_b {}, alpha {}, beta {}, filter_eps {}, "
                  "retain_sparsity {}, rows {}, cols {}, inner {}, algorithm '{}', transport '{}', {}",
                  meant(A), meant(B), meant(C), name_of(op_a), name_of(op_b), text_of(alpha), text_of(beta),
                  options.filter_eps, options.retain_sparsity, text_of(options.rows), text_of(options.cols),
                  text_of(options.inner), options.algorithm, options.transport, memory_text(options.memory_words)));
}

#define CAIRN_INSTANTIATE(T)                                                                                        \
  template void agree_on_product(Op, Op, T, const BlockSparse<T>&, const BlockSparse<T>&, T, const BlockSparse<T>&, \
                                 const BlockProductOptions&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
