#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>

#include "api/arguments.hpp"
#include "api/prepared_run.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "cairn/gemm.hpp"
#include "model/transport.hpp"
#include "planner/plan_data.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/agreement.hpp"

namespace cairn {

namespace {

// What BLAS, whose integers have 32 bits, cannot multiply on a rank. A leading dimension is a slot's rows or columns.
std::optional<std::string> too_long(const Plan& plan, Int rank) {
  constexpr Int most = std::numeric_limits<int>::max();
  const GemmProblem& p = plan.problem();
  if (std::max({p.m, p.n, p.k}) <= most) return {};
  const Schedule& s = plan.data().wire;
  for (const Effect& e : effects(s)) {
    const Compute* const x = as_compute(e);
    if (!x || !concerns(s, e, rank)) continue;
    for (Slot of : {x->A, x->B, x->C}) {
      if (of < 0) continue;
      const Layout& l = s.layout(s.storage(of));
      const Int length = std::max(l.rows_at(rank).size(), l.cols_at(rank).size());
      if (length > most)
        return fmt::format("plan: a rank has {} rows or columns of {}, expected at most {}", length,
                           s[s.storage(of)].name, most);
    }
  }
  return {};
}

// The same where texts are.
template <class T>
Int fingerprint(T alpha, T beta) {
  std::size_t all = 0;
  const auto add = [&all](double part) {
    constexpr std::size_t factor = 0x9E3779B97F4A7C15;
    all = (all ^ (std::isnan(part) ? ~std::size_t{0} : std::bit_cast<std::size_t>(part))) * factor;
    all ^= all >> 32;
  };
  for (T x : {alpha, beta}) {
    add(std::real(x));
    add(std::imag(x));
  }
  return static_cast<Int>(all >> 1);
}

}  // namespace

template <class T>
struct Multiplication<T>::Impl {
  Impl(const Comm& c, Plan p) : comm(c), plan(std::move(p)) {
    compare_plans();
    fail_together(comm, Trouble::Kind::memory, unless_allocated([&] { use_transport(); }, no_buffers));
  }

  void compare_plans() const {
    auto problem = misfit<T>(plan.problem().ranks, plan.problem().type, comm);
    comm.agree(problem ? problem : too_long(plan, comm.rank()), "plan", agreed_text(plan.data()));
  }

  void use_transport() {
    const Plan::Data& d = plan.data();
    const Options& o = plan.options();
    prepared.emplace(comm,
                     Wanted{d.collective, d.wire, scalar_type_of<T>, d.transport, o.ranks_per_node,
                            d.relabelling.labels, o.memory_words},
                     std::vector<Layout>{plan.layout_a(), plan.layout_b(), plan.layout_c()}, o);
    find_figures();
  }
  // What goes_ahead and bytes ask for is found here, where ranks tell one another if one has no memory for it.
  void find_figures() const {
    if (plan.data().transport == Transport::two_sided)
      plan.data().times();
    else
      plan.data().totals();
  }
  const PreparedSchedule& schedule() const { return prepared->prepared(); }

  // Whether this rank looks at what others say of their arguments only when its part is done. Not with alpha = 0, where
  // it would send nothing; not where C's old elements count; not in a run so long that a wrong one would be a pity; not
  // in one that is traced, as the trace of a refused run would take the place of another.
  bool goes_ahead(const Agreements& agreements, T alpha, T beta) const {
    constexpr double short_run = 0.01;  // seconds: a reduction takes thousandths of that
    return agreements.may_go_ahead() && schedule().transport() == Transport::two_sided && alpha != T(0) &&
           beta == T(0) && plan.problem().k > 0 && plan.options().trace.empty() && plan.predicted_seconds() < short_run;
  }

  RunReport run(T alpha, T beta, const DistMatrix<T>& A, const DistMatrix<T>& B, const DistMatrix<T>& C) {
    const auto problem = prepared->problem_with(alpha, std::array{&A, &B, &C});
    Agreements& agreements = Agreements::before_run(comm);
    const bool ahead = !problem && goes_ahead(agreements, alpha, beta);
    Agreements::Open agreement(agreements, {problem.has_value(), ahead, fingerprint(alpha, beta)});
    if (ahead) {
      const RunReport report = run_agreed(alpha, beta, A, B, C);
      if (agreement.answer().fine) return report;
    } else {
      if (agreement.answer().fine) return run_agreed(alpha, beta, A, B, C);
      if (agreement.answer().ahead) keep_company();
    }
    comm.agree(problem, "alpha and beta", text_of(alpha) + " and " + text_of(beta));
    throw RuntimeError("alpha and beta: differ between ranks");  // equal texts with different bits: cannot be
  }

  // Others multiply already: this rank takes part in that with zeros, so that none of them waits for ever.
  void keep_company() {
    const auto zeros = [this](std::size_t x) { return DistMatrix<T>::own(prepared->layout(x), comm.rank()); };
    run_agreed(T(1), T(0), zeros(0), zeros(1), zeros(2));
  }

  RunReport run_agreed(T alpha, T beta, const DistMatrix<T>& A, const DistMatrix<T>& B, const DistMatrix<T>& C) {
    if (alpha == T(0)) return prepared->scale(beta, C);
    return prepared->run(alpha, beta, std::array{&A, &B, &C});
  }

  Int bytes() const { return plan.data().bytes(); }

  Comm comm;
  Plan plan;
  std::optional<PreparedRun<T>> prepared;
};

template <class T>
Multiplication<T>::Multiplication(const Comm& comm, Plan plan) : impl_(std::make_unique<Impl>(comm, std::move(plan))) {}
template <class T>
Multiplication<T>::~Multiplication() = default;
template <class T>
Multiplication<T>::Multiplication(Multiplication&&) noexcept = default;
template <class T>
Multiplication<T>& Multiplication<T>::operator=(Multiplication&&) noexcept = default;

template <class T>
RunReport Multiplication<T>::run(T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B, T beta,
                                 const DistMatrix<T>& C) {
  return impl_->run(alpha, beta, A, B, C);
}

template <class T>
RunReport Multiplication<T>::run_agreed(T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B, T beta,
                                        const DistMatrix<T>& C) {
  return impl_->run_agreed(alpha, beta, A, B, C);
}

template <class T>
void Multiplication<T>::restrict_to(RunPart part) {
  impl_->prepared->restrict_to(part);
}

template <class T>
DistMatrix<T> Multiplication<T>::own_a() {
  return impl_->prepared->own(0, true);
}
template <class T>
DistMatrix<T> Multiplication<T>::own_b() {
  return impl_->prepared->own(1, true);
}
template <class T>
DistMatrix<T> Multiplication<T>::own_c() {
  return impl_->prepared->own(2, false);
}

template <class T>
const Plan& Multiplication<T>::plan() const {
  return impl_->plan;
}

template <class T>
const Comm& Multiplication<T>::comm() const {
  return impl_->comm;
}

template <class T>
std::string_view Multiplication<T>::transport() const {
  return name_of(impl_->schedule().transport());
}

template <class T>
const std::string& Multiplication<T>::obstacle() const {
  return impl_->schedule().obstacle();
}

template <class T>
const Count& Multiplication<T>::count() const {
  return impl_->schedule().count();
}

template <class T>
Int Multiplication<T>::arena_words() const {
  return impl_->schedule().arena_words();
}

template <class T>
Int Multiplication<T>::bytes() const {
  return impl_->bytes();
}

#define CAIRN_INSTANTIATE(T) template class Multiplication<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
