// Follows one rank's program over MPI.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "cairn/comm.hpp"
#include "cairn/matrix.hpp"
#include "cairn/report.hpp"
#include "program/program.hpp"
#include "runtime/deferred.hpp"
#include "runtime/trace.hpp"

namespace cairn {

template <class T>
class Executor {
 public:
  Executor(const Program& program, std::unique_ptr<TwoSided> wire)
      : program_(program), wire_(std::move(wire)), deferred_(program_, *wire_) {}

  /// One run. `arrays` gives, by slot, the caller's memory; scratch slots live in `arena`.
  /// Throws RuntimeError if an MPI call fails; failed_operation() says where.
  RunReport run(T alpha, T beta, std::span<T* const> arrays, T* arena, Trace* trace);
  /// Of later runs, to tell what each costs. The same on all ranks.
  void restrict_to(RunPart part) { part_ = part; }
  std::size_t failed_operation() const { return at_; }

 private:
  /// Before an operation. Whether it had to wait.
  bool prepare(const Operation& op);
  void execute(const Exchange& x);
  void execute(const LocalUpdate& x);
  void execute(const LocalGemm& x);
  void execute(const LocalTriangle& x);
  void execute(const SumExchange& x);
  void execute(const Reshuffle& x);
  void execute(const Meet& x);

  T* base(Slot storage) const;
  MatrixView<T> view(const LocalView& v) const;
  T factor(Factor factor) const { return factor == Factor::alpha ? alpha_ : factor == Factor::one ? T(1) : T(-1); }
  T factor(Update update) const { return update == Update::overwrite ? T(0) : update == Update::beta ? beta_ : T(1); }
  void update(const LocalView& dst, const LocalView& src, const T* src_base, T beta) const;
  void update(const LocalUpdate& x) const;
  /// Between arrays or messages that begin at `to` and `from`.
  void move(const Reshuffle::Block& block, T* to, const T* from, T alpha, T beta, bool conjugate) const;

  const Program& program_;
  const std::unique_ptr<TwoSided> wire_;
  Deferred deferred_;
  RunPart part_ = RunPart::all;
  T alpha_{}, beta_{};
  std::span<T* const> arrays_;
  T* arena_ = nullptr;
  std::size_t at_ = 0;
  RunReport report_;
};

}  // namespace cairn
