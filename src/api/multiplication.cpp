#include <fmt/format.h>

#include <algorithm>

#include "api/arguments.hpp"
#include "base/scalars.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "cairn/gemm.hpp"
#include "interpret/shared.hpp"
#include "model/transport.hpp"
#include "planner/plan_data.hpp"
#include "runtime/executor.hpp"
#include "runtime/ready.hpp"
#include "runtime/shared/shared_run.hpp"
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
    for (std::size_t x = 0; x < operands; ++x) {
      slots[x] = schedule().find(operand_name[x]);
      layouts[x] = x == 0 ? plan.layout_a() : x == 1 ? plan.layout_b() : plan.layout_c();
    }
    leading.assign(schedule().slots.size(), 0);
    arrays.assign(schedule().slots.size(), nullptr);
    if (shared) return;
    make_ready({dense(0), dense(1), dense(2)});
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

  // Ranks that share memory carry out collectives as such; messages need them expanded.
  const Schedule& schedule() const { return shared ? plan.data().collective : plan.data().wire; }

  void use_transport() {
    const Plan::Data& d = plan.data();
    const Options& o = plan.options();
    if (d.transport == Transport::node_shared) {
      shared = std::make_unique<SharedRun>(comm, d.collective, scalar_type_of<T>, o.ranks_per_node);
      expected = count_shared(d.collective, nodes_of(comm, o.ranks_per_node).of, comm.rank());
      shared->require(expected.peak_words, o.memory_words);
      obstacle = shared->obstacle();
      if (!obstacle.empty()) shared.reset();
    }
    transport = Transport::node_shared;
    if (shared) return;
    const Labels& labels = d.relabelling.labels;
    ready.emplace(comm, d.wire, scalar_type_of<T>, d.transport, o.ranks_per_node, labels);
    transport = ready->transport();
    if (d.transport == Transport::one_sided) obstacle = ready->obstacle();
    const Nodes& nodes = nodes_of(comm, o.ranks_per_node);
    const Int position = labels.position(comm.rank());
    expected = cairn::count(d.collective, d.wire, position, transport);
    expected.node_words = node_words(
        d.wire, position, [&](Int peer) { return !nodes.same(static_cast<int>(labels.rank(peer)), comm.rank()); });
  }

  // Leading dimension of an operand whose local array has no padding.
  Int dense(std::size_t x) const {
    const Layout& l = layouts[x];
    if (l.blocks) return 0;
    return std::max<Int>(1, (l.order == Order::col ? l.rows_at(comm.rank()) : l.cols_at(comm.rank())).size());
  }

  // Offsets and datatypes depend on the leading dimensions, which seldom change from run to run.
  void make_ready(const std::array<Int, operands>& ld) {
    if (executor && std::equal(ld.begin(), ld.end(), slots.begin(),
                               [&](Int a, Slot x) { return leading[static_cast<std::size_t>(x)] == a; }))
      return;
    for (std::size_t x = 0; x < operands; ++x) leading[static_cast<std::size_t>(slots[x])] = ld[x];
    executor.reset();
    program = ready->program(leading);
    executor = std::make_unique<Executor<T>>(program, ready->wire(program));
  }

  // Whether an operand is this rank's part of the memory that the node shares changes the program, too.
  void make_ready_shared(const std::array<Int, operands>& ld, const std::array<T*, operands>& data) {
    std::vector<bool> mine(leading.size(), false);
    for (std::size_t x = 0; x < operands; ++x) {
      const auto slot = static_cast<std::size_t>(slots[x]);
      leading[slot] = ld[x];
      const Layout& l = layouts[x];
      mine[slot] = shared->own_part(slots[x]) &&
                   (l.words(comm.rank()) == 0 ||
                    (ld[x] == dense(x) && reinterpret_cast<std::byte*>(data[x]) == shared->own_part(slots[x])));
    }
    if (!shared->prepare(leading, mine)) return;
    executor.reset();
    program = shared->take_program();
    executor = std::make_unique<Executor<T>>(program, shared->wire(program));
  }

  DistMatrix<T> own(std::size_t x) {
    const Layout& l = layouts[x];
    const auto block = shared && x < 2 ? std::make_shared<SharedBlock>(shared->share(slots[x])) : nullptr;
    if (!block || !*block) return DistMatrix<T>::own(l, comm.rank());
    return DistMatrix<T>::share(l, comm.rank(),
                                std::shared_ptr<T>(block, reinterpret_cast<T*>(shared->own_part(slots[x]))),
                                l.words(comm.rank()));
  }

  RunReport run(T alpha, T beta, const DistMatrix<T>& A, const DistMatrix<T>& B, const DistMatrix<T>& C) {
    std::optional<std::string> problem = problem_with(operand_name[2], C, layouts[2], comm.rank());
    if (!problem && alpha != T(0)) problem = problem_with(operand_name[1], B, layouts[1], comm.rank());
    if (!problem && alpha != T(0)) problem = problem_with(operand_name[0], A, layouts[0], comm.rank());
    comm.agree(problem, "alpha and beta", text_of(alpha) + " and " + text_of(beta));
    return run_agreed(alpha, beta, A, B, C);
  }

  RunReport run_agreed(T alpha, T beta, const DistMatrix<T>& A, const DistMatrix<T>& B, const DistMatrix<T>& C) {
    if (alpha == T(0) || plan.problem().k == 0) {
      C.for_each([beta](Int, Int, T& c) { c = beta == T(0) ? T(0) : beta * c; });
      return {};
    }
    const std::array<T*, operands> data{A.data(), B.data(), C.data()};
    if (shared)
      make_ready_shared({A.ld(), B.ld(), C.ld()}, data);
    else
      make_ready({A.ld(), B.ld(), C.ld()});
    for (std::size_t x = 0; x < operands; ++x) {
      const SharedBlock* block = shared ? shared->block(slots[x]) : nullptr;
      arrays[static_cast<std::size_t>(slots[x])] = block ? reinterpret_cast<T*>(block->data()) : data[x];
    }
    std::byte* const buffers = shared ? shared->arena() : ready->arena().data();
    Trace trace;
    const Options& options = plan.options();
    RunReport report;
    executor->restrict_to(part);
    try {
      report =
          executor->run(alpha, beta, arrays, reinterpret_cast<T*>(buffers), options.trace.empty() ? nullptr : &trace);
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
  std::vector<T*> arrays;
  Transport transport = Transport::two_sided;
  std::unique_ptr<SharedRun> shared;  ///< with node-shared only
  std::optional<Ready> ready;         ///< with all others
  std::string obstacle;               ///< why not the transport that was asked for
  Program program;
  std::unique_ptr<Executor<T>> executor;
  RunPart part = RunPart::all;
  Count expected;
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
  return name_of(impl_->transport);
}

template <class T>
const std::string& Multiplication<T>::obstacle() const {
  return impl_->obstacle;
}

template <class T>
const Count& Multiplication<T>::count() const {
  return impl_->expected;
}

template <class T>
Int Multiplication<T>::arena_words() const {
  return impl_->shared ? impl_->shared->arena_words() : impl_->ready->arena().bytes() / size_of(scalar_type_of<T>);
}

template <class T>
Int Multiplication<T>::bytes() const {
  return impl_->bytes();
}

#define CAIRN_INSTANTIATE(T) template class Multiplication<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
