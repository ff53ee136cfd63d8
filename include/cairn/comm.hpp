// Communicators: the one public header that needs MPI's.
#pragma once
#include <mpi.h>

#include <memory>
#include <optional>
#include <string>

namespace cairn {

/// Starts MPI (thread level MPI_THREAD_FUNNELED) unless the program did, and ends it if it started it.
class MpiSession {
 public:
  MpiSession(int* argc, char*** argv);
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

 private:
  bool started_ = false;
};

/// The caller's communicator, any one, not only the world. Cairn talks on a private duplicate, made once a communicator
/// (collectively, at the first Comm of it), kept as an MPI attribute of the caller's and freed with it. Beside it
/// Cairn takes communicators of a node's ranks where they share memory.
///
/// One thread of a process at a time makes or uses what is on communicators, whichever they are: Cairn keeps memory and
/// windows that all of them share. Plans that are made without a communicator may be made by any thread. After the
/// caller's communicator was freed, or MPI has ended, objects on it must not be used, but may be destroyed.
class Comm {
 public:
  /// Throws ArgumentError for MPI_COMM_NULL, an inter-communicator or, where MPI can tell, a freed one,
  /// RuntimeError before MPI_Init or after MPI_Finalize.
  explicit Comm(MPI_Comm comm);
  static Comm world() { return Comm(MPI_COMM_WORLD); }
  static Comm self() { return Comm(MPI_COMM_SELF); }
  /// From MPI_Comm_c2f's integer. Throws as the constructor does.
  static Comm from_fortran(int handle);

  int rank() const;
  int size() const;
  /// Cairn's private duplicate.
  MPI_Comm raw() const;

  /// Collective, one reduction: if any rank passes a problem, every rank throws ArgumentError with the problem of the
  /// lowest such rank, and that rank's number unless all have the same problem; likewise if the ranks' `text`s differ,
  /// where `what` names what they describe.
  void agree(const std::optional<std::string>& problem, const std::string& what = {},
             const std::string& text = {}) const;
  void agree_same(const std::string& what, const std::string& text) const { agree(std::nullopt, what, text); }

  struct State;  ///< private to the library
  State& state() const { return *state_; }

 private:
  State* state_;
};

/// The kernels that local products run with on all ranks, for Options::kernels; where ranks have different ones, the
/// slowest, so that all assume the same. Empty where the BLAS does not tell, or Cairn does not know them. Collective
/// the first time, then kept with the communicator.
const std::string& kernels_in_use(const Comm& comm);

}  // namespace cairn
