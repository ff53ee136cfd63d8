// Reading, planning, multiplying, checking, writing: the work of `cairn multiply`, on all ranks.
#include "multiply.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "api/here.hpp"
#include "cairn/error.hpp"
#include "cairn/gemm.hpp"
#include "progress.hpp"
#include "runtime/environment.hpp"

namespace cairn::app {

namespace {

class Watch {
 public:
  /// Seconds since the last lap.
  double lap() {
    const auto before = last_;
    last_ = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(last_ - before).count();
  }
  double total() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), last_ = start_;
};

bool is_complex(ScalarType t) { return t == ScalarType::complex64 || t == ScalarType::complex128; }
bool is_double(ScalarType t) { return t == ScalarType::float64 || t == ScalarType::complex128; }

/// The least type that holds both without loss.
ScalarType common(ScalarType a, ScalarType b) {
  const bool wide = is_double(a) || is_double(b);
  if (is_complex(a) || is_complex(b)) return wide ? ScalarType::complex128 : ScalarType::complex64;
  return wide ? ScalarType::float64 : ScalarType::float32;
}

struct Inputs {
  FileInfo a, b;
  std::optional<FileInfo> c;
};

ScalarType type_of(const Inputs& in, const MultiplyArguments& arguments) {
  ScalarType type = common(in.a.type, in.b.type);
  if (in.c) type = common(type, in.c->type);
  if (!arguments.gemm.type.empty()) type = scalar_type_named(arguments.gemm.type);
  for (const FileInfo* file : {&in.a, &in.b, in.c ? &*in.c : nullptr})
    if (file != nullptr) require_readable_as(*file, type);
  for (const auto& [name, value] : {std::pair{"--alpha", arguments.alpha}, {"--beta", arguments.beta}})
    if (!is_complex(type) && value.imag() != 0)
      throw ArgumentError(fmt::format("{}: {}{:+}i is complex, expected a real number for {} matrices", name,
                                      value.real(), value.imag(), name_of(type)));
  return type;
}

GemmProblem problem_of(const Inputs& in, const MultiplyArguments& arguments, int ranks) {
  const auto describe = [](const char* name, const FileInfo& f, Op op) {
    return fmt::format("{} is {}x{}{}", name, f.rows, f.cols, op == Op::none ? "" : " before it is transposed");
  };
  const bool flip_a = arguments.op_a != Op::none, flip_b = arguments.op_b != Op::none;
  const Int m = flip_a ? in.a.cols : in.a.rows, k = flip_a ? in.a.rows : in.a.cols;
  const Int rows_b = flip_b ? in.b.cols : in.b.rows, n = flip_b ? in.b.rows : in.b.cols;
  if (k != rows_b)
    throw ArgumentError(fmt::format("{}, {}: the {} of A ({}) must equal the {} of B ({})",
                                    describe("A", in.a, arguments.op_a), describe("B", in.b, arguments.op_b),
                                    flip_a ? "rows" : "columns", k, flip_b ? "columns" : "rows", rows_b));
  if (in.c && (in.c->rows != m || in.c->cols != n))
    throw ArgumentError(
        fmt::format("--c-in is {}x{}, expected {}x{}, the sizes of the product", in.c->rows, in.c->cols, m, n));
  GemmProblem problem;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.ranks = ranks;
  problem.type = type_of(in, arguments);
  problem.op_a = arguments.op_a;
  problem.op_b = arguments.op_b;
  return problem;
}

Plan plan_of(const Comm& world, const GemmProblem& problem, const MultiplyArguments& arguments) {
  PlanningArguments gemm = arguments.gemm;
  if (gemm.options.kernels.empty()) gemm.options.kernels = kernels_in_use(world);
  gemm.problem = problem;
  settle(gemm);
  try {
    return plan_here(world, problem, gemm.options);
  } catch (const MemoryError& e) {
    throw MemoryError(
        fmt::format("--memory {}: {} (a word is {} bytes)", gemm.memory, e.what(), size_of(problem.type)));
  }
}

template <class T>
T scalar(std::complex<double> x) {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(x.real());
  else
    return static_cast<T>(x);
}

template <class T>
DistMatrix<T> copy_of(const DistMatrix<T>& X) {
  auto copy = DistMatrix<T>::own(X.layout(), X.rank());
  std::copy(X.data(), X.data() + X.words(), copy.data());
  return copy;
}

void require_right(const CheckResult& check, bool inputs_may_be_nonfinite) {
  if (check.passed() || (inputs_may_be_nonfinite && !std::isfinite(check.ratio))) return;
  throw RuntimeError(
      std::isfinite(check.ratio)
          ? fmt::format(
                "--check: C is wrong: a residual is {:.3g} times what rounding errors explain; nothing was written",
                check.ratio)
          : std::string("--check: C holds numbers that are not finite, though A and B do not; nothing was written"));
}

/// The longest, or largest, of any rank; what the multiplication is made of, of the rank that took longest for it, so
/// that it adds up.
void gather(const Comm& world, MultiplyReport& r, const RunReport& run, const Count& expected) {
  MultiplyReport::Seconds& s = r.seconds;
  const bool differs = run.received != expected.wire_words || run.messages != expected.messages ||
                       (r.plan.options().ranks_per_node > 0 && run.from_other_nodes != expected.node_words);
  std::vector<double> all{s.prepare,
                          s.read,
                          s.check,
                          s.write,
                          s.all,
                          run.seconds,
                          static_cast<double>(run.received),
                          static_cast<double>(run.messages),
                          differs ? 1.0 : 0.0,
                          static_cast<double>(run.copied_bytes),
                          static_cast<double>(run.from_other_nodes),
                          static_cast<double>(expected.wire_words)};
  max_over_ranks(world, all);
  std::vector<double> parts(3, 0.0);
  if (run.seconds == all[5]) parts = {run.gemm_seconds, run.wait_seconds, run.other_seconds};
  max_over_ranks(world, parts);
  s = {all[0], all[1], all[5], parts[0], parts[1], parts[2], all[2], all[3], all[4]};
  r.received = static_cast<Int>(all[6]);
  r.messages = static_cast<Int>(all[7]);
  r.as_predicted = all[8] == 0;
  r.copied_bytes = static_cast<Int>(all[9]);
  r.from_other_nodes = static_cast<Int>(all[10]);
  r.predicted = static_cast<Int>(all[11]);
}

double local_rate(const Comm& world, const Plan& plan) {
  const GemmProblem& p = plan.problem();
  const auto [pm, pn, pk] = plan.grid();
  const auto up = [](Int size, Int parts) { return (size + parts - 1) / parts; };
  constexpr double seconds = 0.15;  // enough for a figure, too short to be noticed
  return measured_gemm_rate(world, p.type, up(p.m, pm), up(p.n, pn), up(p.k, pk), pm * pn * pk, seconds);
}

/// Predicted seconds and megabytes above which somebody at a terminal wants to see that it goes on.
bool is_long(const Plan& plan, const Inputs& in) {
  constexpr double patience = 2, bytes_per_second = 5e8;
  return plan.predicted_seconds() + static_cast<double>(in.a.bytes + in.b.bytes) / bytes_per_second > patience;
}

template <class T>
MultiplyReport run(const Comm& world, const MultiplyArguments& arguments, const Inputs& in, Plan the_plan,
                   Watch& watch) {
  const GemmProblem& p = the_plan.problem();
  const bool speaks = world.rank() == 0 && terminal().errors && is_long(the_plan, in);
  Progress progress(speaks, arguments.check ? 4 : 3);
  const T alpha = scalar<T>(arguments.alpha), beta = scalar<T>(arguments.beta);
  const ReadOptions read{.allow_nonfinite = arguments.allow_nonfinite};
  MultiplyReport report{the_plan, in.a, in.b, in.c, world.size(), {}, 0, 0, 0, 0, 0, 0, {}, {}, {}, false, {}};
  report.kernels = blas_info().kernels;

  report.seconds.prepare = watch.lap();
  progress.step("read");
  const auto A = read_matrix<T>(world, in.a, the_plan.layout_a(), read),
             B = read_matrix<T>(world, in.b, the_plan.layout_b(), read);
  const auto C = in.c ? read_matrix<T>(world, *in.c, the_plan.layout_c(), read)
                      : DistMatrix<T>::own(the_plan.layout_c(), world.rank());
  std::optional<DistMatrix<T>> before;
  if (in.c && arguments.check) before = copy_of(C);
  report.seconds.read = watch.lap();

  progress.step(fmt::format("multiply, about {:.0f} s", the_plan.predicted_seconds()));
  RunReport done;
  Count expected;
  {
    Multiplication<T> multiplication(world, the_plan);
    const ProfiledRegion region;
    done = multiplication.run(alpha, A, B, beta, C);
    report.transport = multiplication.transport();
    report.obstacle = multiplication.obstacle();
    expected = multiplication.count();
  }
  report.gemm_rate = local_rate(world, the_plan);
  watch.lap();

  if (arguments.check) {
    progress.step("check");
    report.check = freivalds<T>(world, p.op_a, p.op_b, alpha, A, B, beta, before ? &*before : nullptr, C);
    require_right(*report.check, arguments.allow_nonfinite);
    report.seconds.check = watch.lap();
  }
  progress.step("write");
  write_npy(world, arguments.output, C, {.order = arguments.order, .argument = "-o"});
  report.seconds.write = watch.lap();
  report.seconds.all = watch.total();
  gather(world, report, done, expected);
  return report;
}

}  // namespace

MultiplyReport multiply(const Comm& world, const MultiplyArguments& arguments) {
  Watch watch;
  Inputs in{inspect_file(world, arguments.a, "A"), inspect_file(world, arguments.b, "B"), {}};
  if (arguments.beta != 0.0) in.c = inspect_file(world, arguments.c_in, "--c-in");
  const GemmProblem problem = problem_of(in, arguments, world.size());
  const Plan the_plan = plan_of(world, problem, arguments);
  require_writable(world, arguments.output, npy_bytes(problem.type, problem.m, problem.n), "-o");
  const std::string& trace = arguments.gemm.options.trace;
  if (!trace.empty()) require_writable(world, trace, 0, "--trace");
  switch (problem.type) {
    case ScalarType::float32: return run<float>(world, arguments, in, the_plan, watch);
    case ScalarType::float64: return run<double>(world, arguments, in, the_plan, watch);
    case ScalarType::complex64: return run<std::complex<float>>(world, arguments, in, the_plan, watch);
    default: return run<std::complex<double>>(world, arguments, in, the_plan, watch);
  }
}

}  // namespace cairn::app
