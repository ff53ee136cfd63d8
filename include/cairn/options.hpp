// Everything a caller may ask for; the defaults need no tuning.
#pragma once
#include <optional>
#include <string>

#include "cairn/types.hpp"

namespace cairn {

struct Options {
  /// Words (elements) that a rank may hold in all: its parts of A, B and C in the plan's own layouts, and the
  /// plan's arena. Absent: unlimited.
  std::optional<Int> memory_words{};
  /// One-line spelling, "cosma pm2,pn2,pk2,sk4"; or a name, "summa", for that algorithm's best plan. Empty: the best
  /// plan of all algorithms.
  std::string algorithm{};
  /// What makes a plan the best. "time": by the clock. "words": its busiest rank receives the fewest words of all plans
  /// that fit, however long they take; between equals the faster; of a factorisation or a solve, of all plans that are
  /// compared (docs/factorise.md). "balanced": the fewest words among the plans that are as fast as the fastest, as far
  /// as the machine's precision and, of COSMA's grids, closed forms tell.
  std::string prefer = "time";
  /// Rounds whose panels travel while an earlier round is multiplied. Absent: chosen by the clock.
  std::optional<int> look_ahead{};
  /// Largest share of the ranks that may stay idle, the paper's δ [cosma-sc19 §7.1], in [0, 1). Absent: as many
  /// as the clock says pay; where words are preferred, fewer than half of those that there is work for, or all but as
  /// many as hold the caller's matrices, since one rank alone receives nothing.
  std::optional<double> max_idle{};
  /// How words travel: "two-sided", "one-sided" or "node-shared". Empty: the fastest by the clock of two-sided and
  /// those of which the machine has figures. A file of `cairn calibrate` has them; for long products of ranks of one
  /// node they are measured at the first use and kept, see docs/node_shared.md.
  /// One-sided adds sums in whatever order they come: results may differ in their last bits from run to run.
  /// Factorisations and solves know the first two. Empty, they are one-sided, if memory is not limited, where ranks of
  /// one node would wait for each other's messages while they multiply; these have no sums of that kind.
  std::string transport{};
  /// How collectives are carried out: "bcast=binomial, allgather=ring". What is not named: chosen by the clock.
  std::string collectives{};
  /// Ranks of one node, consecutive ones. 0: those of one unit of the machine's level "node", or else of its innermost
  /// limited one, when planning, and those that share memory when running. Other values make nodes of the ranks of one
  /// machine, to try what crosses nodes.
  Int ranks_per_node = 0;
  /// Machine that the clock assumes: a built-in name or the path of a JSON file, as `cairn calibrate` writes it. Empty:
  /// the one that the environment variable CAIRN_MACHINE names, or else "generic"; of factorisations and solves on a
  /// communicator of one node, "local".
  std::string machine{};
  /// Kernels whose rates local products are assumed to have, as OpenBLAS names them: "SkylakeX", "Haswell". Empty:
  /// those in use where a call has a communicator, as gemm() has; of plan(), which needs no BLAS, the machine's own
  /// figures. kernels_in_use() tells them. Machines that do not say of which kernels their figures are keep them.
  std::string kernels{};
  /// Compare words received with Count::wire_words on every rank after every run; RuntimeError where they differ.
  bool verify_counts = false;
  /// File for a Chrome/Perfetto trace of the last run. Empty: none.
  std::string trace{};
};

}  // namespace cairn
