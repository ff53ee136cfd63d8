// Starting the ranks of a run when the user did not, and ending them with one message.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cairn/comm.hpp"

namespace cairn::app {

/// Whether an MPI launcher started this process. To be asked first before MPI starts.
bool under_launcher();

/// Cores that this process may use.
int usable_cores();

/// The path of this program.
std::string myself();

/// The launcher for local ranks: the environment's CAIRN_MPIEXEC, else the one Cairn was built with, else mpiexec.
std::string launcher();

/// Starts this program with `arguments` on `ranks` ranks of this machine and waits for it. Returns its exit code: that
/// of the ranks, who have then reported what was wrong, or 1 after reporting here that they could not start or were
/// killed. A signal that asks this process to end goes to the ranks, and then ends it.
int launch(int ranks, const std::vector<std::string>& arguments);

/// Has this process's only rank use the kernels that launched ranks would: starts this program again with `arguments`
/// if OpenBLAS has to be told so, which it must be before it is loaded; otherwise returns.
void restart_with_fastest_kernels(const std::vector<std::string>& arguments);

/// What the process that launched the ranks knows about the terminal, or this process itself if there was no launch.
/// Ranks that another launcher started know of none.
struct Terminal {
  bool output = false;   ///< standard output is a terminal
  bool colours = false;  ///< that wants colours
  bool errors = false;   ///< standard error is a terminal
};
Terminal terminal();

/// Runs work(world) between MPI_Init and MPI_Finalize on the ranks there are. An error that all ranks throw is printed
/// once, one that a rank throws alone ends all of them. Returns the exit code.
int on_all_ranks(const std::function<void(const Comm&)>& work);

}  // namespace cairn::app
