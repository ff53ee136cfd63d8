#include "scalapack/potrf.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>

#include "api/diagonal.hpp"
#include "api/factor_run.hpp"
#include "api/plan_on_this_node.hpp"
#include "base/scalars.hpp"
#include "cairn/cairn.hpp"
#include "runtime/over_ranks.hpp"
#include "scalapack/fingerprint.hpp"
#include "scalapack/first_look.hpp"
#include "scalapack/kept_with_grid.hpp"
#include "scalapack/letter_arguments.hpp"
#include "scalapack/original.hpp"
#include "scalapack/prepared_or_impossible.hpp"
#include "scalapack/rotation.hpp"
#include "scalapack/same_everywhere.hpp"
#include "scalapack/stand_in.hpp"
#include "scalapack/triangle_thresholds.hpp"

namespace cairn::scalapack {

namespace {

// Places of the arguments in the call, from 1.
enum At { uplo_at = 1, n_at, a_at, ia_at, ja_at, desc_a_at };

// One call: understood, and carried out by whoever does it best. Wrong arguments are found here, and reported by
// ScaLAPACK.
template <class T>
class Potrf : public StandIn {
 public:
  explicit Potrf(const PotrfCall<T>& call)
      : StandIn(call.desc_a[1], routine_name<PotrfCall<T>>),
        call_(call),
        n_(*call.n),
        uplo_(upper(call.uplo)),
        i_(*call.ia - Int{1}),
        j_(*call.ja - Int{1}),
        desc_(parse_descriptor(call.desc_a)) {}

  void run() {
    if (!grid_.live()) return by_original();
    const Comm comm = comm_of(context_);
    const GlobalArguments arguments = global_arguments();
    if (!same_everywhere(comm, arguments)) return;
    if (!is_right()) return hand_back("wrong arguments");
    const bool always = settings().use == Settings::Use::always;
    if (!always && !worth_factorising(n_, comm.size()))
      hand_back_small();
    else if (n_ == 0)
      nothing_to_factorise();
    else if (!always && gains_elsewhere(n_, desc_.nb))
      factorise(comm, arguments, products_for_panels(n_ / usual_block, comm.size(), saved_elsewhere),
                [&] { return elsewhere_if_it_fits(comm); });
    else if (always || gains_by_factorising(triangle(), n_, desc_.nb, grid_))
      factorise(comm, arguments, products_for_panels(n_ / desc_.nb, comm.size()), [&] { return in_place(comm); });
    else
      hand_back("nothing to gain with these blocks on this grid");
  }

 private:
  // ScaLAPACK's, but for INFO where a pivot is no number: that is then 0, or a later pivot. All pivots are looked at,
  // since a BLAS may scale by NaN to zero, and NaN then does not spread.
  void by_original() const override {
    original(call_);
    if (*call_.info < 0 || n_ < 1) return;
    const Comm comm = comm_of(context_);
    if (over_ranks(comm, MPI_MAX, Int{has_nan()}) == 0) return;
    const Layout l = layout();
    const DistMatrix<T> A = borrow(call_.A, desc_, i_, j_, l, grid_, grid_.rank());
    const auto first = static_cast<int>(Diagonal(l, grid_.rank()).first(comm, A, is_nan));
    if (*call_.info == 0 || first < *call_.info) *call_.info = first;
  }

  void nothing_to_factorise() const {
    *call_.info = 0;
    handled("A has no elements", {});
  }

  // Whether one of this rank's pivots is no number.
  bool has_nan() const {
    const auto rows = rows_of(desc_, grid_), cols = cols_of(desc_, grid_);
    for (Int k = 0; k < n_; ++k) {
      const Int i = i_ + k, j = j_ + k;
      if (rows.from(i).src == grid_.row && cols.from(j).src == grid_.col &&
          is_nan(call_.A[offset_of(desc_, i, j, grid_)]))
        return true;
    }
    return false;
  }
  static bool is_nan(T x) { return std::isnan(std::real(x)); }

  // As p?potrf and what it calls check [scalapack SRC/pdpotrf.f, TOOLS/chk1mat.f].
  bool is_right() const {
    const bool known = (uplo_ == 'L' || uplo_ == 'U') && desc_.type == Descriptor::type_1;
    if (!known || n_ < 0 || i_ < 0 || j_ < 0 || desc_.mb < 1 || desc_.mb != desc_.nb) return false;
    if (desc_.rsrc < 0 || desc_.rsrc >= grid_.rows || desc_.csrc < 0 || desc_.csrc >= grid_.cols) return false;
    if (i_ % desc_.mb != 0 || j_ % desc_.nb != 0 || i_ + n_ > desc_.m || j_ + n_ > desc_.n) return false;
    return desc_.lld >= std::max<Int>(1, rows_of(desc_, grid_).count(desc_.m, grid_.row));
  }

  GlobalArguments global_arguments() const {
    GlobalArguments all;
    constexpr Int potrf = 0x200;
    all.add({uplo_at}, "the routine", potrf + static_cast<Int>(scalar_type_of<T>));
    all.add({uplo_at}, "UPLO", Int{uplo_});
    all.add({n_at}, "N", n_);
    all.add({"IA", "JA", "DESCA"}, {"A", n_, n_at, n_, n_at, i_, j_, desc_, desc_a_at});
    all.add({desc_a_at}, "whether all is right", Int{is_right()});
    return all;
  }

  // If not, ScaLAPACK has said so; or the program is at its end, since a rank does not wait.
  bool same_everywhere(const Comm& comm, const GlobalArguments& arguments) {
    if (!NoticeBoard::all_wait(context_)) {
      findings_.add({uplo_at}, "another rank calls something else, expected the same call on all");
      findings_.abort();
      return false;
    }
    if (!arguments.same(comm)) {
      hand_back("arguments differ between ranks");
      return false;
    }
    NoticeBoard::would_serve(comm, context_);
    return true;
  }

  Uplo triangle() const { return uplo_ == 'L' ? Uplo::lower : Uplo::upper; }
  Layout layout() const { return layout_of(desc_, i_, j_, n_, n_, grid_); }

  FactoriseProblem problem(const Comm& comm) const {
    FactoriseProblem p;
    p.n = n_, p.triangle = triangle();
    p.ranks = comm.size(), p.type = scalar_type_of<T>;
    return p;
  }
  // Where A is: ScaLAPACK allows no blocks but those of the algorithm.
  FactorRun<T> in_place(const Comm& comm) const {
    const FactoriseProblem p = problem(comm);
    Options options = with_transport(comm, p, plan_options(comm, p.type));
    options.collectives = least_words(options);
    options.algorithm = fmt::format("cholesky {}x{} b={}", grid_.rows, grid_.cols, desc_.nb);
    const Rotation from{rows_of(desc_, grid_).from(i_).src, cols_of(desc_, grid_).from(j_).src};
    return FactorRun<T>(comm, plan_of_all(comm, p, options), from.labels(grid_), {layout()});
  }
  // By the best of all algorithms, to whose layout the matrix is brought, and back.
  FactorRun<T> elsewhere(const Comm& comm) const {
    FactoriseProblem p = problem(comm);
    Options options = with_transport(comm, p, plan_options(comm, p.type));
    options.algorithm = plan_of_all(comm, p, options).algorithm();
    p.a = layout();
    return FactorRun<T>(comm, plan_of_all(comm, p, options), {}, {layout()});
  }

  FactorRun<T> elsewhere_if_it_fits(const Comm& comm) const {
    try {
      return elsewhere(comm);
    } catch (const MemoryError&) {  // on all ranks
      if (!gains_by_factorising(triangle(), n_, desc_.nb, grid_)) throw;
      return in_place(comm);
    }
  }

  bool pays(const Comm& comm, const std::string& key, double least_products) const {
    const double products = products_of_factorisation(n_, comm.size());
    return kept_with(comm).families.pays(key, products, least_products);
  }

  template <class Prepare>
  void factorise(const Comm& comm, const GlobalArguments& arguments, double least_products, Prepare prepare) {
    const std::string key = "p?potrf " + arguments.key();
    const auto factoriser = kept<FactorRun<T>>(
        comm, key, [&] { return pays(comm, key, least_products); }, prepare);
    if (!factoriser) return;
    const DistMatrix<T> A = borrow(call_.A, desc_, i_, j_, layout(), grid_, grid_.rank());
    carry_out(a_at, "A", [&] {
      const RunReport run = factoriser->run(T(1), std::array{&A});
      *call_.info = static_cast<int>(run.info);
      handled(factoriser->plan().algorithm(), run);
    });
  }

  std::string text() const override {
    return fmt::format("{} {} {} on {}x{}", routine_name<PotrfCall<T>>, uplo_, n_, grid_.rows, grid_.cols);
  }

  const PotrfCall<T>& call_;
  Int n_;
  char uplo_;
  Int i_, j_;
  Descriptor desc_;
};

// The first is never that of another routine, and of a small call never that of a large one.
template <class T>
NoticeBoard::Notice notice_of(const PotrfCall<T>& c, bool large) {
  constexpr std::uint32_t potrf = 0x200, large_potrf = 0x300;
  return {(large ? large_potrf : potrf) + static_cast<std::uint32_t>(scalar_type_of<T>), letter(c.uplo), number(c.n),
          fingerprint(c.ia, c.ja, c.desc_a)};
}
constexpr Noticed in_notice[] = {
    {{n_at}, "the routine, or N,"}, {{uplo_at}, "UPLO"}, {{n_at}, "N"}, {{desc_a_at}, "IA, JA or DESCA"}};

template <class T>
AtOnce at_once(const PotrfCall<T>& c) {
  const auto worth = [&](int ranks) { return worth_factorising(*c.n, ranks); };
  return first_look(
      routine_name<PotrfCall<T>>, {c.desc_a}, in_notice, [&](int ranks) { return notice_of(c, worth(ranks)); }, worth,
      Differences::found_by_original);
}

}  // namespace

template <class T>
void potrf(const PotrfCall<T>& call) {
  if (unseen()) return original(call);
  switch (at_once(call)) {
    case AtOnce::nothing:
    case AtOnce::agreed: return Potrf<T>(call).run();
    case AtOnce::back: return Potrf<T>(call).hand_back_small();
    case AtOnce::ended: return;
  }
}

#define CAIRN_INSTANTIATE(T, lower, UPPER) template void potrf(const PotrfCall<T>&);
CAIRN_FOR_EACH_POTRF(CAIRN_INSTANTIATE)

}  // namespace cairn::scalapack
