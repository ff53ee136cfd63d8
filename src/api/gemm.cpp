// The plain call: plan once for a shape, keep it with the communicator, run.
#include "cairn/gemm.hpp"

#include <fmt/format.h>

#include "api/arguments.hpp"
#include "api/plan_on_this_node.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "runtime/comm_state.hpp"
#include "runtime/over_ranks.hpp"
#include "schedule/text.hpp"

namespace cairn {

namespace {

// For people, where ranks differ.
std::string text_of(const GemmProblem& p, const Options& o) {
  return fmt::format("elements {}, op_a {}, op_b {}, A ({}), B ({}), C ({}), {}", name_of(p.type), name_of(p.op_a),
                     name_of(p.op_b), text_of(*p.a), text_of(*p.b), text_of(*p.c), text_of(o));
}

Key key_of(const GemmProblem& p, const Options& o) {
  Key key;  // among those of other calls
  key.add("gemm")
      .add(static_cast<Int>(p.type))
      .add(p.ranks)
      .add(static_cast<Int>(p.op_a))
      .add(static_cast<Int>(p.op_b));
  for (const auto* l : {&p.a, &p.b, &p.c}) key.add(**l);
  return key.add(o);
}

template <class T>
std::optional<std::string> misfit(Op op_a, Op op_b, const DistMatrix<T>& A, const DistMatrix<T>& B,
                                  const DistMatrix<T>& C) {
  const Extents a = extents_of(op_a, A.layout()), b = extents_of(op_b, B.layout()),
                c = extents_of(Op::none, C.layout());
  if (a.n != b.m)
    return fmt::format("A and B: op(A) is {}x{} and op(B) {}x{}, expected as many columns of op(A) as rows of op(B)",
                       a.m, a.n, b.m, b.n);
  if (c.m != a.m || c.n != b.n) return fmt::format("C: {}x{}, expected {}x{}", c.m, c.n, a.m, b.n);
  return {};
}

template <class T>
std::string bytes_of(T x) {
  return {reinterpret_cast<const char*>(&x), sizeof x};
}

}  // namespace

Plan plan(const Comm& comm, GemmProblem problem, Options options) {
  return plan_together(comm, std::move(problem), std::move(options));
}

template <class T>
RunReport gemm(const Comm& comm, Op op_a, Op op_b, T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B, T beta,
               const DistMatrix<T>& C, const Options& options) {
  GemmProblem p;
  p.m = C.layout().m(), p.n = C.layout().n(), p.k = extents_of(op_a, A.layout()).n;
  p.ranks = comm.size(), p.type = scalar_type_of<T>;
  p.op_a = op_a, p.op_b = op_b;
  p.a = A.layout(), p.b = B.layout(), p.c = C.layout();
  const std::string key = key_of(p, options).bytes();
  std::optional<std::string> problem = misfit(op_a, op_b, A, B, C);
  if (!problem) problem = problem_with_operand("C", C, comm.rank());
  if (!problem && alpha != T(0)) problem = problem_with_operand("B", B, comm.rank());
  if (!problem && alpha != T(0)) problem = problem_with_operand("A", A, comm.rank());
  const bool all_agree = same_on_all(comm, !problem, Key().add(key).add(bytes_of(alpha)).add(bytes_of(beta)).bytes());
  if (!all_agree) comm.agree(misfit(op_a, op_b, A, B, C), "arguments", text_of(p, options));
  const auto multiplication = comm.state().cache.get<Multiplication<T>>(key, [&]() -> Cache::Value {
    const auto made = std::make_shared<Multiplication<T>>(comm, plan(comm, p, options));
    return {made, made->bytes()};
  });
  return all_agree ? multiplication->run_agreed(alpha, A, B, beta, C) : multiplication->run(alpha, A, B, beta, C);
}

#define CAIRN_INSTANTIATE(T)                                                                                           \
  template RunReport gemm(const Comm&, Op, Op, T, const DistMatrix<T>&, const DistMatrix<T>&, T, const DistMatrix<T>&, \
                          const Options&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
