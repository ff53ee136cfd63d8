// Follows one rank's program over MPI.
#pragma once
#include <memory>
#include <span>

#include "cairn/comm.hpp"
#include "cairn/matrix.hpp"
#include "cairn/report.hpp"
#include "program/follower.hpp"
#include "runtime/trace.hpp"
#include "runtime/transport/two_sided.hpp"

namespace cairn {

template <class T>
class Executor {
 public:
  Executor(const Program& program, std::unique_ptr<TwoSided> wire)
      : program_(program), wire_(std::move(wire)), follower_(program_, *this, *wire_) {}
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// One run. `arrays` gives, by slot, the caller's memory; scratch slots live in `arena`.
  /// Throws RuntimeError if an MPI call fails; failed_operation() says where.
  RunReport run(T alpha, T beta, std::span<T* const> arrays, T* arena, Trace* trace);
  /// Of later runs, to tell what each costs. The same on all ranks.
  void restrict_to(RunPart part) { part_ = part; }
  std::size_t failed_operation() const { return follower_.at(); }

 private:
  friend class Follower<Executor, TwoSided>;
  using Over = TwoSided::Over;

  // --- what Follower asks for
  bool prepares(const Operation&) const { return part_ != RunPart::products; }
  bool does(const Operation& op) const;
  void prepared(const Operation& op);
  void done(const Operation& op);
  Over begin(const Operation&) const { return {}; }
  bool sums(const SumExchange& x, std::size_t step);
  Over update(const LocalUpdate& x) const;
  Over add(const SumExchange& x, Int place) const;
  Over multiply(const LocalGemm& x, Int lo, Int cols) const;
  Over triangle(const LocalTriangle& x);
  Over pack(const Reshuffle& x, const Reshuffle::Parcel& p, Int place) const;
  Over keep(const Reshuffle& x) const;
  Over unpack(const Reshuffle& x, const Reshuffle::Parcel& p, Int place) const;

  T* base(Slot storage) const;
  template <class Element = T>
  MatrixView<Element> view(const LocalView& v) const {
    return {base(v.storage) + v.offset, v.rows, v.cols, v.ld, v.order};
  }
  T factor(Factor factor) const;
  T factor(Update update) const { return update == Update::overwrite ? T(0) : update == Update::beta ? beta_ : T(1); }
  void add(const SumExchange& x, const T* piece) const;
  /// Between arrays or messages that begin at `to` and `from`.
  void move(const PairedBlock& block, T* to, const T* from, T alpha, T beta, bool conjugate) const;
  /// What the time since the last lap went into.
  void lap(std::size_t step, const char* what, double RunReport::*seconds);

  const Program& program_;
  const std::unique_ptr<TwoSided> wire_;
  Follower<Executor, TwoSided> follower_;
  RunPart part_ = RunPart::all;
  T alpha_{}, beta_{};
  std::span<T* const> arrays_;
  T* arena_ = nullptr;
  Trace* trace_ = nullptr;
  double now_ = 0;
  RunReport report_;
};

}  // namespace cairn
