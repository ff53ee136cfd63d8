#include "scalapack/trsm.hpp"

#include <fmt/format.h>

#include <array>

#include "api/factor_run.hpp"
#include "api/plan_on_this_node.hpp"
#include "base/scalars.hpp"
#include "cairn/cairn.hpp"
#include "scalapack/fingerprint.hpp"
#include "scalapack/first_look.hpp"
#include "scalapack/kept_with_grid.hpp"
#include "scalapack/letter_arguments.hpp"
#include "scalapack/original.hpp"
#include "scalapack/prepared_or_impossible.hpp"
#include "scalapack/report.hpp"
#include "scalapack/same_everywhere.hpp"
#include "scalapack/solve_layout.hpp"
#include "scalapack/stand_in.hpp"
#include "scalapack/triangle_thresholds.hpp"

namespace cairn::scalapack {

namespace {

// Places of the arguments in the call, from 1.
enum At { side_at = 1, uplo_at, trans_at, diag_at, m_at, n_at, alpha_at, desc_a_at = 11, desc_b_at = 15 };

// What a notice says, in its order. Calls that Cairn looks at compare what comes before the matrices by these names.
constexpr Noticed in_notice[] = {{{side_at}, "the routine"},
                                 {{side_at}, "SIDE"},
                                 {{uplo_at}, "UPLO"},
                                 {{trans_at}, "TRANSA"},
                                 {{diag_at}, "DIAG"},
                                 {{m_at}, "M"},
                                 {{n_at}, "N"},
                                 {{desc_a_at}, "IA, JA or DESCA"},
                                 {{desc_b_at}, "IB, JB or DESCB"},
                                 {{alpha_at}, "ALPHA"}};

// One call: understood, checked, and carried out by whoever does it best.
template <class T>
class Trsm : public StandIn {
 public:
  explicit Trsm(const TrsmCall<T>& call)
      : StandIn(call.desc_a[1], routine_name<TrsmCall<T>>),
        call_(call),
        m_(*call.m),
        n_(*call.n),
        side_(upper(call.side)),
        uplo_(upper(call.uplo)),
        trans_(upper(call.trans)),
        diag_(upper(call.diag)),
        a_{"A",        order(),           order_at(),        order(),
           order_at(), *call.ia - Int{1}, *call.ja - Int{1}, parse_descriptor(call.desc_a),
           desc_a_at},
        b_{"B", m_, m_at, n_, n_at, *call.ib - Int{1}, *call.jb - Int{1}, parse_descriptor(call.desc_b), desc_b_at} {}

  void run(bool agreed) {
    check();
    if (findings_.abort()) return;
    const Comm comm = comm_of(context_);
    GlobalArguments arguments = global_arguments();
    const std::string key = "p?trsm " + arguments.key();
    if (!agreed) compare(comm, arguments);
    if (findings_.abort()) return;
    const bool always = settings().use == Settings::Use::always;
    if (!always && !worth_solving(order(), others(), comm.size())) return hand_back_small();
    if (m_ == 0 || n_ == 0) return handled("B has no elements", {});
    if (*call_.alpha == T(0)) return clear_b();
    const SolveLayout lies(grid_, side(), trans_ == 'N', a_, b_);
    if (lies.copies_of_b())
      hand_back("several ranks hold the same elements of B");
    else if (!always && !lies.fit())
      hand_back("blocks of A and B do not fit each other, nothing to gain");
    else if (!always && !gains_by_solving(side(), trans_ == 'N', order(), others(), lies.block(), grid_))
      hand_back("nothing to gain with these blocks on this grid");
    else
      solve(comm, key, lies);
  }

 private:
  Side side() const { return side_ == 'L' ? Side::left : Side::right; }
  Int order() const { return side_ == 'L' ? m_ : n_; }
  int order_at() const { return side_ == 'L' ? m_at : n_at; }
  Int others() const { return side_ == 'L' ? n_ : m_; }

  // The order is that of PBLAS: on it depends which of several faults is reported.
  void check() {
    if (!on_grid(desc_a_at)) return;
    const auto refuse = [&](At place, const char* name, char found, const char* expected) {
      findings_.add({place}, fmt::format("{} is '{}', expected {}", name, found, expected));
    };
    if (side_ != 'L' && side_ != 'R')
      refuse(side_at, "SIDE", side_, "L or R");
    else if (uplo_ != 'L' && uplo_ != 'U')
      refuse(uplo_at, "UPLO", uplo_, "L or U");
    else if (!is_op(trans_))
      refuse(trans_at, "TRANSA", trans_, "N, T or C");
    else if (diag_ != 'N' && diag_ != 'U')
      refuse(diag_at, "DIAG", diag_, "N or U");
    for (const MatrixArgument* x : {&a_, &b_}) check_matrix(findings_, *x, context_, grid_);
  }

  void compare(const Comm& comm, GlobalArguments& arguments) {
    arguments.add({alpha_at}, "ALPHA", std::complex<double>(*call_.alpha));
    arguments.compare(comm, findings_);
    if (findings_.none()) NoticeBoard::would_serve(comm, context_);
  }

  GlobalArguments global_arguments() const {
    GlobalArguments all;
    all.add(in_notice, {static_cast<Int>(scalar_type_of<T>), side_, uplo_, trans_, diag_, m_, n_});
    all.add({"IA", "JA", "DESCA"}, a_);
    all.add({"IB", "JB", "DESCB"}, b_);
    return all;
  }

  // Every process has what it needs; A is not looked at, and what B has is not read.
  void clear_b() {
    const DistMatrix<T> B = part(call_.B, b_, layout(b_));
    if (findings_.abort()) return;
    done_alone("B becomes 0", [&] { B.for_each([](Int, Int, T& x) { x = T(0); }); });
  }

  FactorRun<T> prepare(const Comm& comm, const SolveLayout& lies) const {
    SolveProblem p;
    p.m = m_, p.n = n_, p.side = side();
    p.triangle = uplo_ == 'L' ? Uplo::lower : Uplo::upper, p.op = op_of(trans_);
    p.diag = diag_ == 'U' ? Diag::unit : Diag::stored;
    p.ranks = comm.size(), p.type = scalar_type_of<T>;
    p.a = lies.a_to_move(), p.b = lies.b();
    Options options = with_transport(comm, p, plan_options(comm, p.type));
    options.collectives = least_words(options);
    options.algorithm = lies.algorithm();
    return FactorRun<T>(comm, plan_of_all(comm, p, options), lies.labels(), {layout(a_), layout(b_)});
  }

  bool pays(const Comm& comm, const std::string& key, Int block) const {
    const double products = products_of_solve(order(), others(), comm.size());
    return kept_with(comm).families.pays(key, products, products_for_panels(order() / block, comm.size()));
  }

  void solve(const Comm& comm, const std::string& key, const SolveLayout& lies) {
    const auto solver = kept<FactorRun<T>>(
        comm, key, [&] { return pays(comm, key, lies.block()); }, [&] { return prepare(comm, lies); });
    if (!solver) return;
    const DistMatrix<T> A = part(call_.A, a_, layout(a_)), B = part(call_.B, b_, layout(b_));
    if (findings_.abort()) return;
    carry_out(desc_b_at - 3, "B", [&] {
      const RunReport run = solver->run(*call_.alpha, std::array{&A, &B});
      handled(solver->plan().algorithm(), run);
    });
  }

  void by_original() const override { original(call_); }

  std::string text() const override {
    return fmt::format("{} {} {} {} {} {}x{} on {}x{}", routine_name<TrsmCall<T>>, side_, uplo_, trans_, diag_, m_, n_,
                       grid_.rows, grid_.cols);
  }

  const TrsmCall<T>& call_;
  Int m_, n_;
  char side_, uplo_, trans_, diag_;
  MatrixArgument a_, b_;
};

// The first is never that of another routine.
template <class T>
NoticeBoard::Notice notice_of(const TrsmCall<T>& c) {
  constexpr std::uint32_t trsm = 0x100;
  return {trsm + static_cast<std::uint32_t>(scalar_type_of<T>),
          letter(c.side),
          letter(c.uplo),
          letter(c.trans),
          letter(c.diag),
          number(c.m),
          number(c.n),
          fingerprint(c.ia, c.ja, c.desc_a),
          fingerprint(c.ib, c.jb, c.desc_b),
          fingerprint(*c.alpha)};
}

template <class T>
AtOnce at_once(const TrsmCall<T>& c) {
  const bool left = upper(c.side) == 'L';
  return first_look(
      routine_name<TrsmCall<T>>, {c.desc_a, c.desc_b}, in_notice, [&](int /*ranks*/) { return notice_of(c); },
      [&](int ranks) { return worth_solving(left ? *c.m : *c.n, left ? *c.n : *c.m, ranks); });
}

}  // namespace

template <class T>
void trsm(const TrsmCall<T>& call) {
  if (unseen()) return original(call);
  switch (at_once(call)) {
    case AtOnce::nothing: return Trsm<T>(call).run(false);
    case AtOnce::agreed: return Trsm<T>(call).run(true);
    case AtOnce::back: return reporting() ? Trsm<T>(call).hand_back_small() : original(call);
    case AtOnce::ended: return;
  }
}

#define CAIRN_INSTANTIATE(T, lower, UPPER) template void trsm(const TrsmCall<T>&);
CAIRN_FOR_EACH_TRSM(CAIRN_INSTANTIATE)

}  // namespace cairn::scalapack
