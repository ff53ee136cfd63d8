#include "cairn/redistribute.hpp"

#include <algorithm>
#include <array>

#include "algorithms/redistribution.hpp"
#include "algorithms/relabelling.hpp"
#include "api/arguments.hpp"
#include "api/prepared_run.hpp"
#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "interpret/count.hpp"
#include "model/whole_layout.hpp"
#include "planner/plan_data.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/comm_state.hpp"
#include "schedule/text.hpp"
#include "schedule/transfers.hpp"

namespace cairn {

namespace {

std::string key_of(ScalarType type, Op op, const Layout& a, const Layout& b) {
  return fmt::format("redistribution, elements {}, op {}, A ({}), B ({})", name_of(type), name_of(op), text_of(a),
                     text_of(b));
}

std::optional<std::string> misfit(Op op, const Layout& a, const Layout& b, Int ranks) {
  for (const auto& [name, l] : {std::pair{"A", &a}, {"B", &b}})
    if (const auto problem = l->problem()) return fmt::format("layout of {}: {}", name, *problem);
  if (real(a.m()) * real(a.n()) > most_words)
    return fmt::format("A: {}x{}, more words than a 64-bit integer counts", a.m(), a.n());
  const auto [m, n] = extents_of(op, a);
  if (b.m() != m || b.n() != n) return fmt::format("B: {}x{}, expected {}x{}, the size of op(A)", b.m(), b.n(), m, n);
  for (const auto& [name, l] : {std::pair{"A", &a}, {"B", &b}})
    if (l->grid.ranks() > ranks)
      return fmt::format("{}: in a layout on {} ranks, expected at most the communicator's {}", name, l->grid.ranks(),
                         ranks);
  return {};
}

// A source may hold copies, but not pieces that overlap.
std::optional<std::string> overlap(const Schedule& s, Int rank) {
  const std::vector<Slot> callers = s.callers();
  const Layout &a = s.layout(callers[0]), &b = s.layout(callers[1]);
  std::vector<Transfer> arriving = incoming(a, b, rank, s.ranks);
  arriving.push_back(transfer(a, b, rank, rank));
  Int words = 0;
  std::vector<Patch> regions;
  for (const Transfer& t : arriving) {
    words += t.words();
    for (const Transfer::Region& r : t.regions) regions.push_back({r.rows, r.cols});
  }
  if (words == b.words(rank) && (unless_whole("A", a) == std::nullopt || !any_meet(regions))) return {};
  return "A: elements that nobody holds, or several ranks that are no copies of each other, expected each once";
}

template <class T>
std::string scalars(T alpha, T beta) {
  return text_of(alpha) + " and " + text_of(beta);
}

}  // namespace

Count count_redistribution(Op op, const Layout& a, const Layout& b, Int ranks, Int rank) {
  const auto require = [](const std::optional<std::string>& problem) {
    if (problem) throw ArgumentError(*problem);
  };
  require(misfit(op, a, b, ranks));
  require_rank(rank, ranks);
  const Schedule s = redistribution(op, a, b, ranks);
  require(overlap(s, rank));
  return count(s, s, rank);
}

Layout relabelled(Op op, const Layout& a, const Layout& b, Int ranks) {
  if (const std::optional<std::string> problem = misfit(op, a, b, ranks)) throw ArgumentError(*problem);
  return least_moved(op, a, b, ranks);
}

template <class T>
struct Redistribution<T>::Impl {
  // The arguments are agreed on.
  Impl(const Comm& c, Op op, const Layout& a, const Layout& b)
      : comm(c), schedule(made_together(c, [&] {
          Schedule s = redistribution(op, a, b, c.size());
          if (const auto problem = overlap(s, c.rank())) throw ArgumentError(*problem);
          return s;
        })) {
    const auto prepare = [&] {
      prepared.emplace(comm, Wanted{schedule, schedule, scalar_type_of<T>}, std::vector{a, b}, Options());
    };
    fail_together(
        comm, Trouble::Kind::memory,
        unless_allocated(prepare,
                         "redistribution: the buffers of its messages cannot be allocated, expected more memory"));
  }

  std::optional<std::string> problem_with(T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B) const {
    for (const auto& [name, X, x] : {std::tuple{"A", &A, 0U}, {"B", &B, 1U}})
      if (!(X->layout() == prepared->layout(x)))
        return fmt::format("{}: another layout than the one prepared for", name);
    return problem_with_parts(alpha, A, B, comm.rank());
  }
  static std::optional<std::string> problem_with_parts(T alpha, const DistMatrix<T>& A, const DistMatrix<T>& B,
                                                       int rank) {
    if (auto problem = problem_with_part("B", B, rank)) return problem;
    return alpha == T(0) ? std::nullopt : problem_with_part("A", A, rank);
  }

  // The arguments are agreed on.
  RunReport run(T alpha, const DistMatrix<T>& A, T beta, const DistMatrix<T>& B) {
    return alpha == T(0) ? prepared->scale(beta, B) : prepared->run(alpha, beta, std::array{&A, &B});
  }

  Comm comm;
  Schedule schedule;
  std::optional<PreparedRun<T>> prepared;
};

template <class T>
Redistribution<T>::Redistribution(const Comm& comm, Op op, const Layout& a, const Layout& b) {
  comm.agree(misfit(op, a, b, comm.size()), "arguments", key_of(scalar_type_of<T>, op, a, b));
  impl_ = std::make_unique<Impl>(comm, op, a, b);
}
template <class T>
Redistribution<T>::~Redistribution() = default;
template <class T>
Redistribution<T>::Redistribution(Redistribution&&) noexcept = default;
template <class T>
Redistribution<T>& Redistribution<T>::operator=(Redistribution&&) noexcept = default;

template <class T>
RunReport Redistribution<T>::run(T alpha, const DistMatrix<T>& A, T beta, const DistMatrix<T>& B) {
  impl_->comm.agree(impl_->problem_with(alpha, A, B), "alpha and beta", scalars(alpha, beta));
  return impl_->run(alpha, A, beta, B);
}

template <class T>
const Count& Redistribution<T>::count() const {
  return impl_->prepared->prepared().count();
}

template <class T>
RunReport redistribute(const Comm& comm, Op op, T alpha, const DistMatrix<T>& A, T beta, const DistMatrix<T>& B) {
  using Impl = typename Redistribution<T>::Impl;
  const std::string key = key_of(scalar_type_of<T>, op, A.layout(), B.layout());
  std::optional<std::string> problem = misfit(op, A.layout(), B.layout(), comm.size());
  if (!problem) problem = Impl::problem_with_parts(alpha, A, B, comm.rank());
  comm.agree(problem, "arguments", key + ", alpha and beta " + scalars(alpha, beta));
  const auto prepared = comm.state().cache.get<Impl>(key, [&]() -> Cache::Value {
    const auto made = std::make_shared<Impl>(comm, op, A.layout(), B.layout());
    return {made, bytes_of(made->schedule)};
  });
  return prepared->run(alpha, A, beta, B);
}

#define CAIRN_INSTANTIATE(T)        \
  template class Redistribution<T>; \
  template RunReport redistribute(const Comm&, Op, T, const DistMatrix<T>&, T, const DistMatrix<T>&);
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
