// What a step does, said once: what it moves between ranks, or computes on each, symbolic in coordinates. Interpreters
// evaluate this, rank by rank, class by class or axis by axis, and never ask which kind of step it was.
#pragma once
#include <algorithm>
#include <optional>
#include <variant>
#include <vector>

#include "schedule/schedule.hpp"

namespace cairn {

/// Elements that travel along one axis: every rank c that takes part receives from ranks c + t of its line.
struct Move {
  enum class From : std::uint8_t {
    one,     ///< dst(c) ←update the same elements of src(c + by)
    root,    ///< dst(c) = the same elements of src at the coordinate `origin`
    pieces,  ///< dst(c) = all of src(c + t), for every t of the axis
    terms    ///< dst(c) ←update Σ over every t of the axis of the same elements of src(c + t)
  };
  Slot src = -1, dst = -1;
  int axis = 0;
  Affine origin;  ///< those take part whose index on the axis, counted from here, is one of `who`
  Who who;
  From from = From::one;
  Affine by;  ///< From::one
  Update update = Update::overwrite;
  std::optional<Collective> collective{};  ///< if it can be carried out in several ways
  How how{};

  /// Whether of a triangle only the elements that count are added to: those of the other one stay as they are.
  bool adds_to(Uplo shape) const { return shape != Uplo::full && update == Update::accumulate; }
  /// Whether nothing travels, whoever takes part.
  bool stays() const { return from == From::one && by == Affine(); }
  bool takes_part(const Grid& grid, Int rank) const { return cairn::takes_part(grid, rank, axis, origin, who); }
  bool everybody_takes_part(const Grid& grid) const {
    return who.lo <= 0 && who.hi >= grid.extent(axis) && who.run >= who.every;
  }
  /// Whose elements a rank gets, if they are one rank's.
  Int source(const Grid& grid, Int rank) const {
    const Int first = from == From::root ? origin.at(grid, rank) : grid.index(rank, axis) + by.at(grid, rank);
    return grid.with(rank, axis, first);
  }
  bool has_one_source() const { return from == From::one || from == From::root; }
};

/// Of a block on the diagonal of a matrix of which a triangle counts, that triangle travels and nothing else of it;
/// of other values, all of it.
Uplo travelling_shape(const Schedule& schedule, const Move& move);
/// Of so many words of the destination, which of a block on the diagonal are all or none, those that travel.
Int travelling_words(const Schedule& schedule, const Move& move, Int words);

/// Throws RuntimeError unless it is one of what is left once collectives are expanded: messages between pairs of ranks,
/// or of all ranks of a line with all. `reached` says who asks.
void require_direct(const Grid& grid, const Move& move, std::string_view reached);

/// A Redistribute moves between any two ranks, a Compute is local: these are effects themselves.
using Effect = std::variant<Move, Redistribute, Compute>;

Effect effect(const Step& step);
/// Of all steps.
std::vector<Effect> effects(const Schedule& schedule);

inline const Move* as_move(const Effect& e) { return std::get_if<Move>(&e); }
inline const Redistribute* as_redistribution(const Effect& e) { return std::get_if<Redistribute>(&e); }
inline const Compute* as_compute(const Effect& e) { return std::get_if<Compute>(&e); }
/// The messages between pairs of ranks, if these are all.
inline const Move* message(const Effect& e) {
  const Move* m = as_move(e);
  return m && m->from == Move::From::one && !m->stays() ? m : nullptr;
}
/// Whether partial sums of several ranks are added.
inline bool sums(const Effect& e) { return as_move(e) && as_move(e)->from == Move::From::terms; }
/// Number of steps that compute.
Int computations(const Schedule& schedule);
/// Whether it moves between any two ranks.
bool redistributes(const Schedule& schedule);
/// Whether a rank has a part in it: those beyond the grid only redistribute.
inline bool concerns(const Schedule& s, const Effect& e, Int rank) {
  return rank < s.grid.size() || as_redistribution(e);
}

/// The slots that a step reads, the one that it writes, and what becomes of what that held.
struct Access {
  Slot reads[3] = {-1, -1, -1};  ///< -1: none
  Slot writes = -1;
  Update update = Update::overwrite;
  bool communicates = false;
};
Access access(const Effect& effect);
Access access(const Step& step);
/// Whether two steps may trade places: neither writes what the other touches. meet(x, y) says whether two slots have
/// something in common.
template <class Meet>
bool independent(const Access& a, const Access& b, Meet meet) {
  const auto reads = [&](const Access& x, Slot written) {
    return std::any_of(std::begin(x.reads), std::end(x.reads), [&](Slot r) { return r >= 0 && meet(r, written); });
  };
  return !meet(a.writes, b.writes) && !reads(a, b.writes) && !reads(b, a.writes);
}

/// How a collective is to be carried out; nothing happens to other steps.
void carry_out(Step& step, How how);

/// Calls visit(peer) for the ranks from which `rank` gets elements, itself included, from its own place on.
template <class Visit>
void for_each_source(const Grid& grid, const Move& m, Int rank, Visit visit) {
  if (!m.takes_part(grid, rank)) return;
  if (m.has_one_source()) return visit(m.source(grid, rank));
  const Int q = grid.extent(m.axis), mine = grid.index(rank, m.axis);
  for (Int t = 0; t < q; ++t) visit(grid.with(rank, m.axis, mine + t));
}
/// Calls visit(peer) for the ranks that get elements from `rank`, itself included: by ascending coordinate where it is
/// their only source, else backwards from its own place, so that not all ranks address the same one at the same time.
template <class Visit>
void for_each_reader(const Grid& grid, const Move& m, Int rank, Visit visit) {
  const Int q = grid.extent(m.axis), mine = grid.index(rank, m.axis);
  if (m.from == Move::From::one && m.by.factor(m.axis) == 0) {  // all of the line read from as far away
    const Int to = grid.with(rank, m.axis, mine - m.by.at(grid, rank));
    if (m.takes_part(grid, to)) visit(to);
    return;
  }
  for (Int t = 0; t < q; ++t) {
    const Int to = grid.with(rank, m.axis, m.has_one_source() ? t : mine - t);
    if (m.takes_part(grid, to) && (!m.has_one_source() || m.source(grid, to) == rank)) visit(to);
  }
}

/// Rows × columns of a value.
struct Region {
  IndexSet rows, cols;
  Int words() const { return rows.size() * cols.size(); }
};
inline Region intersect(const Region& a, const Region& b) {
  return {a.rows.intersect(b.rows), a.cols.intersect(b.cols)};
}
inline Region region(const Layout& l, Int rank) { return {l.rows_at(rank), l.cols_at(rank)}; }
/// What travels from one rank to another that gets elements from it.
inline Region travelling(const Schedule& s, const Move& m, Int from, Int to) {
  return m.from == Move::From::pieces ? region(s.layout(m.src), from) : region(s.layout(m.dst), to);
}

}  // namespace cairn
