#include "runtime/environment.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <thread>

#ifdef __linux__
#include <sys/prctl.h>

#include <csignal>
#endif

#include "base/arithmetic.hpp"
#include "base/scalars.hpp"
#include "runtime/measure/measure.hpp"
#include "runtime/mpi_check.hpp"
#include "runtime/over_ranks.hpp"

namespace cairn {

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::string name(text.data(), static_cast<std::size_t>(length));
  name.resize(std::min(name.find_first_of(",\n"), name.size()));
  // "Open MPI v4.1.4", "MPICH Version:\t4.0.2"
  for (const auto& [from, to] : {std::pair{" v", " "}, {" Version:\t", " "}, {" Version:", ""}})
    if (const std::size_t at = name.find(from); at != name.npos) name.replace(at, std::string_view(from).size(), to);
  return name;
}

std::string mpi_standard() {
  int major = 0, minor = 0;
  MPI_Get_version(&major, &minor);
  return fmt::format("{}.{}", major, minor);
}

namespace {

/// A function of the BLAS in use, if it has one of that name. Which BLAS it is, is known at run time only: the library
/// may be exchanged under the program.
template <class F>
F* find_function(const char* name) {
  return reinterpret_cast<F*>(reinterpret_cast<std::uintptr_t>(dlsym(RTLD_DEFAULT, name)));
}

}  // namespace

BlasInfo blas_info() {
  BlasInfo info;
  Dl_info where{};
  if (void* const gemm = dlsym(RTLD_DEFAULT, "cblas_dgemm"); gemm != nullptr && dladdr(gemm, &where) != 0) {
    std::array<char, 4096> resolved{};
    info.file = realpath(where.dli_fname, resolved.data()) != nullptr ? resolved.data() : where.dli_fname;
  }
  if (const auto config = find_function<char*()>("openblas_get_config")) info.name = config();
  if (const auto core = find_function<char*()>("openblas_get_corename")) info.kernels = core();
  if (const auto threads = find_function<int()>("openblas_get_num_threads")) info.threads = threads();
  if (const auto version = find_function<void(char*, int)>("MKL_Get_Version_String"); version && info.name.empty()) {
    std::array<char, 256> text{};
    version(text.data(), static_cast<int>(text.size()));
    info.name = text.data();
  }
  if (const auto version = find_function<char*()>("bli_info_get_version_str"); version && info.name.empty())
    info.name = fmt::format("BLIS {}", version());
  if (info.name.empty()) info.name = "CBLAS of unknown make";
  return info;
}

bool may_measure_node() {
  const char* const said = std::getenv("CAIRN_MEASURE_NODE");
  return said == nullptr || std::string_view(said) != "0";
}

bool have_cores(int ranks) { return ranks <= sysconf(_SC_NPROCESSORS_ONLN); }

std::string processor_detail(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {  // "model name\t: AMD EPYC"
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::size_t end = line.find_last_not_of(" \t", colon == 0 ? 0 : colon - 1) + 1;
    if (std::string_view(line).substr(0, end) == key) return line.substr(std::min(line.size(), colon + 2));
  }
  return "";
}

std::string processor() {
  const std::string name = processor_detail("model name");
  return name.empty() ? "unknown" : name;
}

void use_one_blas_thread() {
  if (const auto set = find_function<void(int)>("openblas_set_num_threads")) set(1);
}

ProfiledRegion::ProfiledRegion() { MPI_Pcontrol(1); }
ProfiledRegion::~ProfiledRegion() { MPI_Pcontrol(0); }

double measured_gemm_rate(const Comm& comm, ScalarType type, Int m, Int n, Int k, Int ranks, double seconds) {
  constexpr Int most = 1024;
  m = std::clamp<Int>(m, 1, most);
  n = std::clamp<Int>(n, 1, most);
  k = std::clamp<Int>(k, 1, most);
  double rate = 0;
  with_product({m, n, k, type}, [&](const std::function<void()>& multiply) {
    multiply();  // touches the memory, wakes the library
    MPI_TRY(MPI_Barrier(comm.raw()));
    const double start = MPI_Wtime();
    int runs = 0;
    for (; MPI_Wtime() - start < seconds || runs == 0; ++runs) multiply();
    rate = operations(type) * real(m) * real(n) * real(k) * runs / (MPI_Wtime() - start);
  });
  if (comm.rank() >= ranks) rate = 0;
  return over_ranks(comm, MPI_SUM, rate);
}

void end_with_parent() {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
}

Rendezvous::Rendezvous(const Comm& comm) { MPI_TRY(MPI_Comm_dup(comm.raw(), &comm_)); }

Rendezvous::~Rendezvous() {
  if (!mpi_has_ended()) MPI_Comm_free(&comm_);
}

std::optional<Rendezvous::Outcome> Rendezvous::meet(int code, double seconds) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &ranks);
  // The lowest rank that failed has the largest value.
  mine_ = code == 0 ? 0 : static_cast<std::int64_t>(ranks - rank) * 256 + code;
  largest_ = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  if (MPI_Iallreduce(&mine_, &largest_, 1, MPI_INT64_T, MPI_MAX, comm_, &request) != MPI_SUCCESS) abort(code);
  for (const double start = MPI_Wtime(); MPI_Wtime() - start < seconds;) {
    int all = 0;
    if (MPI_Test(&request, &all, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
    if (all)
      return largest_ == 0 ? Outcome{}
                           : Outcome{static_cast<int>(largest_ % 256), ranks - static_cast<int>(largest_ / 256)};
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return {};
}

void Rendezvous::abort(int code) {
  MPI_Abort(comm_, code);
  std::abort();
}

}  // namespace cairn
