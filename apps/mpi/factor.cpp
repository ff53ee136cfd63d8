// Reading, planning, factorising, solving, checking, writing: the work of `cairn cholesky` and `cairn solve`, on all
// ranks.
#include "factor.hpp"

#include <fmt/format.h>

#include <cmath>

#include "api/plan_on_this_node.hpp"
#include "base/scalars.hpp"
#include "cairn/check.hpp"
#include "cairn/factor.hpp"
#include "hermitian.hpp"
#include "model/problem.hpp"
#include "planner/plan_facts.hpp"
#include "progress.hpp"
#include "runtime/environment.hpp"
#include "timeline.hpp"

namespace cairn::app {

namespace {

struct Inputs {
  FileInfo a;
  std::optional<FileInfo> b;
  ScalarType type = ScalarType::float64;

  Int n() const { return a.rows; }
  Int columns() const { return b ? b->cols : a.rows; }
  Int bytes() const { return a.bytes + (b ? b->bytes : 0); }
};

Inputs inspected(const Comm& world, const FactorArguments& arguments) {
  Inputs in{inspect_file(world, arguments.a, "A"), {}};
  if (arguments.b) in.b = inspect_file(world, *arguments.b, "b");
  if (in.a.rows != in.a.cols)
    throw ArgumentError(fmt::format("A is {}x{}, expected a square matrix", in.a.rows, in.a.cols));
  if (in.b && in.b->rows != in.n())
    throw ArgumentError(fmt::format("b is {}x{}, expected {} rows, as many as A has", in.b->rows, in.b->cols, in.n()));
  std::vector<const FileInfo*> files{&in.a};
  if (in.b) files.push_back(&*in.b);
  in.type = type_of_files(files, arguments.planning.type);
  return in;
}

// Of the factorisation, and of both solves with its factor, where it leaves it.
std::vector<FactorPlan> plans_of(const Comm& world, const Inputs& in, const FactorArguments& arguments,
                                 Timeline& timeline) {
  const Uplo uplo = arguments.uplo();
  const FactoriseProblem factorise{in.n(), uplo, world.size(), in.type, {}};
  return planned(world, factorise, arguments.planning, [&](Options options) {
    const auto factorisation = [&] { return plan_here(world, factorise, timeline.part(options)); };
    std::vector<FactorPlan> plans{in.b ? planned_of_three("factorisation", factorisation) : factorisation()};
    if (!in.b) return plans;
    options.algorithm.clear();  // says how to factorise
    const bool lower = uplo == Uplo::lower;
    SolveProblem s{in.n(), in.columns(), Side::left, uplo, Op::none, Diag::stored, world.size(), in.type};
    s.a = plans.front().layout_a();
    for (Op op : {lower ? Op::none : Op::adjoint, lower ? Op::adjoint : Op::none}) {
      s.op = op;
      plans.push_back(planned_of_three("solves", [&] { return plan_here(world, s, timeline.part(options)); }));
      s.b = plans.back().layout_b();
    }
    return plans;
  });
}

double flops_of(const Inputs& in, const std::vector<FactorPlan>& plans) {
  double sum = 0;
  for (const FactorPlan& p : plans) sum += real_operations(in.type) * flops_of(p);
  return sum;
}

// Whether somebody who sees standard error would wait for so long. About, since plans take their time to say it.
bool speaks_of(const Comm& world, const Inputs& in, const std::vector<FactorPlan>& plans) {
  constexpr double flops_per_second = 5e9;  // of a rank
  return world.rank() == 0 && terminal().errors &&
         is_long(flops_of(in, plans) / (flops_per_second * static_cast<double>(world.size())), in.bytes());
}

// Of the products with which the largest part of A is updated.
double local_rate(const Comm& world, const FactorPlan& plan) {
  const Layout l = plan.layout_a();
  Int block = std::max<Int>(1, l.n());
  for (const Dim* dim : {&l.rows, &l.cols})
    for (const Cut& cut : dim->cuts)
      if (cut.deals_blocks()) block = std::min(block, cut.block);
  constexpr double seconds = 0.15;  // enough for a figure, too short to be noticed
  return measured_gemm_rate(world, plan.type(), l.rows_at(0).size(), l.cols_at(0).size(), block, l.grid.size(),
                            seconds);
}

// What the commands have in common, for elements of one type.
template <class T>
class Run {
 public:
  Run(const Comm& world, const FactorArguments& arguments, const Inputs& in, std::vector<FactorPlan> plans,
      Timeline& timeline, Watch& watch)
      : world_(world),
        arguments_(arguments),
        in_(in),
        timeline_(timeline),
        watch_(watch),
        speaks_(speaks_of(world, in, plans)),
        progress_(world, 3 + (in.b ? 1 : 0) + (arguments.check ? 1 : 0), speaks_),
        report_{std::move(plans), in.a, in.b, {}, {}} {
    RunFacts& f = report_.run;
    f.ranks = world.size(), f.type = in.type, f.kernels = blas_info().kernels;
    f.flops = flops_of(in, report_.plans);
    f.seconds.prepare = watch.lap();
  }

  FactorReport cholesky() {
    const DistMatrix<T> A = each_once(world_, factorised());
    const Uplo uplo = arguments_.uplo();
    A.for_each([&](Int i, Int j, T& a) {
      if (!counts(uplo, i, j)) a = T(0);
    });
    check([&] {
      const Op left = uplo == Uplo::lower ? Op::none : Op::adjoint,
               right = uplo == Uplo::lower ? Op::adjoint : Op::none;
      return FactorReport::Check{
          freivalds<T>(world_, left, right, T(1), A, A, T(0), nullptr, each_once(world_, *before_)).ratio, 1};
    });
    return written(A, false);
  }

  FactorReport solve() {
    constexpr double most = 16;  // as HPL has it
    const DistMatrix<T> A = factorised();
    announce("solve", {&report_.plans[1], &report_.plans[2]});
    const auto X = read_matrix<T>(world_, *in_.b, report_.plans[1].layout_b(), arguments_.reading());
    const std::optional<DistMatrix<T>> b = arguments_.check ? std::optional(copy_of(X)) : std::nullopt;
    report_.run.seconds.read += watch_.lap();
    RunReport done;
    Count expected;
    double bound = 0;
    for (std::size_t i : {1, 2}) {
      const FactorPlan& p = report_.plans[i];
      TriangularSolve<T> solve(world_, p);
      timeline_.starts();
      done += solve.run(T(1), A, X);
      const Count count = p.count(world_.rank());
      expected.wire_words += count.wire_words, expected.messages += count.messages;
      bound += p.received_bound();
    }
    report_.run.stages.push_back(stage_of(world_, "solve", done, expected, bound, false));
    watch_.lap();
    check([&] { return FactorReport::Check{scaled_residual(world_, *before_, X, *b), most}; });
    return written(X, in_.b->vector);
  }

 private:
  // A with its factor in the place of its triangle.
  DistMatrix<T> factorised() {
    const FactorPlan& p = report_.plans.front();
    progress_.step("read");
    const std::string name = fmt::format("A ({})", in_.a.path);
    const bool whole = arguments_.triangle == Uplo::full;
    ReadOptions reading = arguments_.reading();
    reading.allow_nonfinite |= !whole;  // of what counts it is asked below
    DistMatrix<T> A = read_matrix<T>(world_, in_.a, p.layout_a(), reading);
    if (whole)
      require_hermitian(world_, name, A);
    else if (!arguments_.allow_nonfinite)
      require_finite(world_, name, arguments_.uplo(), A);
    if (arguments_.check) before_ = completed(world_, arguments_.uplo(), A);
    report_.run.seconds.read = watch_.lap();
    announce("factorise", {&p});
    Factorisation<T> factorise(world_, p);
    report_.run.transport = factorise.transport();
    const ProfiledRegion region;
    timeline_.starts();
    const RunReport done = factorise.run(A);
    if (done.info != 0)
      throw RuntimeError(
          fmt::format("{}: not positive definite: its leading minor of order {} is not positive{}; nothing was written",
                      name, done.info, arguments_.allow_nonfinite ? ", or no number" : ""));
    report_.run.stages = {stage_of(world_, "factorise", done, p.count(world_.rank()), p.received_bound(), false)};
    report_.run.gemm_rate = local_rate(world_, p);
    watch_.lap();
    return A;
  }

  void announce(const char* what, std::initializer_list<const FactorPlan*> plans) {
    double seconds = 0;
    for (const FactorPlan* p : plans)
      if (speaks_) seconds += p->predicted_seconds();
    progress_.step(fmt::format("{}, about {:.0f} s", what, seconds));
  }

  template <class Checked>
  void check(const Checked& checked) {
    if (!arguments_.check) return;
    progress_.step("check");
    const FactorReport::Check c = checked();
    report_.run.seconds.check = watch_.lap();
    report_.check = c;
    if (c.passed() || (arguments_.allow_nonfinite && !std::isfinite(c.ratio))) return;
    throw RuntimeError(
        fmt::format("--check: the result is wrong: its {} is {:.3g}, expected at most {:g}; nothing was written",
                    in_.b ? "scaled residual" : "residual over what rounding errors explain", c.ratio, c.most));
  }

  FactorReport written(const DistMatrix<T>& X, bool vector) {
    progress_.step("write");
    write_npy(world_, arguments_.output, X, {.order = arguments_.order, .vector = vector, .argument = "-o"});
    timeline_.write();
    report_.run.seconds.write = watch_.lap();
    settle_seconds(world_, watch_, report_.run.seconds);
    return std::move(report_);
  }

  const Comm& world_;
  const FactorArguments& arguments_;
  const Inputs& in_;
  Timeline& timeline_;
  Watch& watch_;
  bool speaks_;
  Progress progress_;
  FactorReport report_;
  std::optional<DistMatrix<T>> before_;  // the whole of A, for the check
};

}  // namespace

FactorReport factorise(const Comm& world, const FactorArguments& arguments) {
  advise(world, arguments);
  Watch watch;
  const Inputs in = inspected(world, arguments);
  Timeline timeline(world, arguments.planning.options.trace);
  const std::vector<FactorPlan> plans = plans_of(world, in, arguments, timeline);
  require_outputs(world, arguments, {arguments.a, arguments.b.value_or("")}, in.type, in.n(), in.columns());
  return with_type(in.type, [&]<class T>(T) {
    Run<T> run(world, arguments, in, plans, timeline, watch);
    return in.b ? run.solve() : run.cholesky();
  });
}

}  // namespace cairn::app
