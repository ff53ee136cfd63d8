// The plain call: plan once for a shape, keep it with the communicator, run.
#include "cairn/gemm.hpp"

#include <fmt/format.h>

#include "api/arguments.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "runtime/comm_state.hpp"

namespace cairn {

namespace {

std::string key_of(const GemmProblem& p, const Options& o) {
  std::string key = fmt::format(
      "{} {} {} {} {} {} {} memory={} algorithm={} look_ahead={} idle={} machine={} verify={} trace={} "
      "transport={} collectives={} node={}",
      name_of(p.type), p.m, p.n, p.k, p.ranks, static_cast<int>(p.op_a), static_cast<int>(p.op_b),
      o.memory_words.value_or(-1), o.algorithm, o.look_ahead.value_or(-1), o.max_idle.value_or(-1), o.machine,
      o.verify_counts, o.trace, o.transport, o.collectives, o.ranks_per_node);
  for (const auto* l : {&p.a, &p.b, &p.c}) key += fmt::format(" {}", text_of(**l));
  return key;
}

template <class T>
std::optional<std::string> misfit(Op op_a, Op op_b, const DistMatrix<T>& A, const DistMatrix<T>& B,
                                  const DistMatrix<T>& C) {
  const auto rows = [](Op op, const Layout& l) { return op == Op::none ? l.m() : l.n(); };
  const auto cols = [](Op op, const Layout& l) { return op == Op::none ? l.n() : l.m(); };
  const Layout &a = A.layout(), &b = B.layout(), &c = C.layout();
  if (cols(op_a, a) != rows(op_b, b))
    return fmt::format("A and B: op(A) is {}x{} and op(B) {}x{}, expected as many columns of op(A) as rows of op(B)",
                       rows(op_a, a), cols(op_a, a), rows(op_b, b), cols(op_b, b));
  if (c.m() != rows(op_a, a) || c.n() != cols(op_b, b))
    return fmt::format("C: {}x{}, expected {}x{}", c.m(), c.n(), rows(op_a, a), cols(op_b, b));
  return {};
}

// A plan that fails on one rank (a machine file that only others can read) fails on all.
Plan planned_by_all(const Comm& comm, const GemmProblem& p, const Options& options) {
  std::optional<Plan> made;
  std::optional<std::string> problem;
  try {
    made = plan(p, options);
  } catch (const Error& e) {
    problem = e.what();
  }
  comm.agree(problem);
  return *made;
}

}  // namespace

template <class T>
RunReport gemm(const Comm& comm, Op op_a, Op op_b, T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B, T beta,
               const DistMatrix<T>& C, const Options& options) {
  GemmProblem p;
  p.m = C.layout().m(), p.n = C.layout().n(), p.k = op_a == Op::none ? A.layout().n() : A.layout().m();
  p.ranks = comm.size(), p.type = scalar_type_of<T>;
  p.op_a = op_a, p.op_b = op_b;
  p.a = A.layout(), p.b = B.layout(), p.c = C.layout();
  const std::string key = key_of(p, options);
  comm.agree(misfit(op_a, op_b, A, B, C), "arguments", key);
  const std::shared_ptr<void> prepared = comm.state().cached(key, [&]() -> std::shared_ptr<void> {
    return std::make_shared<Multiplication<T>>(comm, planned_by_all(comm, p, options));
  });
  return static_cast<Multiplication<T>*>(prepared.get())->run(alpha, A, B, beta, C);
}

#define CAIRN_INSTANTIATE(T)                                                                                           \
  template RunReport gemm(const Comm&, Op, Op, T, const DistMatrix<T>&, const DistMatrix<T>&, T, const DistMatrix<T>&, \
                          const Options&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
