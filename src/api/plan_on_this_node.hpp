// Plans for the node that a program runs on.
#pragma once
#include <fmt/format.h>

#include "api/made_together.hpp"
#include "cairn/comm.hpp"
#include "cairn/error.hpp"
#include "cairn/factor_plan.hpp"
#include "model/machine.hpp"

namespace cairn {

/// The name of the machine for the ranks of a communicator. Where all of them share a node, and nobody names one, a
/// workstation's figures are nearer than a cluster's, whose messages take so long that one rank had better do small
/// work alone: then "local". Collective.
std::string machine_for(const Comm& comm, const std::string& name);

/// plan() by the figures of this node: where the transport is open, the machine is a built-in one that stands for
/// whatever there is, all ranks are on one node and the work is long enough, they are measured unless they are kept.
/// A factorisation or a solve is else planned by machine_for(). Collective; afterwards throws as plan(), where a rank
/// finds none.
Plan plan_here(const Comm& comm, const GemmProblem& problem, const Options& options);
template <class P>
FactorPlan plan_here(const Comm& comm, const P& problem, const Options& options);

/// The same options; one-sided where transport and memory are open, ranks of one node would wait for each other's
/// messages while they multiply (messages_need_sender), and there is work enough; then broadcasts are flat, unless they
/// are asked for. Of a factorisation or a solve. Collective; all ranks have the same arguments.
template <class P>
Options with_transport(const Comm& comm, const P& problem, const Options& options);

/// The machine by which products of block-sparse matrices are compared: the one that a plan assumes without a name.
/// Kept with the communicator. Collective; throws ArgumentError or FileError on every rank if any finds none.
std::shared_ptr<const Machine> machine_of(const Comm& comm);
/// The same; null on every rank if any finds none.
std::shared_ptr<const Machine> machine_if_known(const Comm& comm);

/// The same plans, for this communicator and the kernels in use. One that fails on one rank (a machine file that only
/// others can read) fails on all. Collective.
template <class Problem>
auto plan_together(const Comm& comm, Problem problem, Options options) {
  problem.ranks = comm.size();
  const std::string& in_use = kernels_in_use(comm);  // which ranks find together, whatever their options say
  if (options.kernels.empty()) options.kernels = in_use;
  return made_together(comm, [&] { return plan_here(comm, problem, options); });
}

/// What `make` makes for one of the steps of a solution, "factorisation" or "solves", which are planned one after
/// another: the memory that is too little for it may be too little for the others, too.
template <class Make>
auto planned_of_three(const char* step, Make make) {
  try {
    return make();
  } catch (const MemoryError& e) {
    throw MemoryError(fmt::format("{} for the {} alone", e.what(), step));
  }
}

}  // namespace cairn
