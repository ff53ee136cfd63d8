// What the expansions of collectives are written with; one family of collectives a file, expand_*.cpp.
#pragma once
#include <optional>
#include <unordered_map>
#include <vector>

#include "schedule/effect.hpp"
#include "schedule/views.hpp"

namespace cairn {

/// The ranks along an axis as positions v, counted from the one whose coordinate is `root`.
struct Line {
  int axis;
  Int q;  ///< ranks
  Affine root;
  Affine v() const { return Affine::along(axis) + -1 * root; }
  /// The largest power of two below q.
  Int half() const;
};

/// The schedule that a collective is expanded into.
class Expansion {
 public:
  Expansion(const Schedule& from, Schedule& to, const LabelledStep& step) : from_(from), to_(to), step_(step) {}

  Line line(int axis, Affine root) const { return {axis, from_.grid.extent(axis), std::move(root)}; }
  const Layout& layout(Slot x) const { return to_.layout(x); }
  /// Memory in which `name` is summed, and for what arrives on its way there.
  Slot sum(Slot of, Layout layout) { return scratch(of, "+", std::move(layout), SlotInfo::Role::partial_sum); }
  Slot got(Slot of, Layout layout) { return scratch(of, "'", std::move(layout), SlotInfo::Role::buffer); }
  bool is_view(Slot x) const { return to_[x].view_of >= 0; }
  /// `layout` as the rank `by` further along the axis has it.
  static Layout moved(Layout layout, int axis, Int by);
  /// The part of x with this layout; the same slot where this expansion has named it before.
  Slot view(Slot x, Layout layout) { return views_.of(to_, x, std::move(layout)); }

  /// The step as it is.
  void keep() { to_.steps.push_back(step_); }
  void push(Step step) { to_.steps.push_back({std::move(step), step_.source}); }
  void shift(const Line& l, Slot src, Slot dst, Int by, Who who) {
    push(Shift{src, dst, l.axis, Affine(by), l.root, who});
  }
  void add(const Line& l, Slot src, Slot dst, Who who, Update update) {
    push(Add{src, dst, l.axis, l.root, who, update});
  }
  void copy(const Line& l, Slot src, Slot dst, Who who) { add(l, src, dst, who, Update::overwrite); }

 private:
  Slot scratch(Slot of, std::string_view mark, Layout layout, SlotInfo::Role role);

  const Schedule& from_;
  Schedule& to_;
  const LabelledStep& step_;
  Views views_;
};

/// A layout, all of which every position has or needs, cut into even pieces.
struct Cutting {
  Layout whole;
  bool cols;  ///< which dimension is cut
  Int parts;
  bool joined = false;  ///< all that a position has of it as one piece
  Layout keep(Cut cut) const;
  Layout one(const Affine& index) const { return keep(Cut::numbered(index, parts)); }
  Layout span(const Affine& index, Int width) const { return keep(Cut::span(index, parts, width)); }
  Layout group(const Affine& index, Int width) const { return keep(Cut::group(index, parts, width)); }
};
/// The dimension is one in which pieces are contiguous where enough of them hold something: MPI moves them while its
/// ranks compute, and others, on a node, only while both are in its calls.
Cutting cutting(const Layout& whole, Int parts);
/// How `part` is cut from `whole` along an axis: evenly by the last cut of one dimension, so that the ranks along the
/// axis hold all pieces. Nothing if it is cut in another way.
struct Parted {
  Line line;  ///< from which positions count so that the one at v holds piece v
  Cutting cutting;
};
std::optional<Parted> parted(const Layout& whole, const Layout& part, int axis);

/// One message of a tree for each of `who`: from the position `d` before it.
struct Round {
  Int d;
  Who who;
};
/// The rounds of Way::flat, binomial, binary and near, from the root on.
std::vector<Round> tree(Way way, const Line& l);

/// The root's whole `x` is handed out: position v is left with piece v and with those that it passed on.
void scatter(Expansion& e, const Line& l, const Cutting& c, Slot x);
/// Σ of src into `sum`, complete at the root.
void sum_along(Expansion& e, const Line& l, const std::vector<Round>& rounds, Slot src, Slot sum);
/// result ←update Σ over the line of piece v of src.
void sum_by_halving(Expansion& e, const Line& l, const Cutting& c, Slot src, Slot result, Update update);

void expand_bcast(Expansion& e, const Move& x);
void expand_reduce(Expansion& e, const Move& x);
void expand_allgather(Expansion& e, const Move& x);
void expand_reduce_scatter(Expansion& e, const Move& x);

/// Into how many pieces a chain of q ranks is cut where its root is another one at other coordinates, if at most so
/// many are asked for: a divisor of q, since their numbers then wrap around as the coordinate does.
Int pieces_that_wrap(Int q, Int segments);

/// When position v has which of a chain's segments. Their numbers are affine in the coordinate, which jumps by q where
/// the axis wraps around; so that positions before and after that place are named apart.
class Chain {
 public:
  enum class Direction : std::uint8_t { from_root, to_root };
  /// Of x, which all positions have or need.
  Chain(Expansion& e, const Line& l, Slot x, Int segments, Direction direction);
  Int times() const { return line_.q + cutting_.parts - 2; }
  /// At time t = 1, 2, …, positions `who` receive segment `dst` from their neighbours, which had it as `src` one time
  /// earlier: from those one nearer to the root, or, of what travels to the root, one further from it.
  struct Hop {
    Who who;
    Slot dst, src;
  };
  std::vector<Hop> hops(Int t);

 private:
  Slot segment(Int t, bool wrapped);
  Expansion& e_;
  Line line_;
  Slot x_;
  bool to_root_;
  Int wrap_;  ///< the first position whose coordinate is below the root's
  Cutting cutting_;
  Affine number_;                        ///< of position v's segment, but for a constant
  std::unordered_map<Int, Slot> known_;  ///< by that constant
};

}  // namespace cairn
