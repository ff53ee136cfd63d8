#include "runtime/executor.hpp"

#include "base/scalars.hpp"
#include "runtime/kernels/host_blas.hpp"
#include "runtime/kernels/triangles.hpp"
#include "runtime/kernels/update_matched.hpp"
#include "runtime/mpi_check.hpp"

namespace cairn {

namespace {

struct Kind {
  const char* name;
  double RunReport::*seconds;
};

Kind kind_of(const Operation& op) {
  struct Of {
    Kind operator()(const Exchange&) const { return {"post", &RunReport::other_seconds}; }
    Kind operator()(const LocalUpdate&) const { return {"copy", &RunReport::other_seconds}; }
    Kind operator()(const LocalGemm&) const { return {"gemm", &RunReport::gemm_seconds}; }
    Kind operator()(const LocalTriangle&) const { return {"triangle", &RunReport::gemm_seconds}; }
    Kind operator()(const SumExchange&) const { return {"sum", &RunReport::wait_seconds}; }
    Kind operator()(const Reshuffle&) const { return {"redistribute", &RunReport::redistribute_seconds}; }
    Kind operator()(const Meet&) const { return {"wait", &RunReport::wait_seconds}; }
  };
  return std::visit(Of{}, op.what);
}

bool computes(const Operation& op) {
  return std::holds_alternative<LocalGemm>(op.what) || std::holds_alternative<LocalTriangle>(op.what);
}

}  // namespace

template <class T>
RunReport Executor<T>::run(T alpha, T beta, std::span<T* const> arrays, T* arena, Trace* trace) {
  alpha_ = alpha;
  beta_ = beta;
  arrays_ = arrays;
  arena_ = arena;
  report_ = {};
  const double start = MPI_Wtime();
  double now = start;
  const auto lap = [&](std::size_t step, Kind kind) {
    const double then = MPI_Wtime();
    report_.*kind.seconds += then - now;
    if (trace) trace->events.push_back({step, kind.name, now, then - now});
    now = then;
  };
  at_ = 0;
  deferred_.begin();
  wire_->begin([this](Slot storage) { return reinterpret_cast<std::byte*>(storage < 0 ? arena_ : base(storage)); });
  for (; at_ < program_.operations.size(); ++at_) {
    const Operation& op = program_.operations[at_];
    const bool product = computes(op);
    if (part_ == RunPart::products && !product) continue;
    if (part_ != RunPart::products && prepare(op)) lap(op.step, {"wait", &RunReport::wait_seconds});
    if (part_ == RunPart::all_but_the_products && product) continue;
    std::visit([this](const auto& x) { execute(x); }, op.what);
    lap(op.step, kind_of(op));
  }
  at_ = program_.operations.empty() ? 0 : program_.operations.size() - 1;
  const std::size_t last = program_.operations.empty() ? 0 : program_.operations[at_].step;
  deferred_.flush();
  if (wire_->pending()) wire_->wait({0, static_cast<Int>(program_.requests)});
  wire_->end();
  lap(last, {"wait", &RunReport::wait_seconds});
  if (program_.factors) report_.info = wire_->first(report_.info);
  report_.seconds = now - start;
  report_.received = wire_->received();
  report_.from_other_nodes = wire_->from_other_nodes();
  report_.messages = wire_->messages();
  return report_;
}

template <class T>
T* Executor<T>::base(Slot storage) const {
  if (storage < 0) return arena_;
  const Int offset = program_.placement.offset[static_cast<std::size_t>(storage)];
  return offset >= 0 ? arena_ + offset : arrays_[static_cast<std::size_t>(storage)];
}

template <class T>
MatrixView<T> Executor<T>::view(const LocalView& v) const {
  return {base(v.storage) + v.offset, v.rows, v.cols, v.ld, v.order};
}

template <class T>
void Executor<T>::update(const LocalView& dst, const LocalView& src, const T* src_base, T beta) const {
  update_block<T>(dst.rows, dst.cols, {base(dst.storage) + dst.offset, dst.rs(), dst.cs()},
                  {src_base + src.offset, src.rs(), src.cs()}, beta);
}

// Exchanges find their own time. Others that travel complete their messages themselves, and look after nothing else.
template <class T>
bool Executor<T>::prepare(const Operation& op) {
  if (std::holds_alternative<Exchange>(op.what)) return false;
  const bool waits = !op.wait.empty() || !deferred_.empty();
  if (std::holds_alternative<LocalUpdate>(op.what) || computes(op))
    deferred_.advance();
  else
    deferred_.flush();
  deferred_.wait(op.wait);
  if (computes(op)) deferred_.send_on();
  return waits;
}

template <class T>
void Executor<T>::execute(const Exchange&) {
  deferred_.post(program_.operations[at_]);
}

template <class T>
void Executor<T>::update(const LocalUpdate& x) const {
  for (const LocalUpdate::Pair& p : x.pairs) update(p.dst, p.src, base(p.src.storage), factor(x.update));
}

template <class T>
void Executor<T>::execute(const LocalUpdate& x) {
  update(x);
  for (const LocalUpdate::Pair& p : x.pairs)
    if (x.update == Update::overwrite) report_.copied_bytes += p.src.rows * p.src.cols * size_of(scalar_type_of<T>);
}

template <class T>
void Executor<T>::execute(const Meet& x) {
  wire_->meet(x);
}

template <class T>
void Executor<T>::execute(const LocalGemm& x) {
  const MatrixView<T> A = view(x.A), B = view(x.B), C = view(x.C);
  const T beta = factor(x.update);
  const auto multiply = [&](Int lo, Int n) {  // columns [lo, lo + n) of C
    const auto from = [lo](const MatrixView<T>& v) { return v.data + lo * (v.order == Order::col ? v.ld : 1); };
    local_gemm<T>(factor(x.factor), {A.data, A.rows, A.cols, A.ld, A.order}, {from(B), B.rows, n, B.ld, B.order}, beta,
                  {from(C), C.rows, n, C.ld, C.order}, x.conjugate_a, x.conjugate_b);
  };
  Int lo = 0;
  const auto travels = [this] {
    deferred_.advance();
    return !deferred_.empty() || wire_->in_flight();
  };
  for (; lo + 2 * x.piece <= C.cols && travels(); lo += x.piece) multiply(lo, x.piece);
  multiply(lo, C.cols - lo);
}

template <class T>
void Executor<T>::execute(const LocalTriangle& x) {
  const auto read = [this](const LocalView& v) {
    return MatrixView<const T>{base(v.storage) + v.offset, v.rows, v.cols, v.ld, v.order};
  };
  switch (x.kernel) {
    case Kernel::trsm: return local_trsm<T>(x.side, x.shape, read(x.A), x.conjugate_a, view(x.C));
    case Kernel::potrf:
      if (const Int failed = local_potrf<T>(x.shape, view(x.C)); failed > 0 && report_.info == 0)
        report_.info = x.first + failed;
      return;
    case Kernel::gemm:
    case Kernel::gemmt: break;
  }
  local_gemmt<T>(x.shape, factor(x.factor), read(x.A), read(x.B), factor(x.update), view(x.C), x.conjugate_a,
                 x.conjugate_b);
}

template <class T>
void Executor<T>::execute(const SumExchange& x) {
  const auto add = [&](const std::byte* piece) {
    for (const LocalUpdate::Pair& p : x.unpack) update(p.dst, p.src, reinterpret_cast<const T*>(piece), T(1));
  };
  wire_->sum(
      x, program_.operations[at_].step, [&] { update(x.own); }, add);
}

template <class T>
void Executor<T>::move(const Reshuffle::Block& b, T* to, const T* from, T alpha, T beta, bool conjugate) const {
  update_matched<T>(b.rows, b.cols, {to + b.dst.base, b.dst.rs, b.dst.cs}, {from + b.src.base, b.src.rs, b.src.cs},
                    alpha, beta, conjugate);
}

template <class T>
void Executor<T>::execute(const Reshuffle& x) {
  const std::size_t own = wire_->own_requests();
  wire_->reserve(own + x.receives.size() + x.sends.size());
  const std::size_t step = program_.operations[at_].step;
  const T alpha = x.scaled ? alpha_ : T(1), beta = factor(x.update);
  T* buffer = x.buffer >= 0 ? arena_ + x.buffer : nullptr;
  T* const arriving = buffer;
  std::size_t request = own;
  for (const Reshuffle::Parcel& p : x.receives) {
    wire_->receive(request++, buffer, p.words, p.peer, step);
    buffer += p.words;
  }
  for (const Reshuffle::Parcel& p : x.sends) {
    for (const Reshuffle::Block& b : p.blocks) move(b, buffer, base(x.src), alpha, T(0), x.conjugate);
    wire_->send(request++, buffer, p.words, p.peer, step);
    buffer += p.words;
  }
  for (const Reshuffle::Block& b : x.kept) move(b, base(x.dst), base(x.src), alpha, beta, x.conjugate);
  buffer = arriving;
  for (std::size_t i = 0; i < x.receives.size(); ++i) {
    wire_->wait({static_cast<Int>(own + i), static_cast<Int>(own + i + 1)});
    for (const Reshuffle::Block& b : x.receives[i].blocks) move(b, base(x.dst), buffer, T(1), beta, false);
    buffer += x.receives[i].words;
  }
  wire_->wait({static_cast<Int>(own + x.receives.size()), static_cast<Int>(request)});
}

#define CAIRN_INSTANTIATE(T) template class Executor<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)
#undef CAIRN_INSTANTIATE

}  // namespace cairn
