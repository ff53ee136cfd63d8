#include "runtime/executor.hpp"

#include "base/scalars.hpp"
#include "local/kernels/host_blas.hpp"
#include "local/kernels/triangles.hpp"
#include "local/kernels/update_matched.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

template <class T>
RunReport Executor<T>::run(T alpha, T beta, std::span<T* const> arrays, T* arena, Trace* trace) {
  alpha_ = alpha;
  beta_ = beta;
  arrays_ = arrays;
  arena_ = arena;
  trace_ = trace;
  report_ = {};
  const double start = now_ = MPI_Wtime();
  wire_->begin([this](Slot storage) { return reinterpret_cast<std::byte*>(storage < 0 ? arena_ : base(storage)); });
  follower_.run().start();
  wire_->end();
  if (!program_.operations.empty()) lap(program_.operations.back().step, "wait", &RunReport::wait_seconds);
  if (program_.factors) report_.info = wire_->first(report_.info);
  report_.seconds = now_ - start;
  report_.received = wire_->received();
  report_.from_other_nodes = wire_->from_other_nodes();
  report_.messages = wire_->messages();
  return report_;
}

template <class T>
void Executor<T>::lap(std::size_t step, const char* what, double RunReport::*seconds) {
  const double then = MPI_Wtime();
  report_.*seconds += then - now_;
  if (trace_) trace_->events.push_back({step, what, now_, then - now_});
  now_ = then;
}

template <class T>
bool Executor<T>::does(const Operation& op) const {
  return part_ == RunPart::all || computes(op) == (part_ == RunPart::products);
}

template <class T>
void Executor<T>::prepared(const Operation& op) {
  lap(op.step, "wait", &RunReport::wait_seconds);
}

template <class T>
void Executor<T>::done(const Operation& op) {
  struct Kind {
    const char* name;
    double RunReport::*seconds;
  };
  struct Of {
    Kind operator()(const Exchange&) const { return {"post", &RunReport::other_seconds}; }
    Kind operator()(const LocalUpdate&) const { return {"copy", &RunReport::other_seconds}; }
    Kind operator()(const LocalGemm&) const { return {"gemm", &RunReport::gemm_seconds}; }
    Kind operator()(const LocalTriangle&) const { return {"triangle", &RunReport::gemm_seconds}; }
    Kind operator()(const SumExchange&) const { return {"sum", &RunReport::wait_seconds}; }
    Kind operator()(const Reshuffle&) const { return {"redistribute", &RunReport::redistribute_seconds}; }
    Kind operator()(const Meet&) const { return {"wait", &RunReport::wait_seconds}; }
  };
  const Kind kind = std::visit(Of{}, op.what);
  lap(op.step, kind.name, kind.seconds);
  if (const auto* x = std::get_if<LocalUpdate>(&op.what); x && x->update == Update::overwrite)
    report_.copied_bytes += x->words() * size_of(scalar_type_of<T>);
}

template <class T>
T* Executor<T>::base(Slot storage) const {
  if (storage < 0) return arena_;
  const Int offset = program_.placement.offset[static_cast<std::size_t>(storage)];
  return offset >= 0 ? arena_ + offset : arrays_[static_cast<std::size_t>(storage)];
}

template <class T>
T Executor<T>::factor(Factor factor) const {
  switch (factor) {
    case Factor::alpha: return alpha_;
    case Factor::one: return T(1);
    case Factor::minus_one: return T(-1);
    case Factor::zero: break;
  }
  return T(0);
}

template <class T>
bool Executor<T>::sums(const SumExchange& x, std::size_t step) {
  return wire_->sum(
      x, step, [&] { update(x.own); }, [&](const std::byte* sums) { add(x, reinterpret_cast<const T*>(sums)); });
}

// --- local work

template <class T>
TwoSided::Over Executor<T>::update(const LocalUpdate& x) const {
  for (const PairedBlock& b : x.blocks)
    move(b, base(b.dst.storage), base(b.src.storage), T(1), factor(x.update), false);
  return {};
}

template <class T>
void Executor<T>::add(const SumExchange& x, const T* piece) const {
  move(x.unpack, base(x.unpack.dst.storage), piece, T(1), T(1), false);
}

template <class T>
TwoSided::Over Executor<T>::add(const SumExchange& x, Int place) const {
  add(x, arena_ + place);
  return {};
}

template <class T>
TwoSided::Over Executor<T>::multiply(const LocalGemm& x, Int lo, Int cols) const {
  const auto B = part(view<const T>(x.B), 0, x.B.rows, lo, cols);
  const auto C = part(view(x.C), 0, x.C.rows, lo, cols);
  local_gemm<T>(factor(x.factor), view<const T>(x.A), B, factor(x.update), C, x.conjugate_a, x.conjugate_b);
  return {};
}

template <class T>
TwoSided::Over Executor<T>::triangle(const LocalTriangle& x) {
  switch (x.kernel) {
    case Kernel::trsm: local_trsm<T>(x.side, x.shape, x.diag, view<const T>(x.A), x.conjugate_a, view(x.C)); break;
    case Kernel::scal: local_scal<T>(factor(x.factor), view(x.C)); break;
    case Kernel::potrf:
      if (const Int failed = local_potrf<T>(x.shape, view(x.C)); failed > 0 && report_.info == 0)
        report_.info = x.first + failed;
      break;
    case Kernel::gemm:
    case Kernel::gemmt:
      local_gemmt<T>(x.shape, factor(x.factor), view<const T>(x.A), view<const T>(x.B), factor(x.update), view(x.C),
                     x.conjugate_a, x.conjugate_b);
  }
  return {};
}

template <class T>
void Executor<T>::move(const PairedBlock& b, T* to, const T* from, T alpha, T beta, bool conjugate) const {
  update_matched<T>(b.rows, b.cols, {to + b.dst.base, b.dst.rs, b.dst.cs}, {from + b.src.base, b.src.rs, b.src.cs},
                    alpha, beta, conjugate);
}

template <class T>
TwoSided::Over Executor<T>::pack(const Reshuffle& x, const Reshuffle::Parcel& p, Int place) const {
  for (const PairedBlock& b : p.blocks)
    move(b, arena_ + place, base(x.src), x.scaled ? alpha_ : T(1), T(0), x.conjugate);
  return {};
}

template <class T>
TwoSided::Over Executor<T>::keep(const Reshuffle& x) const {
  for (const PairedBlock& b : x.kept)
    move(b, base(x.dst), base(x.src), x.scaled ? alpha_ : T(1), factor(x.update), x.conjugate);
  return {};
}

template <class T>
TwoSided::Over Executor<T>::unpack(const Reshuffle& x, const Reshuffle::Parcel& p, Int place) const {
  for (const PairedBlock& b : p.blocks) move(b, base(x.dst), arena_ + place, T(1), factor(x.update), false);
  return {};
}

#define CAIRN_INSTANTIATE(T) template class Executor<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
