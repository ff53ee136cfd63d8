// A schedule that runs on callers' matrices as often as they like: what products, factorisations and solves share.
#pragma once
#include <fmt/format.h>

#include <memory>
#include <span>
#include <vector>

#include "api/arguments.hpp"
#include "api/made_together.hpp"
#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "cairn/matrix.hpp"
#include "cairn/options.hpp"
#include "runtime/agreed_errors.hpp"
#include "runtime/executor.hpp"
#include "runtime/prepared_schedule.hpp"

namespace cairn {

/// What plans say that do not find memory.
inline constexpr const char* no_buffers =
    "plan: its buffers cannot be allocated, expected more memory or Options::memory_words";

template <class T>
class PreparedRun {
 public:
  /// `layouts` are those of the schedule's callers, in their order. Collective; throws std::bad_alloc on ranks without
  /// memory for the buffers.
  PreparedRun(const Comm& comm, Wanted wanted, std::vector<Layout> layouts, const Options& options)
      : comm_(comm), options_(options), layouts_(std::move(layouts)), prepared_(comm, std::move(wanted)) {
    slots_ = prepared_.schedule().callers();
    leading_.assign(prepared_.schedule().slots.size(), 0);
    mine_.assign(leading_.size(), false);
    arrays_.assign(leading_.size(), nullptr);
    // Where the arrays lie changes the memory that ranks share.
    if (prepared_.transport() == Transport::node_shared) return;
    for (std::size_t x = 0; x < slots_.size(); ++x) leading_[slot(x)] = dense(x);
    make_ready();
  }

  const PreparedSchedule& prepared() const { return prepared_; }
  const Layout& layout(std::size_t x) const { return layouts_[x]; }
  void restrict_to(RunPart part) { part_ = part; }

  /// Caller number x's own matrix, where the transport likes it best.
  DistMatrix<T> own(std::size_t x, bool shared) {
    const Layout& l = layouts_[x];
    const auto block = std::make_shared<SharedBlock>(shared ? prepared_.share(slots_[x]) : SharedBlock());
    if (!*block) return DistMatrix<T>::own(l, comm_.rank());
    return DistMatrix<T>::share(l, comm_.rank(),
                                std::shared_ptr<T>(block, reinterpret_cast<T*>(prepared_.own_part(slots_[x]))),
                                l.words(comm_.rank()));
  }

  /// What is wrong with this rank's parts of matrices of which the last is the result; with alpha = 0 others do not
  /// count.
  std::optional<std::string> problem_with(T alpha, std::span<const DistMatrix<T>* const> matrices) const {
    for (std::size_t x = matrices.size(); x-- > 0;)
      if (x + 1 == matrices.size() || alpha != T(0))
        if (auto problem = problem_with(x, *matrices[x])) return problem;
    return {};
  }

  /// With alpha = 0: nothing is read but the result, and nothing travels. Collective if there is to be a trace.
  RunReport scale(T beta, const DistMatrix<T>& result) {
    if (beta != T(1)) result.for_each([beta](Int, Int, T& x) { x = scaled(beta, x); });
    if (!options_.trace.empty()) write_trace(comm_, prepared_.schedule(), {}, options_.trace);
    return {};
  }

  /// On matrices that fit. Collective.
  RunReport run(T alpha, T beta, std::span<const DistMatrix<T>* const> matrices) {
    for (std::size_t x = 0; x < matrices.size(); ++x) {
      const DistMatrix<T>& X = *matrices[x];
      const std::byte* const place = prepared_.own_part(slots_[x]);
      leading_[slot(x)] = X.ld();
      mine_[slot(x)] = place && (layouts_[x].words(comm_.rank()) == 0 ||
                                 (X.ld() == dense(x) && reinterpret_cast<const std::byte*>(X.data()) == place));
    }
    make_ready();
    for (std::size_t x = 0; x < matrices.size(); ++x) {
      const SharedBlock* block = prepared_.block(slots_[x]);
      arrays_[slot(x)] = block ? reinterpret_cast<T*>(block->data()) : matrices[x]->data();
    }
    Trace trace;
    const bool traced = !options_.trace.empty();
    const RunReport report = execute(alpha, beta, traced ? &trace : nullptr);
    if (traced) write_trace(comm_, prepared_.schedule(), trace, options_.trace);
    if (options_.verify_counts && part_ == RunPart::all) verify(report);
    return report;
  }

 private:
  std::size_t slot(std::size_t x) const { return static_cast<std::size_t>(slots_[x]); }

  std::optional<std::string> problem_with(std::size_t x, const DistMatrix<T>& X) const {
    constexpr const char *names[] = {"A", "B", "C"}, *small[] = {"a", "b", "c"};
    const Layout &l = X.layout(), &expected = layouts_[x];
    if (X.rank() != comm_.rank() || l == expected) return problem_with_operand(names[x], X, comm_.rank());
    if (l.m() != expected.m() || l.n() != expected.n())
      return fmt::format("{}: {}x{}, expected {}x{}", names[x], l.m(), l.n(), expected.m(), expected.n());
    return fmt::format("{}: another layout than the plan's, expected its layout_{}()", names[x], small[x]);
  }

  // Leading dimension of a caller's local array that has no padding.
  Int dense(std::size_t x) const {
    const Layout& l = layouts_[x];
    if (l.blocks) return 0;
    return std::max<Int>(1, (l.order == Order::col ? l.rows_at(comm_.rank()) : l.cols_at(comm_.rank())).size());
  }

  // Offsets and datatypes depend on the leading dimensions, which seldom change from run to run, and where ranks share
  // memory on whether an operand is this rank's part of it.
  void make_ready() {
    if (prepared_.prepare(leading_, mine_)) {
      executor_.reset();
      program_ = prepared_.take_program();
    }
    if (!executor_) executor_ = std::make_unique<Executor<T>>(program_, prepared_.wire(program_));
  }

  RunReport execute(T alpha, T beta, Trace* trace) {
    executor_->restrict_to(part_);
    try {
      return executor_->run(alpha, beta, arrays_, reinterpret_cast<T*>(prepared_.arena()), trace);
    } catch (const Error& e) {
      const Schedule& s = prepared_.schedule();
      const std::size_t at = executor_->failed_operation();
      const std::size_t step = at < program_.operations.size() ? program_.operations[at].step : s.steps.size();
      throw RuntimeError(fmt::format("{}: {}", step < s.steps.size() ? label(s, step) : s.algorithm, e.what()));
    }
  }

  void verify(const RunReport& report) const {
    const Count& expected = prepared_.count();
    std::optional<std::string> problem;
    if (report.received != expected.wire_words || report.messages != expected.messages)
      problem = fmt::format("received {} words in {} messages, where the plan counts {} in {}", report.received,
                            report.messages, expected.wire_words, expected.messages);
    if (report.from_other_nodes != expected.node_words && !problem)
      problem = fmt::format("received {} words from other nodes, where the plan counts {}", report.from_other_nodes,
                            expected.node_words);
    fail_together(comm_, Trouble::Kind::runtime, problem);
  }

  const Comm comm_;
  const Options options_;
  const std::vector<Layout> layouts_;
  PreparedSchedule prepared_;
  std::vector<Slot> slots_;  ///< of the callers
  std::vector<Int> leading_;
  std::vector<bool> mine_;  ///< by slot: in memory that ranks share
  std::vector<T*> arrays_;
  Program program_;
  std::unique_ptr<Executor<T>> executor_;
  RunPart part_ = RunPart::all;
};

}  // namespace cairn
