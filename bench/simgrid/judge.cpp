// The executor itself, run by SimGrid's SMPI on simulated ranks: an independent judge of the clock.
// All that is replaced is the local product: cblas_dgemm, defined here, takes the time that the machine model says.
//   judge MACHINE.json M N K CASES REPORT   adds the simulated seconds of every line of the file CASES to REPORT; a
//   line
//                                           is "algorithm;look-ahead;collectives", or empty: the plan that is usual,
//                                           and the second of two runs
// Built with smpicxx and run by bench/simgrid/judge.py on a platform that has the machine's latency and bandwidth.
#include <cblas.h>
#include <fmt/format.h>
#include <mpi.h>
#include <smpi/smpi.h>

#include <cstdlib>
#include <fstream>

#include "cairn/cairn.hpp"
#include "model/machine.hpp"
#include "planner/plan_data.hpp"

namespace {

using cairn::Int;

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

// One plan for all ranks, which live in one process: rank 0 makes it and hands on where it is.
const cairn::Plan* shared_plan(const cairn::GemmProblem& problem, const std::string& line, int rank) {
  const cairn::Plan* plan = nullptr;
  if (rank == 0) plan = new cairn::Plan(cairn::plan_on(*machine, problem, options_of(line)));
  static_assert(sizeof(plan) == sizeof(Int));
  MPI_Bcast(&plan, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  return plan;
}

double simulated_seconds(const cairn::Comm& comm, const cairn::GemmProblem& problem, const std::string& line) {
  cairn::Multiplication<double> run(comm, *shared_plan(problem, line, comm.rank()));
  const auto A = cairn::DistMatrix<double>::own(run.plan().layout_a(), comm.rank());
  const auto B = cairn::DistMatrix<double>::own(run.plan().layout_b(), comm.rank());
  const auto C = cairn::DistMatrix<double>::own(run.plan().layout_c(), comm.rank());
  if (line.empty()) run.run(1.0, A, B, 0.0, C);
  align();
  double seconds = run.run(1.0, A, B, 0.0, C).seconds;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

}  // namespace

extern "C" void cblas_dgemm(CBLAS_LAYOUT, CBLAS_TRANSPOSE, CBLAS_TRANSPOSE, int m, int n, int k, double, const double*,
                            int, const double*, int, double, double*, int) {
  compute(machine->gemm_seconds(m, n, k, cairn::ScalarType::float64));
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
  constexpr int arguments = 7;
  if (argc != arguments) {
    if (comm.rank() == 0) fmt::print(stderr, "judge: expected MACHINE.json M N K CASES REPORT\n");
    return 2;
  }
  const cairn::Machine model = cairn::find_machine(argv[1]);
  machine = &model;
  cairn::GemmProblem problem;
  problem.m = std::atoll(argv[2]), problem.n = std::atoll(argv[3]), problem.k = std::atoll(argv[4]);
  problem.ranks = comm.size();
  std::ifstream cases(argv[5]);
  for (std::string line; std::getline(cases, line);) {
    const double seconds = simulated_seconds(comm, problem, line);
    if (comm.rank() == 0) std::ofstream(argv[6], std::ios::app) << fmt::format("{:.9g}\n", seconds);
  }
}
