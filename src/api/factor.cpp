// Factorisations and solves with triangles over MPI.
#include "cairn/factor.hpp"

#include <fmt/format.h>

#include "api/arguments.hpp"
#include "api/diagonal.hpp"
#include "api/factor_run.hpp"
#include "api/plan_on_this_node.hpp"
#include "api/prepared_run.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "planner/plan_factor.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/comm_state.hpp"
#include "schedule/text.hpp"

namespace cairn {

namespace {

// A plan whose last operand is overwritten, ready to run.
template <class T>
class InPlace {
 public:
  InPlace(const Comm& c, const FactorPlan& p, bool factorises) : comm_(c) {
    const FactorPlan::Data& d = p.data();
    comm_.agree(misfit(p, factorises), "plan", agreed_text(d));
    std::vector<Layout> layouts{p.layout_a()};
    if (const auto* solve = std::get_if<Solve>(&d.collective.problem)) {
      if (solve->diag == Diag::stored) diagonal_.emplace(p.layout_a(), comm_.rank());
      layouts.push_back(p.layout_b());
    }
    fail_together(comm_, Trouble::Kind::memory,
                  unless_allocated([&] { run_.emplace(comm_, p, Labels(), std::move(layouts)); }, no_buffers));
  }

  const FactorPlan& plan() const { return run_->plan(); }
  std::string_view transport() const { return name_of(run_->prepared().prepared().transport()); }

  /// That `operands`, those of the plan in their order, are as planned on all ranks.
  void require(T alpha, std::span<const DistMatrix<T>* const> operands) {
    comm_.agree(run_->prepared().problem_with(alpha, operands), "alpha", text_of(alpha));
  }
  RunReport run(T alpha, std::span<const DistMatrix<T>* const> operands) {
    require(alpha, operands);
    const bool divides = diagonal_ && alpha != T(0);
    const Int zero = divides ? diagonal_->first(comm_, *operands.front(), [](T x) { return x == T(0); }) : 0;
    if (zero == 0) return run_required(alpha, operands);
    RunReport nothing_done = run_->prepared().scale(T(1), *operands.back());  // writes the trace, if there is to be one
    nothing_done.info = zero;
    return nothing_done;
  }
  /// The same, of what was required before; of a solve, with a diagonal that has no zeros.
  RunReport run_required(T alpha, std::span<const DistMatrix<T>* const> operands) {
    const DistMatrix<T>& result = *operands.back();
    return alpha == T(0) ? run_->prepared().scale(T(0), result) : run_->run(alpha, operands);
  }

 private:
  std::optional<std::string> misfit(const FactorPlan& p, bool factorises) const {
    if (auto problem = cairn::misfit<T>(p.ranks(), p.type(), comm_)) return problem;
    if (std::holds_alternative<Factorise>(p.data().collective.problem) != factorises)
      return fmt::format("plan: {}, expected a {}", spelled(p.data().collective.problem),
                         factorises ? "factorisation" : "solve");
    return {};
  }
  Comm comm_;
  std::optional<FactorRun<T>> run_;
  std::optional<Diagonal> diagonal_;  // of a triangle that would be divided by
};

template <class T>
using Kept = std::shared_ptr<InPlace<T>>;

// What is prepared for a call is kept with the communicator.
template <class T, class P>
Kept<T> kept(const Comm& comm, const std::optional<std::string>& problem, const std::string& arguments, const P& p,
             const Options& options) {
  comm.agree(problem, "arguments", arguments + ", " + text_of(options));
  return comm.state().cache.get<InPlace<T>>(Key().add(arguments).add(options).bytes(), [&]() -> Cache::Value {
    const auto made =
        std::make_shared<InPlace<T>>(comm, plan_together(comm, p, options), std::is_same_v<P, FactoriseProblem>);
    return {made, made->plan().data().bytes()};
  });
}

template <class T>
std::optional<std::string> not_square(const DistMatrix<T>& A) {
  const Layout& a = A.layout();
  if (a.m() == a.n()) return {};
  return fmt::format("A: {}x{}, expected a square matrix", a.m(), a.n());
}

}  // namespace

FactorPlan plan(const Comm& comm, FactoriseProblem problem, Options options) {
  return plan_together(comm, std::move(problem), std::move(options));
}
FactorPlan plan(const Comm& comm, SolveProblem problem, Options options) {
  return plan_together(comm, std::move(problem), std::move(options));
}

template <class T>
struct PlannedInPlace<T>::Impl : InPlace<T> {
  using InPlace<T>::InPlace;
};
template <class T>
PlannedInPlace<T>::PlannedInPlace(const Comm& comm, const FactorPlan& plan, bool factorises)
    : impl_(std::make_unique<Impl>(comm, plan, factorises)) {}
template <class T>
PlannedInPlace<T>::~PlannedInPlace() = default;
template <class T>
PlannedInPlace<T>::PlannedInPlace(PlannedInPlace&&) noexcept = default;
template <class T>
PlannedInPlace<T>& PlannedInPlace<T>::operator=(PlannedInPlace&&) noexcept = default;
template <class T>
const FactorPlan& PlannedInPlace<T>::plan() const {
  return impl_->plan();
}
template <class T>
std::string_view PlannedInPlace<T>::transport() const {
  return impl_->transport();
}

template <class T>
RunReport Factorisation<T>::run(const DistMatrix<T>& A) {
  return this->impl_->run(T(1), std::array{&A});
}
template <class T>
RunReport TriangularSolve<T>::run(T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B) {
  return this->impl_->run(alpha, std::array{&A, &B});
}

namespace {

template <class T>
Kept<T> kept_factorisation(const Comm& comm, Uplo triangle, const DistMatrix<T>& A, const Options& options) {
  FactoriseProblem p;
  p.n = A.layout().n(), p.triangle = triangle, p.ranks = comm.size(), p.type = scalar_type_of<T>;
  p.a = A.layout();
  const std::string arguments =
      fmt::format("cholesky, elements {}, triangle {}, A ({})", name_of(p.type), name_of(triangle), text_of(*p.a));
  return kept<T>(comm, not_square(A), arguments, p, options);
}

template <class T>
Kept<T> kept_solve(const Comm& comm, Side side, Uplo triangle, Op op, Diag diag, const DistMatrix<T>& A,
                   const DistMatrix<T>& B, const Options& options) {
  SolveProblem p;
  p.m = B.layout().m(), p.n = B.layout().n(), p.side = side, p.triangle = triangle, p.op = op, p.diag = diag;
  p.ranks = comm.size(), p.type = scalar_type_of<T>;
  p.a = A.layout(), p.b = B.layout();
  std::optional<std::string> problem = not_square(A);
  if (!problem && A.layout().n() != p.order())
    problem = fmt::format("A: of order {}, expected {}, the {} of B", A.layout().n(), p.order(),
                          side == Side::left ? "rows" : "columns");
  const std::string arguments =
      fmt::format("solve, elements {}, side {}, triangle {}, op {}, diagonal {}, A ({}), B ({})", name_of(p.type),
                  name_of(side), name_of(triangle), name_of(op), name_of(diag), text_of(*p.a), text_of(*p.b));
  return kept<T>(comm, problem, arguments, p, options);
}

}  // namespace

template <class T>
RunReport cholesky(const Comm& comm, Uplo triangle, const DistMatrix<T>& A, const Options& options) {
  return kept_factorisation(comm, triangle, A, options)->run(T(1), std::array{&A});
}

template <class T>
RunReport solve_triangular(const Comm& comm, Side side, Uplo triangle, Op op, Diag diag, T alpha,
                           const DistMatrix<T>& A, const DistMatrix<T>& B, const Options& options) {
  return kept_solve(comm, side, triangle, op, diag, A, B, options)->run(alpha, std::array{&A, &B});
}

// All three are ready before A changes.
template <class T>
RunReport solve_spd(const Comm& comm, Uplo triangle, const DistMatrix<T>& A, const DistMatrix<T>& B,
                    const Options& options) {
  std::optional<std::string> problem = not_square(A);
  if (!problem && B.layout().m() != A.layout().n())
    problem = fmt::format("B: {} rows, expected {}, the order of A", B.layout().m(), A.layout().n());
  comm.agree(problem, "arguments", "solution of a definite system");
  const Kept<T> factorisation =
      planned_of_three("factorisation", [&] { return kept_factorisation(comm, triangle, A, options); });
  factorisation->require(T(1), std::array{&A});
  Options of_solves = options;
  of_solves.algorithm.clear(), of_solves.trace.clear();  // are of the factorisation
  const bool lower = triangle == Uplo::lower;
  std::vector<Kept<T>> solves;
  for (Op op : {lower ? Op::none : Op::adjoint, lower ? Op::adjoint : Op::none}) {
    solves.push_back(planned_of_three(
        "solves", [&] { return kept_solve(comm, Side::left, triangle, op, Diag::stored, A, B, of_solves); }));
    solves.back()->require(T(1), std::array{&A, &B});
  }
  RunReport all = factorisation->run_required(T(1), std::array{&A});
  if (all.info != 0) return all;
  for (const Kept<T>& solve : solves) all += solve->run_required(T(1), std::array{&A, &B});
  return all;
}

#define CAIRN_INSTANTIATE(T)                                                                      \
  template class PlannedInPlace<T>;                                                               \
  template class Factorisation<T>;                                                                \
  template class TriangularSolve<T>;                                                              \
  template RunReport cholesky(const Comm&, Uplo, const DistMatrix<T>&, const Options&);           \
  template RunReport solve_triangular(const Comm&, Side, Uplo, Op, Diag, T, const DistMatrix<T>&, \
                                      const DistMatrix<T>&, const Options&);                      \
  template RunReport solve_spd(const Comm&, Uplo, const DistMatrix<T>&, const DistMatrix<T>&, const Options&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
