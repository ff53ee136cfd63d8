// The executor itself, run by SimGrid's SMPI on simulated ranks: an independent judge of the clock.
// All that is replaced is local work: the routines of BLAS and LAPACK, defined here, take the time that the machine
// model says.
//   judge MACHINE.json CASES REPORT gemm M N K    adds the simulated seconds of every line of the file CASES to REPORT;
//   judge MACHINE.json CASES REPORT potrf N       a line is "algorithm;look-ahead;collectives", or empty: the plan that
//   judge MACHINE.json CASES REPORT trsm M N      is usual, and the second of two runs
// Built with smpicxx and run by bench/simgrid/judge.py on a platform that has the machine's latency and bandwidth.
#include <cblas.h>
#include <fmt/format.h>
#include <mpi.h>
#include <smpi/smpi.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <variant>
#include <vector>

#include "cairn/cairn.hpp"
#include "model/machine.hpp"
#include "planner/plan_data.hpp"
#include "planner/plan_factor.hpp"
#include "schedule/kernels.hpp"

namespace {

using cairn::Int;
using Judged = std::variant<cairn::GemmProblem, cairn::FactoriseProblem, cairn::SolveProblem>;

const cairn::Machine* machine = nullptr;

// Let simulated time pass, on hosts of 1 Gflop/s as the platforms have them.
void compute(double seconds) {
  constexpr double host_speed = 1e9;
  smpi_execute_flops(host_speed * seconds);
}

// Start together: at the latest of all ranks' times, which SimGrid's clock has in common.
void align() {
  double latest = MPI_Wtime();
  MPI_Allreduce(MPI_IN_PLACE, &latest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  constexpr double margin = 1;  // until the slowest has heard of it
  compute(latest + margin - MPI_Wtime());
}

cairn::Options options_of(const std::string& line) {
  const std::size_t first = line.find(';'), second = line.find(';', first + 1);
  cairn::Options options;
  if (line.empty()) return options;
  options.algorithm = line.substr(0, first);
  options.look_ahead = std::atoi(line.substr(first + 1, second - first - 1).c_str());
  options.collectives = line.substr(second + 1);
  return options;
}

// What the clock says of the last plan, also where the replay decided; rank 0 knows.
double clocked = 0;

// One plan for all ranks, which live in one process: rank 0 makes it and hands on where it is.
template <class P>
auto shared_plan(const P& problem, const std::string& line, int rank) {
  using Planned = decltype(cairn::plan_on(*machine, problem, {}));
  const Planned* plan = nullptr;
  if (rank == 0) {
    plan = new Planned(cairn::plan_on(*machine, problem, options_of(line)));
    clocked = plan->data().by_clock().seconds;
  }
  static_assert(sizeof(plan) == sizeof(Int));
  MPI_Bcast(&plan, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  return *plan;
}

auto own(const cairn::Layout& layout, const cairn::Comm& comm) {
  return cairn::DistMatrix<double>::own(layout, comm.rank());
}

// Makes an operation ready; what comes back runs it once.
auto ready(const cairn::Comm& comm, const cairn::GemmProblem& p, const std::string& line) {
  return [run = cairn::Multiplication<double>(comm, shared_plan(p, line, comm.rank())), &comm]() mutable {
    const auto& plan = run.plan();
    return run.run(1.0, own(plan.layout_a(), comm), own(plan.layout_b(), comm), 0.0, own(plan.layout_c(), comm));
  };
}
auto ready(const cairn::Comm& comm, const cairn::FactoriseProblem& p, const std::string& line) {
  return [run = cairn::Factorisation<double>(comm, shared_plan(p, line, comm.rank())), &comm]() mutable {
    return run.run(own(run.plan().layout_a(), comm));
  };
}
auto ready(const cairn::Comm& comm, const cairn::SolveProblem& p, const std::string& line) {
  return [run = cairn::TriangularSolve<double>(comm, shared_plan(p, line, comm.rank())), &comm]() mutable {
    return run.run(1.0, own(run.plan().layout_a(), comm), own(run.plan().layout_b(), comm));
  };
}

template <class P>
double simulated_seconds(const cairn::Comm& comm, const P& problem, const std::string& line) {
  auto run = ready(comm, problem, line);
  if (line.empty()) run();
  align();
  double seconds = run().seconds;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

std::optional<Judged> problem_of(const std::vector<std::string>& words, Int ranks) {
  const auto size = [&](std::size_t i) { return static_cast<Int>(std::stoll(words[i])); };
  if (words.size() == 4 && words[0] == "gemm")
    return cairn::GemmProblem{.m = size(1), .n = size(2), .k = size(3), .ranks = ranks};
  if (words.size() == 2 && words[0] == "potrf") return cairn::FactoriseProblem{.n = size(1), .ranks = ranks};
  if (words.size() == 3 && words[0] == "trsm")  // matrices are zero, so that a stored diagonal would not be divided by
    return cairn::SolveProblem{.m = size(1), .n = size(2), .diag = cairn::Diag::unit, .ranks = ranks};
  return std::nullopt;
}

void compute_like_a_product(cairn::Kernel kernel, cairn::Compute::Side side, Int m, Int n) {
  const cairn::Likeness like = cairn::like_a_product(kernel, side, {m, n, 0, m * n});
  compute(like.share * machine->gemm_seconds(like.m, like.n, like.k, cairn::ScalarType::float64));
}

}  // namespace

extern "C" void cblas_dgemm(CBLAS_LAYOUT, CBLAS_TRANSPOSE, CBLAS_TRANSPOSE, int m, int n, int k, double, const double*,
                            int, const double*, int, double, double*, int) {
  compute(machine->gemm_seconds(m, n, k, cairn::ScalarType::float64));
}

extern "C" void cblas_dtrsm(CBLAS_LAYOUT, CBLAS_SIDE side, CBLAS_UPLO, CBLAS_TRANSPOSE, CBLAS_DIAG, int m, int n,
                            double, const double*, int, double*, int) {
  const bool left = side == CblasLeft;
  compute_like_a_product(cairn::Kernel::trsm, left ? cairn::Side::left : cairn::Side::right, m, n);
}

extern "C" void dpotrf_(const char*, const int* n, double*, const int*, int* info, std::size_t) {
  *info = 0;
  compute_like_a_product(cairn::Kernel::potrf, cairn::Side::left, *n, *n);
}

// SMPI lacks it. All that is sent here are doubles.
extern "C" int MPI_Get_elements_x(MPI_Status* status, MPI_Datatype, MPI_Count* count) {
  int bytes = 0;
  const int code = MPI_Get_count(status, MPI_BYTE, &bytes);
  *count = bytes / static_cast<int>(sizeof(double));
  return code;
}

int main(int argc, char** argv) {
  const cairn::MpiSession session(&argc, &argv);
  const cairn::Comm comm = cairn::Comm::world();
  const std::vector<std::string> words(argv, argv + argc);
  constexpr std::size_t files = 4;  // the program's own name among them
  const auto problem =
      words.size() < files ? std::nullopt : problem_of({words.begin() + files, words.end()}, comm.size());
  if (!problem) {
    if (comm.rank() == 0)
      fmt::print(stderr, "judge: expected MACHINE.json CASES REPORT, and gemm M N K, potrf N, or trsm M N\n");
    return 2;
  }
  const cairn::Machine model = cairn::find_machine(words[1]);
  machine = &model;
  std::ifstream cases(words[2]);
  for (std::string line; std::getline(cases, line);) {
    const double seconds = std::visit([&](const auto& p) { return simulated_seconds(comm, p, line); }, *problem);
    if (comm.rank() == 0) std::ofstream(words[3], std::ios::app) << fmt::format("{:.9g} {:.9g}\n", seconds, clocked);
  }
}
