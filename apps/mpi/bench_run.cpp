// Measuring: all ways of a case in turn, round after round, on the same memory.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <complex>
#include <exception>
#include <functional>
#include <memory>

#include "api/plan_on_this_node.hpp"
#include "base/scalars.hpp"
#include "bench.hpp"
#include "cairn/check.hpp"
#include "cairn/error.hpp"
#include "cairn/gemm.hpp"
#include "commands.hpp"
#include "model/dealt_blocks.hpp"
#include "model/machine.hpp"
#include "model/transport.hpp"
#include "planner/plan_facts.hpp"
#include "progress.hpp"
#include "runtime/environment.hpp"
#include "runtime/measure/sampling.hpp"
#include "runtime/measure/scalapack.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn::app {

namespace {

double flops_of(const BenchCase& c, ScalarType type) {
  return operations(type) * static_cast<double>(c.m) * static_cast<double>(c.n) * static_cast<double>(c.k);
}

/// Seconds of one call on the slowest rank; all ranks start together.
double timed(const Comm& world, int calls, const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  world.agree(std::nullopt);
  const auto start = Clock::now();
  for (int i = 0; i < calls; ++i) work();
  return over_ranks(world, MPI_MAX, std::chrono::duration<double>(Clock::now() - start).count() / calls);
}

/// One way to compute a case, ready to run.
template <class T>
struct Contender {
  BenchRow row;
  Layout a, b, c;
  std::unique_ptr<Multiplication<T>> cairn;
  std::unique_ptr<Scalapack<T>> scalapack;
  /// Matrices of its own, where the transport wants them in its memory; else all share the same.
  std::unique_ptr<std::array<DistMatrix<T>, 3>> own;
  int calls = 1;                               ///< of one sample
  std::vector<double> products, all_but_them;  ///< seconds of these parts alone, by rounds
};

template <class T>
class CaseRun {
 public:
  CaseRun(const Comm& world, const BenchArguments& arguments, const BenchCase& what, BenchReport& report)
      : world_(world), arguments_(arguments), case_(what), report_(report) {}

  void run(Progress& progress) {
    progress.step(fmt::format("{} {} x {} x {}: plans", case_.shape, case_.m, case_.n, case_.k));
    prepare();
    for (Contender<T>& c : contenders_) warm(c);
    for (int r = 0; r < arguments_.repeats; ++r) {
      progress.step(fmt::format("{}: round {} of {}", case_.shape, r + 1, arguments_.repeats));
      // Every round begins with another one, so that none always follows the same.
      for (std::size_t i = 0; i < contenders_.size(); ++i)
        sample(contenders_[(i + static_cast<std::size_t>(r)) % contenders_.size()]);
    }
    for (Contender<T>& c : contenders_) finish(c);
  }

 private:
  GemmProblem problem() const {
    GemmProblem p;
    p.m = case_.m, p.n = case_.n, p.k = case_.k;
    p.ranks = world_.size();
    p.type = scalar_type_of<T>;
    return p;
  }

  void prepare() {
    std::exception_ptr first;  // what was wrong with the planner's own choice, if nothing can be planned
    for (BenchWay& way : ways_of(arguments_)) {
      way.options.kernels = kernels_in_use(world_);
      try {
        add(plan_here(world_, problem(), way.options));
      } catch (const Error& e) {
        if (way.asked) throw;
        if (!first) first = std::current_exception();
        report_.notes.push_back(fmt::format("{}, {}: {}", case_.shape, way.options.algorithm, e.what()));
      }
    }
    if (arguments_.scalapack) add_scalapack();
    if (contenders_.empty()) std::rethrow_exception(first);
  }

  void add(const Plan& plan) {
    BenchRow row;
    row.what = case_;
    row.algorithm = plan.algorithm();
    row.look_ahead = look_ahead_of(plan);
    Contender<T> c{row, plan.layout_a(), plan.layout_b(), plan.layout_c(), {}, {}, {}, 1, {}, {}};
    c.cairn = std::make_unique<Multiplication<T>>(world_, plan);
    c.row.transport = c.cairn->transport();
    if (const std::string& wanted = plan.options().transport; !wanted.empty() && wanted != c.row.transport)
      report_.notes.push_back(fmt::format("{}, {}: {} does not work here", case_.shape, row.algorithm, wanted));
    for (const Contender<T>& o : contenders_)  // what the planner chose may also have been asked for
      if (o.row.algorithm == row.algorithm && o.row.transport == c.row.transport && o.row.look_ahead == row.look_ahead)
        return;
    const Count& mine = c.cairn->count();
    c.row.words = over_ranks(world_, MPI_MAX, mine.wire_words);
    c.row.messages = over_ranks(world_, MPI_MAX, mine.messages);
    c.row.node_words = over_ranks(world_, MPI_MAX, mine.node_words);
    c.row.predicted = plan.predicted_seconds();
    if (c.row.transport == name_of(Transport::node_shared))
      c.own.reset(new std::array<DistMatrix<T>, 3>{c.cairn->own_a(), c.cairn->own_b(), c.cairn->own_c()});
    make_room(c);
    contenders_.push_back(std::move(c));
  }

  void make_room(const Contender<T>& c) {
    if (c.own) return;
    const auto need = [&](std::vector<T>& memory, const Layout& l) {
      memory.resize(std::max(memory.size(), static_cast<std::size_t>(l.words(world_.rank()))), T(1));
    };
    need(a_, c.a);
    need(b_, c.b);
    need(c_, c.c);
  }

  // Both orientations of the grid that is nearest to a square, and four sizes of blocks; the fastest of them competes.
  void add_scalapack() {
    const auto [few, many] = squarest_grid(world_.size());
    std::unique_ptr<Contender<T>> best;
    double least = 0;
    std::vector<std::pair<Int, Int>> grids{{few, many}};
    if (few != many) grids.emplace_back(many, few);
    for (const auto& [pr, pc] : grids)
      for (Int block : {32, 64, 128, 256}) {
        auto c = std::make_unique<Contender<T>>();
        c->row.what = case_;
        c->row.algorithm =
            fmt::format("p{}gemm {}x{} nb={}", "sdcz"[static_cast<int>(scalar_type_of<T>)], pr, pc, block);
        c->row.transport = "ScaLAPACK";
        c->scalapack = std::make_unique<Scalapack<T>>(world_, case_.m, case_.n, case_.k, pr, pc, block);
        c->a = c->scalapack->layout_a();
        c->b = c->scalapack->layout_b();
        c->c = c->scalapack->layout_c();
        make_room(*c);
        call(*c);
        const double seconds = std::min(timed(world_, 1, [&] { call(*c); }), timed(world_, 1, [&] { call(*c); }));
        if (best && seconds >= least) continue;
        least = seconds;
        best = std::move(c);
      }
    report_.baseline = "ScaLAPACK";
    contenders_.insert(contenders_.begin(), std::move(*best));
  }

  DistMatrix<T> matrix(const Contender<T>& c, std::size_t which) {
    if (c.own) return (*c.own)[which];
    std::vector<T>& memory = which == 0 ? a_ : which == 1 ? b_ : c_;
    return DistMatrix<T>::borrow(which == 0   ? c.a
                                 : which == 1 ? c.b
                                              : c.c,
                                 world_.rank(), memory.data(), static_cast<Int>(memory.size()));
  }

  void call(Contender<T>& c) {
    if (c.scalapack)
      c.scalapack->run(a_.data(), b_.data(), c_.data());
    else
      c.cairn->run(T(1), matrix(c, 0), matrix(c, 1), T(0), matrix(c, 2));
  }

  // The first call touches memory and opens connections; it is checked, and not counted.
  void warm(Contender<T>& c) {
    if (arguments_.check || c.own) {
      matrix(c, 0).for_each([](Int i, Int j, T& x) { x = T(static_cast<float>((3 * i + j) % 7 - 3)); });
      matrix(c, 1).for_each([](Int i, Int j, T& x) { x = T(static_cast<float>((i + 2 * j) % 5 - 2)); });
    }
    call(c);
    if (arguments_.check) {
      const CheckResult check =
          freivalds<T>(world_, Op::none, Op::none, T(1), matrix(c, 0), matrix(c, 1), T(0), nullptr, matrix(c, 2));
      c.row.residual = check.ratio;
      if (!check.passed())
        throw RuntimeError(fmt::format("--check: {}: a residual is {:.3g} times what rounding errors explain",
                                       c.row.algorithm, check.ratio));
    }
    constexpr double shortest = 1e-3, most = 1000;  // seconds of a sample, below which the clock and barriers disturb
    const double once = std::max(timed(world_, 1, [&] { call(c); }), 1e-7);
    c.calls = static_cast<int>(std::clamp(std::ceil(shortest / once), 1.0, most));
  }

  void sample(Contender<T>& c) {
    const auto seconds = [&] { return timed(world_, c.calls, [&] { call(c); }); };
    c.row.rounds.push_back(seconds());
    if (!c.cairn || arguments_.times_only) return;
    c.cairn->restrict_to(RunPart::products);
    c.products.push_back(seconds());
    c.cairn->restrict_to(RunPart::all_but_the_products);
    c.all_but_them.push_back(seconds());
    c.cairn->restrict_to(RunPart::all);
  }

  void finish(Contender<T>& c) {
    BenchRow& row = c.row;
    row.seconds = median(row.rounds);
    row.gflops = row.seconds > 0 ? flops_of(case_, scalar_type_of<T>) / row.seconds / 1e9 : 0;
    if (!c.products.empty()) {
      row.computing = median(c.products);
      row.moving = median(c.all_but_them);
    }
    std::vector<double> ratios;
    for (std::size_t r = 0; r < row.rounds.size(); ++r)
      ratios.push_back(contenders_.front().row.rounds[r] / row.rounds[r]);
    row.speed = median(ratios);
    report_.rows.push_back(row);
  }

  const Comm& world_;
  const BenchArguments& arguments_;
  BenchCase case_;
  BenchReport& report_;
  std::vector<Contender<T>> contenders_;
  std::vector<T> a_, b_, c_;  // shared by all contenders: each needs its own layout, none its own memory
};

template <class T>
void run_cases(const Comm& world, const BenchArguments& arguments, BenchReport& report) {
  const std::vector<BenchCase> cases = cases_of(arguments, world.size());
  const int steps = static_cast<int>(cases.size()) * (1 + arguments.repeats);
  Progress progress(world, steps);
  for (const BenchCase& c : cases) CaseRun<T>(world, arguments, c, report).run(progress);
}

}  // namespace

BenchReport bench_gemm(const Comm& world, const BenchArguments& arguments) {
  BenchReport report;
  report.type = scalar_type_named(arguments.type);
  report.ranks = world.size();
  report.repeats = arguments.repeats;
  report.regime = arguments.sizes.empty() ? arguments.regime : "";
  report.machine = find_machine(arguments.machine).name;
  report.kernels = blas_info().kernels;
  report.baseline = "the first";
  with_type(report.type, [&]<class T>(T) { run_cases<T>(world, arguments, report); });
  return report;
}

}  // namespace cairn::app
