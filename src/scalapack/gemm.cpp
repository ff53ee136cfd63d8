#include "scalapack/gemm.hpp"

#include <fmt/format.h>

#include <bit>

#include "api/made_together.hpp"
#include "base/scalars.hpp"
#include "cairn/cairn.hpp"
#include "scalapack/fingerprint.hpp"
#include "scalapack/first_look.hpp"
#include "scalapack/kept_with_grid.hpp"
#include "scalapack/letter_arguments.hpp"
#include "scalapack/notice_board.hpp"
#include "scalapack/original.hpp"
#include "scalapack/prepared_or_impossible.hpp"
#include "scalapack/report.hpp"
#include "scalapack/same_everywhere.hpp"
#include "scalapack/settings.hpp"
#include "scalapack/stand_in.hpp"
#include "scalapack/thresholds.hpp"

namespace cairn::scalapack {

namespace {

// Places of the arguments in the call, from 1.
enum At {
  trans_a_at = 1,
  trans_b_at,
  m_at,
  n_at,
  k_at,
  alpha_at,
  desc_a_at = 10,
  desc_b_at = 14,
  beta_at,
  desc_c_at = 19
};

// What a notice says, in its order. Calls that Cairn looks at compare what comes before the matrices by these names.
constexpr Noticed in_notice[] = {{{trans_a_at}, "the routine"},
                                 {{trans_a_at}, "TRANSA"},
                                 {{trans_b_at}, "TRANSB"},
                                 {{m_at}, "M"},
                                 {{n_at}, "N"},
                                 {{k_at}, "K"},
                                 {{desc_a_at}, "IA, JA or DESCA"},
                                 {{desc_b_at}, "IB, JB or DESCB"},
                                 {{desc_c_at}, "IC, JC or DESCC"},
                                 {{alpha_at}, "ALPHA"},
                                 {{beta_at}, "BETA"}};

// sub(X) as the call names it; X is transposed before it is used, or not.
MatrixArgument operand(const char* name, char trans, Int rows, At rows_at, Int cols, At cols_at, const int* i,
                       const int* j, const int* desc, At desc_at) {
  MatrixArgument x{name, rows, rows_at, cols, cols_at, *i - Int{1}, *j - Int{1}, parse_descriptor(desc), desc_at};
  if (trans != 'N') std::swap(x.rows, x.cols), std::swap(x.rows_at, x.cols_at);
  return x;
}

// One call: understood, checked, and carried out by whoever does it best.
template <class T>
class Gemm : public StandIn {
 public:
  explicit Gemm(const GemmCall<T>& call)
      : StandIn(call.desc_a[1], routine_name<GemmCall<T>>),
        call_(call),
        m_(*call.m),
        n_(*call.n),
        k_(*call.k),
        trans_a_(upper(call.trans_a)),
        trans_b_(upper(call.trans_b)),
        a_(operand("A", trans_a_, m_, m_at, k_, k_at, call.ia, call.ja, call.desc_a, desc_a_at)),
        b_(operand("B", trans_b_, k_, k_at, n_, n_at, call.ib, call.jb, call.desc_b, desc_b_at)),
        c_(operand("C", 'N', m_, m_at, n_, n_at, call.ic, call.jc, call.desc_c, desc_c_at)) {}

  void run(bool agreed) {
    check();
    if (findings_.abort()) return;
    const Comm comm = comm_of(context_);
    GlobalArguments arguments = global_arguments();
    const std::string key = "p?gemm " + arguments.key();
    if (!agreed) compare(comm, arguments);
    if (findings_.abort()) return;
    const bool always = settings().use == Settings::Use::always;
    if (!always && !worth_it(m_, n_, k_, comm.size()))
      hand_back_small();
    else if (m_ == 0 || n_ == 0 || k_ == 0 || *call_.alpha == T(0))
      scale_c();
    else if (!always && one_panel(dealt_k(a_, trans_a_ == 'N'), dealt_k(b_, trans_b_ != 'N'), k_))
      hand_back("k lies in one block, nothing to gain");
    else
      multiply(comm, key);
  }

 private:
  void compare(const Comm& comm, GlobalArguments& arguments) {
    arguments.add({alpha_at}, "ALPHA", std::complex<double>(*call_.alpha));
    arguments.add({beta_at}, "BETA", std::complex<double>(*call_.beta));
    arguments.compare(comm, findings_);
    if (findings_.none()) NoticeBoard::would_serve(comm, context_);
  }

  // The order is that of PBLAS: on it depends which of several faults is reported.
  void check() {
    if (!on_grid(desc_a_at)) return;
    const auto refuse = [&](At place, const char* name, char found) {
      findings_.add({place}, fmt::format("{} is '{}', expected N, T or C", name, found));
    };
    if (!is_op(trans_a_))
      refuse(trans_a_at, "TRANSA", trans_a_);
    else if (!is_op(trans_b_))
      refuse(trans_b_at, "TRANSB", trans_b_);
    for (const MatrixArgument* x : {&a_, &b_, &c_}) check_matrix(findings_, *x, context_, grid_);
  }

  GlobalArguments global_arguments() const {
    GlobalArguments all;
    all.add(in_notice, {static_cast<Int>(scalar_type_of<T>), trans_a_, trans_b_, m_, n_, k_});
    all.add({"IA", "JA", "DESCA"}, a_);
    all.add({"IB", "JB", "DESCB"}, b_);
    all.add({"IC", "JC", "DESCC"}, c_);
    return all;
  }

  Dealt dealt_k(const MatrixArgument& x, bool by_columns) const {
    return by_columns ? cols_of(x.desc, grid_).from(x.j) : rows_of(x.desc, grid_).from(x.i);
  }

  // Every process has what it needs; A and B are not looked at.
  void scale_c() {
    const T beta = *call_.beta;
    if (m_ == 0 || n_ == 0 || beta == T(1)) return handled("C stays as it is", {});
    const DistMatrix<T> C = part(call_.C, c_, layout(c_));
    if (findings_.abort()) return;
    done_alone("C is scaled", [&] { C.for_each([beta](Int, Int, T& x) { x = scaled(beta, x); }); });
  }

  struct Prepared {
    Layout a, b, c;
    Multiplication<T> multiplication;
    double scalapack_seconds;
    Int bytes() const { return multiplication.bytes(); }
  };

  // Sizes are the same to a factor of two, and A, B and C begin in ranks that lie alike.
  std::string family() const {
    std::string name;
    const auto add = [&](Int x) { name.append(reinterpret_cast<const char*>(&x), sizeof x); };
    for (Int x : {Int{trans_a_}, Int{trans_b_}, static_cast<Int>(scalar_type_of<T>)}) add(x);
    for (Int extent : {m_, n_, k_}) add(std::bit_width(static_cast<std::uint64_t>(extent)));
    for (const MatrixArgument* x : {&a_, &b_, &c_})
      for (Int entry : {x->desc.mb, x->desc.nb, Int{x->desc.rsrc}, Int{x->desc.csrc}}) add(entry);
    return name;
  }

  Prepared prepare(const Comm& comm) const {
    GemmProblem p{m_, n_, k_, comm.size(), scalar_type_of<T>, op_of(trans_a_), op_of(trans_b_), {}, {}, {}};
    const Options options = plan_options(comm, p.type);
    double scalapack = 0;
    Plan plan = made_together(comm, [&] {
      if (settings().summary) scalapack = scalapack_seconds(p, options);
      p.a = layout(a_), p.b = layout(b_), p.c = layout(c_);
      return kept_with(comm).families.plan(family(), p, options);
    });
    return {*p.a, *p.b, *p.c, Multiplication<T>(comm, std::move(plan)), scalapack};
  }

  // ScaLAPACK's algorithm on matrices that need not be moved [PBLAS/SRC/PTOOLS/PB_CpgemmAB.c].
  double scalapack_seconds(const GemmProblem& p, const Options& like) const {
    const std::string summa = fmt::format("summa {}x{} b={} cyclic", grid_.rows, grid_.cols, c_.desc.nb);
    return plan(p, {.algorithm = summa, .machine = like.machine, .kernels = like.kernels}).predicted_seconds();
  }

  bool pays(const Comm& comm, const std::string& key) const {
    const double products = static_cast<double>(m_) * static_cast<double>(n_) * static_cast<double>(k_) / comm.size();
    return kept_with(comm).families.pays(family(), key, products, comm.size());
  }

  void multiply(const Comm& comm, const std::string& key) {
    const auto p = kept<Prepared>(
        comm, key, [&] { return pays(comm, key); }, [&] { return prepare(comm); });
    if (!p) return;
    const DistMatrix<T> A = part(call_.A, a_, p->a), B = part(call_.B, b_, p->b), C = part(call_.C, c_, p->c);
    if (findings_.abort()) return;
    carry_out(c_.desc_at - 3, "C", [&] {
      const RunReport run = p->multiplication.run_agreed(*call_.alpha, A, B, *call_.beta, C);
      handled(p->multiplication.plan().algorithm(), run, p->scalapack_seconds);
    });
  }

  void by_original() const override { original(call_); }

  std::string text() const override {
    return fmt::format("{} {} {} {}x{}x{} on {}x{}", routine_name<GemmCall<T>>, trans_a_, trans_b_, m_, n_, k_,
                       grid_.rows, grid_.cols);
  }

  const GemmCall<T>& call_;
  Int m_, n_, k_;
  char trans_a_, trans_b_;
  MatrixArgument a_, b_, c_;
};

// The first is never 0.
template <class T>
NoticeBoard::Notice notice_of(const GemmCall<T>& c) {
  return {1 + static_cast<std::uint32_t>(scalar_type_of<T>),
          letter(c.trans_a),
          letter(c.trans_b),
          number(c.m),
          number(c.n),
          number(c.k),
          fingerprint(c.ia, c.ja, c.desc_a),
          fingerprint(c.ib, c.jb, c.desc_b),
          fingerprint(c.ic, c.jc, c.desc_c),
          fingerprint(*c.alpha),
          fingerprint(*c.beta)};
}

template <class T>
AtOnce at_once(const GemmCall<T>& c) {
  return first_look(
      routine_name<GemmCall<T>>, {c.desc_a, c.desc_b, c.desc_c}, in_notice, [&](int /*ranks*/) { return notice_of(c); },
      [&](int ranks) { return worth_it(*c.m, *c.n, *c.k, ranks); });
}

}  // namespace

template <class T>
void gemm(const GemmCall<T>& call) {
  if (unseen()) return original(call);
  switch (at_once(call)) {
    case AtOnce::nothing: return Gemm<T>(call).run(false);
    case AtOnce::agreed: return Gemm<T>(call).run(true);
    case AtOnce::back: return reporting() ? Gemm<T>(call).hand_back_small() : original(call);
    case AtOnce::ended: return;
  }
}

#define CAIRN_INSTANTIATE(T, lower, UPPER) template void gemm(const GemmCall<T>&);
CAIRN_FOR_EACH_GEMM(CAIRN_INSTANTIATE)

}  // namespace cairn::scalapack
