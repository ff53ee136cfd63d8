// Reading, planning, multiplying, checking, writing: the work of `cairn multiply`, on all ranks.
#include "multiply.hpp"

#include <fmt/format.h>

#include "api/plan_on_this_node.hpp"
#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "cairn/gemm.hpp"
#include "model/problem.hpp"
#include "planner/plan_facts.hpp"
#include "progress.hpp"
#include "runtime/environment.hpp"

namespace cairn::app {

namespace {

GemmProblem problem_of(const ProductFiles& files, const MultiplyArguments& a, int ranks) {
  GemmProblem problem;
  problem.m = files.m, problem.n = files.n, problem.k = files.k;
  problem.ranks = ranks;
  problem.type = files.type;
  problem.op_a = a.op_a, problem.op_b = a.op_b;
  return problem;
}

void require_dense(const ProductFiles& in) {
  for (const FileInfo* file : {&in.a, &in.b, in.c ? &*in.c : nullptr})
    if (file != nullptr && file->format == FileFormat::block_sparse)
      throw FileError(
          fmt::format("{} ({}): a block-sparse file, expected a dense matrix (.npy) or a Matrix Market file; "
                      "`cairn spgemm` multiplies block-sparse ones",
                      file->argument, file->path));
}

double flops_of(const GemmProblem& p) { return real_operations(p.type) * flops(Multiply{p.m, p.n, p.k}); }

double local_rate(const Comm& world, const Plan& plan) {
  const GemmProblem& p = plan.problem();
  const auto [pm, pn, pk] = plan.grid();
  constexpr double seconds = 0.15;  // enough for a figure, too short to be noticed
  return measured_gemm_rate(world, p.type, ceil_div(p.m, pm), ceil_div(p.n, pn), ceil_div(p.k, pk), pm * pn * pk,
                            seconds);
}

template <class T>
MultiplyReport run(const Comm& world, const MultiplyArguments& arguments, const ProductFiles& in, Plan the_plan,
                   Watch& watch) {
  const GemmProblem& p = the_plan.problem();
  Progress progress(world, arguments.check ? 4 : 3, is_long(the_plan.predicted_seconds(), in.a.bytes + in.b.bytes));
  const T alpha = element_of<T>(arguments.alpha), beta = element_of<T>(arguments.beta);
  const ReadOptions read = arguments.reading();
  MultiplyReport report{the_plan, in, {}, {}};
  RunFacts& facts = report.run;
  facts.ranks = world.size(), facts.type = p.type, facts.flops = flops_of(p);
  facts.kernels = blas_info().kernels;

  facts.seconds.prepare = watch.lap();
  progress.step("read");
  const auto A = read_matrix<T>(world, in.a, the_plan.layout_a(), read),
             B = read_matrix<T>(world, in.b, the_plan.layout_b(), read);
  const auto C = in.c ? read_matrix<T>(world, *in.c, the_plan.layout_c(), read)
                      : DistMatrix<T>::own(the_plan.layout_c(), world.rank());
  std::optional<DistMatrix<T>> before;
  if (in.c && arguments.check) before = copy_of(C);
  facts.seconds.read = watch.lap();

  progress.step(fmt::format("multiply, about {:.0f} s", the_plan.predicted_seconds()));
  {
    Multiplication<T> multiplication(world, the_plan);
    const ProfiledRegion region;
    const RunReport done = multiplication.run(alpha, A, B, beta, C);
    facts.transport = multiplication.transport();
    facts.obstacle = multiplication.obstacle();
    const bool multiplies = alpha != T(0);  // else nothing travels, whatever the plan is
    facts.stages = {stage_of(world, "multiply", done, multiplies ? multiplication.count() : Count(),
                             multiplies ? plan_bounds(the_plan).tight : 0, the_plan.options().ranks_per_node > 0)};
  }
  facts.gemm_rate = local_rate(world, the_plan);
  watch.lap();

  if (arguments.check) {
    progress.step("check");
    report.check = freivalds<T>(world, p.op_a, p.op_b, alpha, A, B, beta, before ? &*before : nullptr, C);
    require_right(*report.check, "rounding errors", arguments.allow_nonfinite);
    facts.seconds.check = watch.lap();
  }
  progress.step("write");
  write_npy(world, arguments.output, C, {.order = arguments.order, .argument = "-o"});
  facts.seconds.write = watch.lap();
  settle_seconds(world, watch, facts.seconds);
  return report;
}

}  // namespace

MultiplyReport multiply(const Comm& world, const MultiplyArguments& arguments) {
  advise(world, arguments);
  Watch watch;
  const ProductFiles in = inspect_operands(world, arguments, arguments.planning.type);
  require_dense(in);
  const GemmProblem problem = problem_of(in, arguments, world.size());
  const Plan the_plan = planned(world, problem, arguments.planning,
                                [&](const Options& options) { return plan_here(world, problem, options); });
  require_outputs(world, arguments, {arguments.a, arguments.b, arguments.c_in}, problem.type, problem.m, problem.n);
  return with_type(problem.type, [&]<class T>(T) { return run<T>(world, arguments, in, the_plan, watch); });
}

}  // namespace cairn::app
