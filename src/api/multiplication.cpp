#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>

#include "api/arguments.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "cairn/gemm.hpp"
#include "model/transport.hpp"
#include "planner/plan_data.hpp"
#include "runtime/agreement.hpp"
#include "runtime/executor.hpp"
#include "runtime/prepared_schedule.hpp"
#include "schedule/text.hpp"

namespace cairn {

namespace {

constexpr std::size_t operands = 3;
constexpr const char* operand_name[operands] = {"A", "B", "C"};

template <class T>
std::optional<std::string> problem_with(const char* name, const DistMatrix<T>& X, const Layout& expected, int rank) {
  const Layout& l = X.layout();
  if (X.rank() == rank && !(l == expected)) {
    if (l.m() != expected.m() || l.n() != expected.n())
      return fmt::format("{}: {}x{}, expected {}x{}", name, l.m(), l.n(), expected.m(), expected.n());
    return fmt::format("{}: another layout than the plan's, expected Plan::layout_{}()", name,
                       static_cast<char>(name[0] + 32));
  }
  return problem_with_part(name, X, rank);
}

// Enough to read, and a fingerprint of every step and layout, which must be the same on all ranks.
std::string describe(const Plan& plan) {
  const GemmProblem& p = plan.problem();
  return fmt::format("{} of {}x{}x{} on {} ranks, {}, {} a node, {}, schedule {:016x}", plan.algorithm(), p.m, p.n, p.k,
                     p.ranks, name_of(p.type), plan.options().ranks_per_node, plan.transport(),
                     std::hash<std::string>{}(print(plan.data().wire)));
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
  Impl(const Comm& c, Plan p, bool agreed) : comm(c), plan(std::move(p)) {
    if (!agreed) compare_plans();
    std::optional<std::string> problem;
    try {
      use_transport();
    } catch (const std::bad_alloc&) {
      problem = "plan: its buffers cannot be allocated, expected more memory or Options::memory_words";
    }
    if (agreed && problem) throw RuntimeError(*problem);
    if (!agreed) fail_together(problem);
    const std::vector<Slot> callers = schedule().callers();
    for (std::size_t x = 0; x < operands; ++x) {
      slots[x] = callers[x];
      layouts[x] = x == 0 ? plan.layout_a() : x == 1 ? plan.layout_b() : plan.layout_c();
    }
    leading.assign(schedule().slots.size(), 0);
    mine.assign(schedule().slots.size(), false);
    arrays.assign(schedule().slots.size(), nullptr);
    // Where the arrays lie changes the memory that ranks share.
    if (prepared->transport() != Transport::node_shared) prepare({dense(0), dense(1), dense(2)}, {});
  }

  void compare_plans() const {
    std::optional<std::string> problem;
    if (plan.problem().ranks != comm.size())
      problem = fmt::format("plan: for {} ranks, expected the communicator's {}", plan.problem().ranks, comm.size());
    if (plan.problem().type != scalar_type_of<T>)
      problem = fmt::format("plan: for elements of type {}, expected {}", name_of(plan.problem().type),
                            name_of(scalar_type_of<T>));
    comm.agree(problem, "plan", describe(plan));
  }

  // RuntimeError on all ranks if any has a problem.
  void fail_together(const std::optional<std::string>& problem) const {
    try {
      comm.agree(problem);
    } catch (const ArgumentError& e) {
      throw RuntimeError(e.what());
    }
  }

  const Schedule& schedule() const { return prepared->schedule(); }

  void use_transport() {
    const Plan::Data& d = plan.data();
    const Options& o = plan.options();
    prepared.emplace(comm, Wanted{d.collective, d.wire, scalar_type_of<T>, d.transport, o.ranks_per_node,
                                  d.relabelling.labels, o.memory_words});
  }

  // Leading dimension of an operand whose local array has no padding.
  Int dense(std::size_t x) const {
    const Layout& l = layouts[x];
    if (l.blocks) return 0;
    return std::max<Int>(1, (l.order == Order::col ? l.rows_at(comm.rank()) : l.cols_at(comm.rank())).size());
  }

  // Offsets and datatypes depend on the leading dimensions, which seldom change from run to run, and where ranks share
  // memory on whether an operand is this rank's part of it.
  void prepare(const std::array<Int, operands>& ld, const std::array<T*, operands>& data) {
    for (std::size_t x = 0; x < operands; ++x) {
      const auto slot = static_cast<std::size_t>(slots[x]);
      leading[slot] = ld[x];
      std::byte* const place = prepared->own_part(slots[x]);
      mine[slot] = place && (layouts[x].words(comm.rank()) == 0 ||
                             (ld[x] == dense(x) && reinterpret_cast<std::byte*>(data[x]) == place));
    }
    if (prepared->prepare(leading, mine)) {
      executor.reset();
      program = prepared->take_program();
    }
    if (!executor) executor = std::make_unique<Executor<T>>(program, prepared->wire(program));
  }

  DistMatrix<T> own(std::size_t x) {
    const Layout& l = layouts[x];
    const auto block = std::make_shared<SharedBlock>(x < 2 ? prepared->share(slots[x]) : SharedBlock());
    if (!*block) return DistMatrix<T>::own(l, comm.rank());
    return DistMatrix<T>::share(l, comm.rank(),
                                std::shared_ptr<T>(block, reinterpret_cast<T*>(prepared->own_part(slots[x]))),
                                l.words(comm.rank()));
  }

  // Whether this rank looks at what others say of their arguments only when its part is done. Not with alpha = 0, where
  // it would send nothing; not where C's old elements count; not in a run so long that a wrong one would be a pity.
  bool goes_ahead(const Agreements& agreements, T alpha, T beta) const {
    constexpr double short_run = 0.01;  // seconds: a reduction takes thousandths of that
    return agreements.may_go_ahead() && prepared->transport() == Transport::two_sided && alpha != T(0) &&
           beta == T(0) && plan.problem().k > 0 && plan.predicted_seconds() < short_run;
  }

  RunReport run(T alpha, T beta, const DistMatrix<T>& A, const DistMatrix<T>& B, const DistMatrix<T>& C) {
    std::optional<std::string> problem = problem_with(operand_name[2], C, layouts[2], comm.rank());
    if (!problem && alpha != T(0)) problem = problem_with(operand_name[1], B, layouts[1], comm.rank());
    if (!problem && alpha != T(0)) problem = problem_with(operand_name[0], A, layouts[0], comm.rank());
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
    const auto zeros = [this](std::size_t x) { return DistMatrix<T>::own(layouts[x], comm.rank()); };
    run_agreed(T(1), T(0), zeros(0), zeros(1), zeros(2));
  }

  RunReport run_agreed(T alpha, T beta, const DistMatrix<T>& A, const DistMatrix<T>& B, const DistMatrix<T>& C) {
    if (alpha == T(0) || plan.problem().k == 0) {
      C.for_each([beta](Int, Int, T& c) { c = beta == T(0) ? T(0) : beta * c; });
      return {};
    }
    const std::array<T*, operands> data{A.data(), B.data(), C.data()};
    prepare({A.ld(), B.ld(), C.ld()}, data);
    for (std::size_t x = 0; x < operands; ++x) {
      const SharedBlock* block = prepared->block(slots[x]);
      arrays[static_cast<std::size_t>(slots[x])] = block ? reinterpret_cast<T*>(block->data()) : data[x];
    }
    Trace trace;
    const Options& options = plan.options();
    RunReport report;
    executor->restrict_to(part);
    try {
      report = executor->run(alpha, beta, arrays, reinterpret_cast<T*>(prepared->arena()),
                             options.trace.empty() ? nullptr : &trace);
    } catch (const Error& e) {
      const Schedule& s = schedule();
      const std::size_t at = executor->failed_operation();
      const std::size_t step = at < program.operations.size() ? program.operations[at].step : s.steps.size();
      throw RuntimeError(fmt::format("{}: {}", step < s.steps.size() ? label(s, step) : s.algorithm, e.what()));
    }
    if (!options.trace.empty()) write_trace(comm, schedule(), trace, options.trace);
    if (options.verify_counts && part == RunPart::all) verify(report);
    return report;
  }

  void verify(const RunReport& report) const {
    const Count& expected = prepared->count();
    std::optional<std::string> problem;
    if (report.received != expected.wire_words || report.messages != expected.messages)
      problem = fmt::format("received {} words in {} messages, where the plan counts {} in {}", report.received,
                            report.messages, expected.wire_words, expected.messages);
    if (report.from_other_nodes != expected.node_words && !problem)
      problem = fmt::format("received {} words from other nodes, where the plan counts {}", report.from_other_nodes,
                            expected.node_words);
    fail_together(problem);
  }

  // Windows and a node's memory are a plan's own.
  Int bytes() const {
    const Int own = plan.data().transport == Transport::two_sided ? 0 : plan.max_count().peak_words;
    return bytes_of(plan.data().collective) + bytes_of(plan.data().wire) + own * size_of(scalar_type_of<T>);
  }

  Comm comm;
  Plan plan;
  std::array<Slot, operands> slots{};
  std::array<Layout, operands> layouts;
  std::vector<Int> leading;
  std::vector<bool> mine;  ///< by slot: in memory that ranks share
  std::vector<T*> arrays;
  std::optional<PreparedSchedule> prepared;
  Program program;
  std::unique_ptr<Executor<T>> executor;
  RunPart part = RunPart::all;
};

template <class T>
Multiplication<T>::Multiplication(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
template <class T>
Multiplication<T>::Multiplication(const Comm& comm, Plan plan)
    : Multiplication(std::make_unique<Impl>(comm, std::move(plan), false)) {}
template <class T>
Multiplication<T> Multiplication<T>::agreed(const Comm& comm, Plan plan) {
  return Multiplication(std::make_unique<Impl>(comm, std::move(plan), true));
}
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
  impl_->part = part;
}

template <class T>
DistMatrix<T> Multiplication<T>::own_a() {
  return impl_->own(0);
}
template <class T>
DistMatrix<T> Multiplication<T>::own_b() {
  return impl_->own(1);
}
template <class T>
DistMatrix<T> Multiplication<T>::own_c() {
  return impl_->own(2);
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
  return name_of(impl_->prepared->transport());
}

template <class T>
const std::string& Multiplication<T>::obstacle() const {
  return impl_->prepared->obstacle();
}

template <class T>
const Count& Multiplication<T>::count() const {
  return impl_->prepared->count();
}

template <class T>
Int Multiplication<T>::arena_words() const {
  return impl_->prepared->arena_words();
}

template <class T>
Int Multiplication<T>::bytes() const {
  return impl_->bytes();
}

#define CAIRN_INSTANTIATE(T) template class Multiplication<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
