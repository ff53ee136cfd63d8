// What plans of products, factorisations and solves have in common: a schedule on a machine, and what is found of it.
#pragma once
#include <mutex>
#include <optional>

#include "cairn/options.hpp"
#include "interpret/clock.hpp"
#include "interpret/count.hpp"
#include "model/machine.hpp"
#include "model/transport.hpp"
#include "planner/page_figures.hpp"
#include "schedule/memory_parts.hpp"

namespace cairn {

struct PlannedSchedule {
  ScalarType type = ScalarType::float64;
  Options options;
  Machine machine;
  Schedule collective;  ///< as the algorithm wrote it, with look-ahead; its problem says what is done
  Schedule wire;        ///< the same in point-to-point steps and direct exchanges
  int look_ahead = 0;
  Transport transport = Transport::two_sided;
  bool replays = false;  ///< whether its times are the replay's, not the clock's

  /// Found when they are first asked for, which may take longer than all the rest.
  const Totals& totals() const;
  const Times& times() const;
  const Times& by_clock() const;
  const Times& by_replay() const;
  /// Whether totals have been asked for, or were found with the time.
  bool counted() const { return totals_.has_value(); }
  /// About as many bytes as all of it takes, and its windows or its node's memory, which no other plan uses.
  Int bytes() const;

 private:
  mutable std::once_flag counted_, clocked_, replayed_;
  mutable std::optional<Totals> totals_;
  mutable Times of_clock_, of_replay_;
};

/// Ranks of a node, as asked for, or as the machine has them; 0 if neither says.
Int ranks_per_node(const PlannedSchedule& plan);
/// Whether its ranks are counted and clocked as sharing memory: node-shared, unless they are too many to look at one by
/// one, which are taken for ranks that send each other messages.
bool shares_memory(const PlannedSchedule& plan);
bool shares_memory(Transport transport, Int ranks);
/// Whether the clock took what its transport carries for two-sided messages, since nothing else is known.
bool clocked_as_messages(const PlannedSchedule& plan);
/// What one rank receives, computes and holds; and the largest of each figure over all ranks.
Count count_of(const PlannedSchedule& plan, Int rank);
Count max_count(const PlannedSchedule& plan);
/// Nothing where there are no nodes, or too many ranks to count them one by one.
std::optional<NodeWords> node_words(const PlannedSchedule& plan);
/// Throws ArgumentError if 64 bits do not count the operations of a rank, as where a grid leaves most ranks idle.
void require_countable(const PlannedSchedule& plan);
/// Of the fullest rank.
MemoryParts memory_parts(const PlannedSchedule& plan);

}  // namespace cairn
