// What the ranks of a node share instead of holding it each, and what still travels between nodes. Follows from the
// schedule and from which rank is on which node, so all ranks derive the same.
#pragma once
#include <map>
#include <vector>

#include "schedule/effect.hpp"

namespace cairn {

/// Elements that a rank's value of the step's source gives to another's value of its destination.
struct Source {
  Int rank;
  Region part;
};

/// A message of a step: a part of the sender's value of the step's source.
struct Hop {
  Int from, to;
  Region part;
};

class Sharing {
 public:
  /// `node_of` gives the node of every rank, numbered from 0.
  Sharing(const Schedule& schedule, std::vector<int> node_of);

  const Schedule& schedule() const { return s_; }
  /// What a step does.
  const Effect& does(std::size_t step) const { return does_[step]; }
  int nodes() const { return static_cast<int>(members_.size()); }
  const std::vector<Int>& members(int node) const { return members_[static_cast<std::size_t>(node)]; }
  /// Which of its node's members a rank is.
  std::size_t member(Int rank) const { return member_[static_cast<std::size_t>(rank)]; }
  int node(Int rank) const { return node_of_[static_cast<std::size_t>(rank)]; }
  bool same_node(Int a, Int b) const { return node(a) == node(b); }

  /// Whether the slot's value is handed on along an axis and never written otherwise, and only read by
  /// such steps and by multiplications: then it need not be anywhere in one piece, nor once for every rank.
  bool handed(Slot x) const { return handed_[static_cast<std::size_t>(s_.storage(x))]; }
  /// Whether the partial sums are added by reading the memory of the node.
  bool sums_in_node(std::size_t step) const { return sums_[step]; }

  /// Where the value of a handing step's destination at `rank` comes from, in the order of the axis; none if the step
  /// does not write it there.
  std::vector<Source> sources(const Effect& effect, Int rank) const;
  /// What `rank` owns of a sum.
  Region owned(const Effect& effect, Int rank) const;
  /// The rank of the line that adds up its node's sums of what `owner` owns, for an owner on another node.
  Int adder(const Effect& effect, Int rank, Int owner) const;

  /// The lowest rank of the node whose value of the handed slot is the same; the others share it.
  Int first_of_class(Slot x, Int rank) const;
  const std::vector<Int>& class_of(Slot x, Int rank) const;
  bool leads_class(Slot x, Int rank) const;  ///< it is that rank, and holds something
  /// The member of `first`'s class that receives, for all, the part that comes from `source` on another node.
  Int receiver(Slot dst, int axis, Int first, Int source) const;

  /// The parts, each in one piece in memory wherever it lies, that make up a rank's value.
  const std::vector<Region>& leaves(Slot x, Int rank) const;

  /// Messages of a step that `rank` receives, or sends. Both ends list those between them in the same order.
  std::vector<Hop> arriving(std::size_t step, Int rank) const;
  std::vector<Hop> leaving(std::size_t step, Int rank) const;

  /// First step after `step` that touches the slot's storage; the number of steps if none does.
  std::size_t next_use(Slot x, std::size_t step) const;
  /// Last step before `step` that writes it, or nothing (-1).
  Int last_write(Slot x, std::size_t step) const;
  /// Last step that touches it, or reads on what was handed on of it.
  std::size_t last_use(Slot x) const { return last_[static_cast<std::size_t>(s_.storage(x))]; }
  std::size_t first_use(Slot x) const { return uses_[static_cast<std::size_t>(s_.storage(x))].front(); }
  bool used(Slot x) const { return !uses_[static_cast<std::size_t>(s_.storage(x))].empty(); }

 private:
  struct Classes {
    std::vector<std::size_t> of;          ///< by rank, the number of its class
    std::vector<std::vector<Int>> ranks;  ///< by class; the first is empty
  };
  const Classes& classes_of(Slot x) const;
  template <class Visit>
  void for_each_sender(const Effect& effect, Int rank, Visit visit) const;
  template <class Wanted>
  void add_hops(std::vector<Hop>& hops, std::size_t step, Int first, Wanted wanted) const;
  bool silent(std::size_t step) const;
  void find_handed();
  void find_lives();

  const Schedule& s_;
  std::vector<Effect> does_;
  std::vector<int> node_of_;
  std::vector<std::vector<Int>> members_;
  std::vector<std::size_t> member_;
  std::vector<bool> handed_, sums_;
  std::vector<std::vector<std::size_t>> uses_, writes_;  ///< by storage slot: steps, ascending
  std::vector<std::size_t> last_;
  mutable std::map<std::pair<Slot, Int>, std::vector<Region>> leaves_;
  mutable std::vector<Classes> classes_;  ///< by slot
};

/// Whether it is a product of matrices as they are stored, whose operands may lie in several pieces.
bool is_plain_product(const Effect& effect);
/// The axis along which values are handed on as they are; -1 if none are.
int handing_axis(const Effect& effect);
/// The axis along which partial sums are added; -1 if none are.
int summing_axis(const Effect& effect);

}  // namespace cairn
