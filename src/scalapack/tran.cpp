#include "scalapack/tran.hpp"

#include <fmt/format.h>

#include "cairn/cairn.hpp"
#include "scalapack/original.hpp"
#include "scalapack/same_everywhere.hpp"
#include "scalapack/settings.hpp"
#include "scalapack/stand_in.hpp"
#include "scalapack/thresholds.hpp"

namespace cairn::scalapack {

namespace {

// Places of the arguments in the call, from 1.
enum At { m_at = 1, n_at, alpha_at, desc_a_at = 7, beta_at, desc_c_at = 12 };

template <class T, Op op>
class Tran : public StandIn {
 public:
  explicit Tran(const TranCall<T, op>& call)
      : StandIn(call.desc_a[1], routine_name<TranCall<T, op>>),
        call_(call),
        m_(*call.m),
        n_(*call.n),
        a_{"A", n_, n_at, m_, m_at, *call.ia - Int{1}, *call.ja - Int{1}, parse_descriptor(call.desc_a), desc_a_at},
        c_{"C", m_, m_at, n_, n_at, *call.ic - Int{1}, *call.jc - Int{1}, parse_descriptor(call.desc_c), desc_c_at} {}

  void run() {
    check();
    if (findings_.abort()) return;
    const Comm comm = comm_of(context_);
    global_arguments().compare(comm, findings_);
    if (findings_.abort()) return;
    if (m_ == 0 || n_ == 0) return handled("C has no elements", {});
    if (settings().use == Settings::Use::always || *call_.alpha == T(0) || worth_moving(m_, n_, comm.size()))
      transpose(comm);
    else
      hand_back_small();
  }

 private:
  void check() {
    if (!on_grid(desc_a_at)) return;
    for (const MatrixArgument* x : {&a_, &c_}) check_matrix(findings_, *x, context_, grid_);
  }

  GlobalArguments global_arguments() const {
    GlobalArguments all;
    all.add({m_at}, "the routine", static_cast<Int>(scalar_type_of<T>) * 4 + static_cast<Int>(op));
    all.add({m_at}, "M", m_);
    all.add({n_at}, "N", n_);
    all.add({"IA", "JA", "DESCA"}, a_);
    all.add({"IC", "JC", "DESCC"}, c_);
    all.add({alpha_at}, "ALPHA", std::complex<double>(*call_.alpha));
    all.add({beta_at}, "BETA", std::complex<double>(*call_.beta));
    return all;
  }

  DistMatrix<T> part(const T* data, const MatrixArgument& x) const {
    return borrow(data, x.desc, x.i, x.j, layout(x), grid_, grid_.rank());
  }

  void transpose(const Comm& comm) {
    const DistMatrix<T> A = part(call_.A, a_), C = part(call_.C, c_);
    move(comm, op, *call_.alpha, A, *call_.beta, C, desc_c_at - 3, "C");
  }

  void by_original() const override { original(call_); }

  std::string text() const override {
    return fmt::format("{} {}x{} on {}x{}", routine_name<TranCall<T, op>>, m_, n_, grid_.rows, grid_.cols);
  }

  const TranCall<T, op>& call_;
  Int m_, n_;
  MatrixArgument a_, c_;
};

}  // namespace

template <class T, Op op>
void tran(const TranCall<T, op>& call) {
  if (unseen()) return original(call);
  Tran<T, op>(call).run();
}

#define CAIRN_INSTANTIATE(T, op, lower, UPPER) template void tran(const TranCall<T, Op::op>&);
CAIRN_FOR_EACH_TRAN(CAIRN_INSTANTIATE)

}  // namespace cairn::scalapack
