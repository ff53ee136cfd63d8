// Factorisations and solves with triangles over MPI.
#include "cairn/factor.hpp"

#include <fmt/format.h>

#include "api/arguments.hpp"
#include "api/diagonal.hpp"
#include "api/plan_on_this_node.hpp"
#include "api/prepared_run.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "planner/plan_factor.hpp"
#include "runtime/comm_state.hpp"
#include "schedule/text.hpp"

namespace cairn {

namespace {

// A plan whose last operand is overwritten, ready to run.
template <class T>
class InPlace {
 public:
  InPlace(const Comm& c, FactorPlan p, bool factorises) : comm_(c), plan_(std::move(p)) {
    const FactorPlan::Data& d = plan_.data();
    comm_.agree(misfit(factorises), "plan",
                fmt::format("{} on {} ranks, {}, {}, schedule {:016x}", spelled(d.collective.problem), d.ranks,
                            name_of(d.type), name_of(d.transport()), fingerprint(d.wire)));
    prepare_together();
  }

  const FactorPlan& plan() const { return plan_; }
  std::string_view transport() const { return name_of(prepared_->prepared().transport()); }
  const Comm& comm() const { return comm_; }

  /// That `operands`, those of the plan in their order, are as planned on all ranks.
  void require(T alpha, std::span<const DistMatrix<T>* const> operands) {
    comm_.agree(prepared_->problem_with(alpha, operands, "FactorPlan"), "alpha", text_of(alpha));
  }
  RunReport run(T alpha, std::span<const DistMatrix<T>* const> operands) {
    require(alpha, operands);
    RunReport nothing_done;
    if (diagonal_ && alpha != T(0))
      nothing_done.info = diagonal_->first(comm_, *operands.front(), [](T x) { return x == T(0); });
    return nothing_done.info == 0 ? run_required(alpha, operands) : nothing_done;
  }
  /// The same, of what was required before; of a solve, with a diagonal that has no zeros.
  RunReport run_required(T alpha, std::span<const DistMatrix<T>* const> operands) {
    const DistMatrix<T>& result = *operands.back();
    if (alpha == T(0)) return prepared_->scale(T(0), result);
    return prepared_->run(alpha, T(0), operands);
  }

 private:
  std::optional<std::string> misfit(bool factorises) const {
    if (auto problem = cairn::misfit<T>(plan_.ranks(), plan_.type(), comm_)) return problem;
    if (std::holds_alternative<Factorise>(plan_.data().collective.problem) != factorises)
      return fmt::format("plan: {}, expected a {}", spelled(plan_.data().collective.problem),
                         factorises ? "factorisation" : "solve");
    return {};
  }
  void prepare_together() {
    const FactorPlan::Data& d = plan_.data();
    std::vector<Layout> layouts{plan_.layout_a()};
    if (const auto* solve = std::get_if<Solve>(&d.collective.problem)) {
      if (solve->diag == Diag::stored) diagonal_.emplace(plan_.layout_a(), comm_.rank());
      layouts.push_back(plan_.layout_b());
    }
    std::optional<std::string> problem;
    try {
      prepared_.emplace(comm_, Wanted{d.collective, d.wire, scalar_type_of<T>, d.transport()}, std::move(layouts),
                        d.options);
    } catch (const std::bad_alloc&) {
      problem = "plan: its buffers cannot be allocated, expected more memory or Options::memory_words";
    }
    fail_together<MemoryError>(comm_, problem);
  }
  Comm comm_;
  FactorPlan plan_;
  std::optional<PreparedRun<T>> prepared_;
  std::optional<Diagonal> diagonal_;  // of a triangle that would be divided by
};

template <class T>
using Kept = std::shared_ptr<InPlace<T>>;

// What is prepared for a call is kept with the communicator.
template <class T, class P>
Kept<T> kept(const Comm& comm, const std::optional<std::string>& problem, const std::string& arguments, const P& p,
             const Options& options) {
  comm.agree(problem, "arguments", arguments + ", " + text_of(options));
  return std::static_pointer_cast<InPlace<T>>(
      comm.state().cache.get(Key().add(arguments).add(options).bytes(), [&]() -> Cache::Value {
        const auto made =
            std::make_shared<InPlace<T>>(comm, plan_together(comm, p, options), std::is_same_v<P, FactoriseProblem>);
        return {made, made->plan().data().bytes()};
      }));
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
struct Factorisation<T>::Impl : InPlace<T> {
  using InPlace<T>::InPlace;
};
template <class T>
Factorisation<T>::Factorisation(const Comm& comm, FactorPlan plan)
    : impl_(std::make_unique<Impl>(comm, std::move(plan), true)) {}
template <class T>
Factorisation<T>::~Factorisation() = default;
template <class T>
Factorisation<T>::Factorisation(Factorisation&&) noexcept = default;
template <class T>
Factorisation<T>& Factorisation<T>::operator=(Factorisation&&) noexcept = default;
template <class T>
RunReport Factorisation<T>::run(const DistMatrix<T>& A) {
  return impl_->run(T(1), std::array{&A});
}
template <class T>
const FactorPlan& Factorisation<T>::plan() const {
  return impl_->plan();
}
template <class T>
std::string_view Factorisation<T>::transport() const {
  return impl_->transport();
}

template <class T>
struct TriangularSolve<T>::Impl : InPlace<T> {
  using InPlace<T>::InPlace;
};
template <class T>
TriangularSolve<T>::TriangularSolve(const Comm& comm, FactorPlan plan)
    : impl_(std::make_unique<Impl>(comm, std::move(plan), false)) {}
template <class T>
TriangularSolve<T>::~TriangularSolve() = default;
template <class T>
TriangularSolve<T>::TriangularSolve(TriangularSolve&&) noexcept = default;
template <class T>
TriangularSolve<T>& TriangularSolve<T>::operator=(TriangularSolve&&) noexcept = default;
template <class T>
RunReport TriangularSolve<T>::run(T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B) {
  return impl_->run(alpha, std::array{&A, &B});
}
template <class T>
const FactorPlan& TriangularSolve<T>::plan() const {
  return impl_->plan();
}
template <class T>
std::string_view TriangularSolve<T>::transport() const {
  return impl_->transport();
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
  const Kept<T> factorisation = planned_of_three("factorisation", [&] { return kept_factorisation(comm, triangle, A, options); });
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
  template class Factorisation<T>;                                                                \
  template class TriangularSolve<T>;                                                              \
  template RunReport cholesky(const Comm&, Uplo, const DistMatrix<T>&, const Options&);           \
  template RunReport solve_triangular(const Comm&, Side, Uplo, Op, Diag, T, const DistMatrix<T>&, \
                                      const DistMatrix<T>&, const Options&);                      \
  template RunReport solve_spd(const Comm&, Uplo, const DistMatrix<T>&, const DistMatrix<T>&, const Options&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
