// What programs on top of the library need of MPI and BLAS themselves, beside the public API: which ones are in use,
// how fast local products run, and a clean end when a rank fails.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cairn/comm.hpp"
#include "cairn/types.hpp"

namespace cairn {

/// "Open MPI 4.1.4". Needs no MPI_Init.
std::string mpi_library();
/// "3.1": the version of the standard it implements.
std::string mpi_standard();

struct BlasInfo {
  std::string name;     ///< "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...", or what is known
  std::string kernels;  ///< the CPU type its kernels were chosen for: "SkylakeX"; empty if it does not say
  std::string file;     ///< shared library that the products come from
  int threads = 0;      ///< 0: it does not say
};
BlasInfo blas_info();
/// Whether a first use may find out what this node can do: not if CAIRN_MEASURE_NODE=0.
bool may_measure_node();
/// Whether so many ranks of this node have a core each, if no others run: else one would measure how they take turns.
bool have_cores(int ranks);
/// What the system tells of the first processor: "model name", "cpu family". Empty where it does not.
std::string processor_detail(std::string_view key);
/// The processor's own name, or "unknown".
std::string processor();
/// Asks the BLAS for one thread a call, if it is OpenBLAS: ranks are the parallelism.
void use_one_blas_thread();

/// MPI_Pcontrol(1) while it lives, MPI_Pcontrol(0) after: profilers that honour it look at nothing else.
class ProfiledRegion {
 public:
  ProfiledRegion();
  ~ProfiledRegion();
  ProfiledRegion(const ProfiledRegion&) = delete;
  ProfiledRegion& operator=(const ProfiledRegion&) = delete;
};

/// Real operations per second of this rank's local m × k by k × n products, for about `seconds` seconds, all ranks at
/// the same time; then the sum over the first `ranks` ranks. Dimensions beyond 1024 are taken as 1024. Collective.
double measured_gemm_rate(const Comm& comm, ScalarType type, Int m, Int n, Int k, Int ranks, double seconds);

/// Linux: the calling process gets SIGTERM when the one that started it ends, however it ends. Elsewhere nothing
/// happens.
void end_with_parent();

/// How to end together when some rank may have failed alone. Made before the work, collectively.
class Rendezvous {
 public:
  explicit Rendezvous(const Comm& comm);
  ~Rendezvous();
  Rendezvous(const Rendezvous&) = delete;
  Rendezvous& operator=(const Rendezvous&) = delete;

  struct Outcome {
    int code = 0;  ///< of the lowest rank whose code is not 0
    int rank = 0;  ///< that rank
  };
  /// Waits so many seconds for all ranks to come here with their exit codes (0 … 255). Nothing if some do not: they are
  /// busy or wait for this one, and only abort() remains.
  std::optional<Outcome> meet(int code, double seconds);
  [[noreturn]] void abort(int code);

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;        ///< its own: on the library's, other ranks may be in the midst of anything
  std::int64_t mine_ = 0, largest_ = 0;  ///< MPI may use them after meet() has waited in vain
};

}  // namespace cairn
