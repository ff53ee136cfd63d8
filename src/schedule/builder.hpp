// The vocabulary that algorithms are written in. Every call appends one step and returns the value it makes;
// a call whose layouts do not conform throws ScheduleError at the caller's line.
#pragma once
#include <optional>
#include <set>
#include <source_location>
#include <string>

#include "schedule/views.hpp"

namespace cairn {

using Here = std::source_location;

/// Which rows or columns of a value a step is about: Builder::all, whatever a rank has of them, so that cuts stay; or
/// exactly those of a range, which may be the whole extent, so that cuts are dropped, or is cut anew.
class Part {
 public:
  struct All {};
  Part(All) {}
  Part(Range r) : exactly_(Dim{r, {}}) {}
  Part(Dim dim) : exactly_(std::move(dim)) {}
  /// Those of a range, whoever has them: cuts stay as they are, block-cyclic ones from the block on that the range
  /// begins in.
  static Part within(Range r) {
    Part p{All{}};
    p.within_ = r;
    return p;
  }
  /// Throws ScheduleError if the cuts of a part of the range are no cuts that there are.
  Dim of(const Dim& dim) const;

 private:
  std::optional<Dim> exactly_;
  std::optional<Range> within_;
};

class Builder {
 public:
  static constexpr Part::All all{};

  /// A schedule for a problem over `grid`, on `ranks` ≥ grid.size() ranks.
  Builder(std::string algorithm, Problem problem, Grid grid, Int ranks);
  /// For C = op(A) op(B) of m×k by k×n.
  Builder(std::string algorithm, Int m, Int n, Int k, Grid grid, Int ranks)
      : Builder(std::move(algorithm), Multiply{m, n, k}, std::move(grid), ranks) {}

  const Grid& grid() const { return s_.grid; }
  const Layout& layout(Slot x) const { return s_.layout(x); }
  const std::string& name(Slot x) const { return s_[x].name; }

  /// `name[rows, cols]` on this schedule's grid.
  Layout layout(Range rows, std::vector<Cut> row_cuts, Range cols, std::vector<Cut> col_cuts, Order order) const;
  /// The caller's matrix in its own layout; `wanted` is where the algorithm wants it. If the owners differ a
  /// Redistribute brings it there. Elements that must be conjugated are on this way, or else by every gemm that reads
  /// them. Returns the slot in the wanted layout.
  Slot input(const std::string& name, const Layout& held, const Layout& wanted, bool conjugate,
             Here at = Here::current());
  /// The caller's result in its own layout, computed in layout `made`: in place if the owners agree.
  Slot output(std::string name, const Layout& held, const Layout& made);
  Slot scratch(std::string name, Layout layout, SlotInfo::Role role = SlotInfo::Role::panel);
  /// Memory for the part `rows` × `cols` of x, cut as these are, at the given coordinates, which steps then fill.
  Slot room_for(Slot x, Dim rows, Dim cols, std::vector<Layout::Where> at = {},
                SlotInfo::Role role = SlotInfo::Role::panel);
  /// Memory for sums of partial products.
  Slot partial_sum(std::string name, Layout layout, Uplo shape = Uplo::full) {
    return add({std::move(name), std::move(layout), SlotInfo::Role::partial_sum, -1, shape});
  }
  /// The same of a triangular matrix.
  Slot input(const std::string& name, const Layout& held, const Layout& wanted, Uplo triangle,
             Here at = Here::current());
  /// The caller's matrix, of which the elements of this shape are overwritten, worked on in layout `wanted` and handed
  /// back.
  Slot in_place(const std::string& name, const Layout& held, const Layout& wanted, Uplo shape,
                Here at = Here::current());

  /// Round `t` of the first sequential cut (Cut::each) of the rows (columns): a view, no step.
  Slot rows_round(Slot x, Int t);
  Slot cols_round(Slot x, Int t);

  /// The part `rows` × `cols` of x, and of that only what lives at the given coordinates: a view, no step.
  Slot part(Slot x, const Part& rows, const Part& cols, const std::vector<Layout::Where>& at = {});

  /// The part `rows` × `cols` of x in memory of its own, where it is dense: no communication.
  Slot copy(Slot x, const Part& rows, const Part& cols, Here at = Here::current());
  /// Union over an axis: drops the cut along it, which must be the last cut of the rows or of the columns. Which way it
  /// is carried out is left open, unless the algorithm knows better.
  Slot all_gather(Slot x, int axis, Here at = Here::current()) { return all_gather(x, axis, How(), at); }
  Slot all_gather(Slot x, int axis, How how, Here at = Here::current());
  /// The part `rows` × `cols` of x at the root, given to all along the axis: drops the condition that it lives there.
  /// Along an axis of one rank it is a view.
  Slot bcast(Slot x, const Part& rows, const Part& cols, int axis, Affine root, Here at = Here::current());
  /// dst, everywhere along the axis: its elements of x at the root.
  void bcast(Slot x, Slot dst, int axis, Affine root, Here at = Here::current());
  /// All of x at the root, given to all along the axis.
  Slot bcast(Slot x, int axis, Affine root, Here at = Here::current());
  /// The value that lies `by` further along the axis.
  Slot shift(Slot x, int axis, Affine by, Here at = Here::current());
  /// dst, on the ranks whose index on the axis lies in `who`: those elements of x that lie `by` further along the axis.
  void shift(Slot x, Slot dst, int axis, Affine by, Range who, Here at = Here::current());
  /// dst, which may be other elements on each rank: those elements of x that the rank at `from` has.
  void take(Slot x, Slot dst, int axis, Int from, Here at = Here::current()) {
    shift(x, dst, axis, Affine(from) + -1 * Affine::along(axis), {0, grid().extent(axis)}, at);
  }
  /// The same on so many ranks only, modulo the extent, of which the first is that one.
  void take(Slot x, Slot dst, int axis, Int from, Int first, Int ranks, Here at = Here::current());
  /// dst += Σ over the axis; dst = … where nothing was there before. dst may be a part() that lives at the root.
  void reduce(Slot x, Slot dst, int axis, Affine root, Here at = Here::current());
  void reduce_scatter(Slot x, Slot dst, int axis, Here at = Here::current()) {
    reduce_scatter(x, dst, axis, How(), at);
  }
  void reduce_scatter(Slot x, Slot dst, int axis, How how, Here at = Here::current());
  /// The elements of x that another layout names, from wherever they are.
  Slot fetch(Slot x, Layout layout, Here at = Here::current());
  /// dst += alpha·x, or its conjugate, between any two layouts; dst = … where nothing was there before.
  void redistribute(Slot x, Slot dst, bool conjugate, Here at = Here::current());
  /// dst = the same elements of x, of which each rank has its own: no communication.
  void put(Slot x, Slot dst, Here at = Here::current());
  /// C += alpha A B; C = … where nothing was there before.
  void gemm(Slot A, Slot B, Slot C, Here at = Here::current());

  /// C += factor·op(A)·op(B); of the elements that count only where C has the shape of a triangle.
  void update(Factor factor, Slot A, Op op_a, Slot B, Op op_b, Slot C, Here at = Here::current());
  /// C = op(A)⁻¹·C, or C·op(A)⁻¹ with A on the right: A has the shape of a triangle.
  void trsm(Side side, Slot A, Op op_a, Diag diag, Slot C, Here at = Here::current());
  /// C becomes its Cholesky factor: C has the shape of a triangle.
  void potrf(Slot C, Here at = Here::current());
  /// C = factor·C, of all its elements, whether they count or not. A factor of 0 starts sums.
  void scale(Factor factor, Slot C, Here at = Here::current());

  /// Hand results back to their callers' layouts and finish. Throws ScheduleError if an output was never written.
  Schedule done(Here at = Here::current());

 private:
  Slot add(SlotInfo info);
  Slot view(Slot x, Layout layout);
  Slot round(Slot x, bool rows, Int t);
  void push(Step step, const Here& at);
  /// New memory for elements of x, in another layout.
  Slot elements_of(Slot x, Layout layout);
  Update first_write(Slot dst);
  bool to_conjugate(Slot x) const { return to_conjugate_.contains(s_.storage(x)); }

  Schedule s_;
  std::vector<bool> written_;    // by storage-or-view slot: has a step written it
  std::set<Slot> to_conjugate_;  // storage slots with elements that a gemm conjugates
  Views views_;
  std::vector<std::pair<Slot, Slot>> hand_back_;  // computed slot → caller's slot
};

}  // namespace cairn
