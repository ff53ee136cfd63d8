// Words, messages, flops and memory of a schedule, exactly, before anything runs.
#pragma once
#include <array>
#include <functional>

#include "cairn/plan.hpp"
#include "model/transport.hpp"
#include "schedule/effect.hpp"
#include "schedule/passes/passes.hpp"

namespace cairn {

/// What one rank receives, computes and holds. `collective` is the schedule as the algorithm wrote it (received);
/// `wire` the same after expand_collectives (wire words, messages, peak). The transport decides on buffers. Nodes hold
/// `ranks_per_node` consecutive ranks; with 0, node_words stays 0.
Count count(const Schedule& collective, const Schedule& wire, Int rank, Transport transport = Transport::two_sided,
            Int ranks_per_node = 0);
/// Of these, what does not depend on the transport: words received and flops. `does` are the effects of the schedule.
Count count_asked(const Schedule& collective, const std::vector<Effect>& does, Int rank);
/// Words of the wire that reach a rank from those elsewhere; of `ranks_per_node` consecutive ranks, from other nodes.
Int node_words(const Schedule& wire, Int rank, const std::function<bool(Int peer)>& elsewhere);
Int node_words(const Schedule& wire, Int rank, Int ranks_per_node);

/// Words of the caller's matrices on a rank.
Int callers_words(const Schedule& schedule, Int rank);
/// Words that a rank holds at most: Count::peak_words.
Int peak_words(const Schedule& wire, const Uses& uses, Int rank, Transport transport);

/// Over all ranks, idle ones included. Words from other nodes are known only of nodes that share memory.
struct Totals {
  Count min, max;
  double mean_received = 0, mean_wire_words = 0, mean_messages = 0, mean_peak_words = 0, mean_node_words = 0;
  double total_flops = 0;
  Int most_touched = 0;  ///< docs/glossary.md, "touched"
  Int counted = 0;       ///< ranks

  /// Count so many ranks like this one, each with `own` words of the caller's matrices. When all that do anything have
  /// been, divide the sums by the number of all.
  void add(const Count& count, Int ranks, Int own);
  void divide(Int ranks);

  /// Each figure of a rank, and what it adds up to.
  struct Figure {
    Int Count::*of_rank;
    double Totals::*sum;
  };
  static const std::array<Figure, 6> figures;
};
/// Of ranks that are alike counted once, or of very many kinds of ranks as count_separably() does.
Totals count_all(const Schedule& collective, const Schedule& wire, Transport transport = Transport::two_sided);

}  // namespace cairn
